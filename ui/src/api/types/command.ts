// What is asked of a task, and what comes back.
import type { RepositoryLoss } from './trash';
import type { Attachment } from './hand';
import type { FileStat } from './task';

/** When a message is told: at once, or when the turn under way is over. */
export type When = 'now' | 'after_turn';

export interface Message {
  input_id?: string;
  text: string;
  attachments?: Attachment[];
  when?: When;
}

/** Puts aside what a task calls for, or takes it up again; `seen`: it was only looked at. */
export interface AsideRequest {
  aside?: boolean;
  up_to_seq?: number;
  seen?: boolean;
}

export interface PurgePreview {
  uncommitted: string[];
  unpushed: number;
  unknown: string | null;
  /** The same, and more, by repository. */
  repositories?: RepositoryLoss[];
  /** What runs in the box now. */
  processes?: { pid: number; command: string; memory_bytes: number }[];
  box_bytes?: number;
}

/** Which part of a diff is wanted: everything unless said otherwise; one commit by itself. */
export type DiffQuery = {
  repository?: string;
  path?: string;
  what?: 'all' | 'committed' | 'uncommitted';
  commit?: string;
};

export interface SyncRequest {
  target: 'branch' | 'default' | 'local';
  remote?: string;
  allow: string[];
  message?: string;
}

export interface SyncReport {
  repositories: {
    path: string;
    branch: string;
    commit: string;
    brought_out: number;
    pushed_to: string | null;
    note: string | null;
  }[];
}

export interface RepositoryFinding {
  repository: string;
  id: string;
  rule: string;
  path: string;
  line: number | null;
  excerpt: string;
}

export interface SquashPreview {
  repository: string;
  onto: string;
  conflicts: string[];
}

export interface CommitPreview {
  repository: string;
  files: FileStat[];
  /** Files beyond those listed. */
  more_files?: number;
  /** Paths that would not go in. */
  left_out: string[];
  findings: RepositoryFinding[];
  token: string;
}
