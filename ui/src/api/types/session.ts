// Sessions that agents keep for themselves, outside Paddock or in a task's box.
import type { TaskSpec } from './task';

export interface PastSession {
  harness: string;
  session_id: string;
  title: string;
  directory?: string;
  began_at?: string;
  last_at?: string;
  size: number;
  prompts?: number;
  /** The task that goes on with it. */
  task_id?: string;
}

/** Something that was said before Paddock had the session. */
export interface PastMessage {
  by: 'user' | 'agent' | 'tool';
  text: string;
  at?: string;
}

export interface AdoptRequest {
  session_id: string;
  task: TaskSpec;
}
