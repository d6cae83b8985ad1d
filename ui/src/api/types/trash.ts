// What was kept before something was taken away, and what a purge would take; commits and branches.
import type { DiffStat, TaskSpec } from './task';

export interface CommitView {
  commit: string;
  subject: string;
  author: string;
  committed_at: string;
  files: number;
  added: number;
  removed: number;
}

export interface NamedCommit {
  name: string;
  commit: string;
}

export type TrashReason = 'purge' | 'failed' | 'orphan' | 'reset' | 'rewritten' | 'unlanded' | 'unknown';

export interface TrashEntry {
  task_id: string;
  number: number;
  repository: string;
  ref: string;
  commit: string;
  kept_at: string;
  reason: TrashReason;
  title?: string;
  branch?: string;
  head?: string;
  uncommitted: number;
  ignored: { files: number; bytes: number; kept: boolean };
  others: NamedCommit[];
  expires_at?: string;
}

export interface TrashList {
  items: TrashEntry[];
  unreadable: { repository: string; reason: string }[];
}

export interface TrashDetail {
  entry: TrashEntry;
  files: DiffStat;
  commits: CommitView[];
  more_commits: number;
  diff: string;
  truncated: boolean;
}

export interface RestoreRequest {
  repository?: string;
  branch?: string;
  others?: boolean;
  task?: TaskSpec;
}

export interface Restored {
  repository: string;
  branch: string;
  commit: string;
  others: NamedCommit[];
  task_id?: string;
}

/** What a purge would take from one repository. */
export interface RepositoryLoss {
  path: string;
  branch?: string;
  changed: string[];
  untracked: string[];
  conflicted: string[];
  more_files: number;
  commits: CommitView[];
  more_commits: number;
  stashes: string[];
  branches: NamedCommit[];
  ignored: { files: number; bytes: number; kept: boolean };
  unknown?: string | null;
}

/** The commits of a task in one repository, newest first. */
export interface RepositoryCommits {
  path: string;
  branch: string;
  base?: string;
  base_commit: string;
  commits: CommitView[];
  more: boolean;
  uncommitted: number;
}

export interface BranchView {
  name: string;
  kind: 'local' | 'remote' | 'tag';
  commit: string;
  committed_at: string;
}
