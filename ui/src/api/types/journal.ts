// Looking after what is kept: whole journals, what is kept too long, and a code that pairs another browser.

export type JournalFault =
  | 'unreadable' | 'torn' | 'garbled' | 'unknown' | 'gap' | 'double' | 'other_task' | 'no_beginning' | 'event_id'
  | 'source' | 'altered' | 'compressed' | 'two_forms' | 'artifact_missing' | 'artifact_wrong' | 'index';

export interface JournalFinding {
  kind: JournalFault;
  line?: number;
  text: string;
}

/** A journal as a file on the disk. */
export interface JournalFile {
  task_id: string;
  form: 'plain' | 'compressed';
  last_seq: number;
  text_bytes: number;
  file_bytes: number;
  /** Nothing is appended any more: its task is purged. */
  archived: boolean;
  /** What keeps it from being read further. */
  damage?: string;
  kept?: string[];
}

/** What was found when a journal was read from its first line to its last. */
export interface JournalCheck {
  task_id: string;
  form?: 'plain' | 'compressed';
  lines: number;
  text_bytes: number;
  artifacts: number;
  /** Empty when all is well. */
  findings: JournalFinding[];
  more?: boolean;
  /** Names of files beside it. */
  kept?: string[];
}

export interface JournalRepair {
  task_id: string;
  /** What was done, or would be; empty when nothing has to be done. */
  steps: string[];
  /** The original's name, where something was changed. */
  kept?: string;
  last_seq: number;
}

export type ExpiredKind = 'journal' | 'artifacts' | 'unreferenced';

/** Something that is kept longer than the settings want. */
export interface Expired {
  task_id: string;
  title: string;
  what: ExpiredKind;
  bytes: number;
  since: string;
}

export interface ExpiredList {
  items: Expired[];
  bytes: number;
}

/** Pairs one browser or window, once. */
export interface PairingCode {
  code: string;
  path: string;
  expires_at: string;
}
