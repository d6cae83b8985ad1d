// Terminals in boxes, and what is said about them through their WebSocket.
import type { ErrorDetail } from './system';
import type { RunExit } from './task';

export type TerminalKind = 'shell' | 'agent';

export interface TerminalSize {
  rows: number;
  cols: number;
}

export interface Terminal {
  name: string;
  what: TerminalKind;
  program: string;
  size: TerminalSize;
  opened_at: string;
  exit?: RunExit;
}

export interface TerminalList {
  items: Terminal[];
  /** Whether the agent has a program of its own for people. */
  agent: boolean;
  /** Where the work tree lies on the server's machine, for a worktree box. */
  folder?: string;
}

export interface TerminalRequest {
  what: TerminalKind;
  name?: string;
  size?: TerminalSize;
}

export interface TerminalClosed {
  exit: RunExit;
}

export type TerminalSay =
  | { type: 'open'; channel: number; task: string; terminal: string }
  | { type: 'resize'; channel: number; size: TerminalSize }
  | { type: 'ack'; channel: number; bytes: number }
  | { type: 'close'; channel: number };

export type TerminalTell =
  | { type: 'opened'; channel: number; terminal: Terminal }
  | { type: 'screen'; channel: number; size: TerminalSize; bytes: number }
  | { type: 'resized'; channel: number; size: TerminalSize }
  | { type: 'reconnecting'; channel: number }
  | { type: 'exit'; channel: number; exit: RunExit }
  | { type: 'error'; channel: number; error: ErrorDetail };
