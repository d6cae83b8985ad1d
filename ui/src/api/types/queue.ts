// What waits: messages for after the turn, and tasks for a place on their host.
import type { Attachment } from './hand';
import type { StateName } from './names';

export interface FollowUp {
  input_id: string;
  content: string;
  attachments?: Attachment[];
  queued_at: string;
  edited_at?: string;
}

/** Why the next follow-up does not go out by itself: how the last turn ended. */
export type Hold = 'failed' | 'interrupted' | 'run_ended';

export interface Queue {
  items: FollowUp[];
  hold?: Hold;
}

export interface TaskMention {
  task_id: string;
  title: string;
  state: StateName;
}

/** Where a task stands in the line of its host. */
export interface Place {
  host: string;
  position: number;
  of: number;
  limit: number;
  held: number;
  held_by: TaskMention[];
  reason: string;
}
