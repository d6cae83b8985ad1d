// What a transcript is made of: one row for each thing that is shown. Rows are immutable; a changed row
// is a new object in the same place, and its place is its identity.
import type {
  Answer, Approval, ArtifactRef, Attachment, BoxKind, CondensePolicy, Cost, Decision, ErrorClass, PastMessage, Plan, PlanDecision, Question, Retry, Rule, RunExit,
  StateName, ToolKind, TurnOutcome,
} from '../api/types';

export interface ToolCall {
  id: string;
  tool: ToolKind;
  name: string;
  command?: string | undefined;
  path?: string | undefined;
  cwd?: string | undefined;
  server?: string | undefined;
  args?: unknown;
  argsRef?: ArtifactRef | undefined;
  ts: string;
  seq: number;
  /** What it has printed so far; cut at the front. */
  liveOutput: string;
  end?: ToolEnd;
  /** What a sub-agent did, where this call started one. */
  children: Row[];
}

export interface ToolEnd {
  failed: boolean;
  exitCode?: number | undefined;
  ms?: number | undefined;
  output?: string | undefined;
  outputRef?: ArtifactRef | undefined;
  patch?: string | undefined;
  patchRef?: ArtifactRef | undefined;
  images?: Attachment[] | undefined;
}

export interface SetupStep {
  ts: string;
  text: StepText;
  level: 'info' | 'warning';
}

export type StepText =
  | { is: 'state'; state: StateName; cause?: string | undefined }
  | { is: 'branch'; branch: string; base: string; adopted: boolean; repository: string }
  | { is: 'box'; kind: BoxKind; name: string; image?: string | undefined }
  | { is: 'run'; harness: string; version: string; resumed: boolean }
  | { is: 'words'; text: string };

interface Base {
  seq: number;
  ts: string;
}

export type Row = Base & (
  | { kind: 'user'; text: string; inputId?: string | undefined; duringTurn: boolean; files?: Attachment[] }
  /** `by` is the harness, where the journal has told it; `key` what it streams by, within a sub-agent's call. */
  | { kind: 'agent'; text: string; refusal: boolean; live: boolean; by?: string; key?: string }
  /** What was said in the agent's session before the task had it. */
  | { kind: 'past'; harness: string; messages: PastMessage[]; leftOut: number }
  | { kind: 'thinking'; text: string; live: boolean; key?: string }
  | { kind: 'tool'; call: ToolCall }
  | { kind: 'reads'; calls: ToolCall[] }
  | { kind: 'setup'; steps: SetupStep[]; endedAt?: string; failed: boolean; again: boolean }
  | { kind: 'turn'; outcome: TurnOutcome; ms: number; tokens: number; cost?: Cost; changes?: Changes; nth: number }
  | { kind: 'question'; question: Question; answer?: Answer | null }
  | { kind: 'approval'; approval: Approval; decision?: Decision | null; rules?: Rule[]; byRule?: boolean }
  | { kind: 'standing'; word: 'resumes' | 'stays' | 'silent' | 'stirred' | 'tuned' | 'compact' | 'clear' | 'archived' | 'unarchived'; at?: string; words?: string }
  | { kind: 'plan'; plan: Plan; decision?: PlanDecision | null }
  | { kind: 'commit'; commit: string; subject: string; repository: string }
  | { kind: 'push'; remote: string; branch: string; commit: string; squashed: boolean }
  | { kind: 'retry'; retry: Retry }
  | { kind: 'notice'; level: 'info' | 'warning'; text: string }
  | { kind: 'error'; class: ErrorClass; message: string; raw?: string; rawRef?: ArtifactRef }
  | { kind: 'condensed'; policy: CondensePolicy; before?: number; after?: number; summary?: string }
  | { kind: 'model'; model: string; effort?: string }
  | { kind: 'switched'; from: string; to: string; model?: string }
  | { kind: 'check'; command: string; output: string; exit?: number }
  | { kind: 'picked'; own: boolean }
  | { kind: 'run_ended'; exit: RunExit; stderr: string }
  | { kind: 'state'; state: StateName; cause?: string; restored: boolean }
  | { kind: 'verification'; attempt: number; passed: boolean; summary: string; issues: string[] }
  | { kind: 'other'; type: string; raw: string }
  | { kind: 'nothing' }
);

export interface Changes {
  files: number;
  added: number;
  removed: number;
}

export type RowOf<K extends Row['kind']> = Extract<Row, { kind: K }>;
