// The box of a task as it lives: whether it is reached, what it uses, what runs in it.
import type { BoxKind } from './names';

export type LinkName = 'none' | 'connected' | 'reconnecting' | 'lost' | 'ended' | 'gone';

/** Whether Paddock reaches the box. */
export interface Link {
  state: LinkName;
  since_at: string;
  /** Tries that failed since it was lost. */
  attempt?: number;
  next_try_at?: string;
  reason?: string;
  /** The last event when it was lost. */
  last_seq?: number;
}

/** Bytes that went in and out. */
export interface Flow {
  in_bytes: number;
  out_bytes: number;
  in_per_s: number;
  out_per_s: number;
}

/** One look at what a box uses; what cannot be known is not there. */
export interface Statistics {
  sampled_at: string;
  /** Of one core: 100 is a whole one. */
  cpu_percent: number;
  /** Of what the box may use, from 0 to 1. */
  cpu_share: number;
  memory_bytes: number;
  memory_peak_bytes: number;
  processes: number;
  network?: Flow;
  block_io?: Flow;
  disk?: { bytes: number; at_least: boolean; measured_at: string };
}

export interface BoxLimits {
  cpus: number;
  memory_bytes: number;
  processes?: number;
  /** A worktree has no limits of its own. */
  enforced: boolean;
}

export interface TaskStatistics {
  task_id: string;
  box_kind?: BoxKind;
  following: boolean;
  every_ms: number;
  limits?: BoxLimits;
  latest?: Statistics;
  /** Oldest first. */
  history?: Statistics[];
}

export interface BoxProcess {
  pid: number;
  parent_pid: number;
  /** With the pid it names a process. */
  start: number;
  command: string;
  state: string;
  cpu_ms: number;
  cpu_percent: number;
  memory_bytes: number;
  age_ms: number;
  run_id?: string;
  /** It is Paddock's own and takes no signals. */
  relay?: boolean;
}

export interface ProcessList {
  items: BoxProcess[];
  more: boolean;
}

export type Signal = 'hup' | 'int' | 'quit' | 'kill' | 'usr1' | 'usr2' | 'term' | 'cont' | 'stop';
