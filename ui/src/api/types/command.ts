// What is asked of a task, and what comes back.
import type { FileStat } from './task';

export interface Message {
  input_id?: string;
  text: string;
}

export interface PurgePreview {
  uncommitted: string[];
  unpushed: number;
  unknown: string | null;
}

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
  /** Paths that would not go in. */
  left_out: string[];
  findings: RepositoryFinding[];
  token: string;
}
