// Words with a fixed set of values: states, actions, kinds.

export type StateName =
  | 'pending' | 'branching' | 'provisioning' | 'starting' | 'running' | 'waiting' | 'asking' | 'has_plan'
  | 'pulling' | 'pushing' | 'stopping' | 'stopped' | 'crashed' | 'purging' | 'failed' | 'purged';
export type Action =
  | 'send' | 'answer' | 'interrupt' | 'stop' | 'revive' | 'sync' | 'commit' | 'purge' | 'restore' | 'queue' | 'fork' | 'hand_off'
  | 'put_aside' | 'take_up' | 'archive' | 'unarchive';
export type PermissionMode = 'full_auto' | 'accept_edits' | 'ask' | 'plan';
export type BoxKind = 'container' | 'worktree';
export type Network = 'bridge' | 'none';
export type ToolKind =
  | 'bash' | 'read' | 'write' | 'edit' | 'glob' | 'grep' | 'web' | 'mcp' | 'subagent' | 'todo' | 'other';
export type TurnOutcome = 'completed' | 'failed' | 'interrupted' | 'run_ended';
export type ErrorClass =
  | 'auth' | 'quota' | 'overload' | 'network' | 'context_too_long' | 'refused' | 'agent'
  | 'unknown_line' | 'setup' | 'git' | 'internal' | 'session_lost';
export type Phase = 'branching' | 'provisioning' | 'starting';

export type ApprovalScope = 'once' | 'task' | 'repository' | 'everywhere';

/** Why an agent's context is another than it was. */
export type CondensePolicy = 'rolling_window' | 'requested' | 'cleared' | 'provider_handoff' | 'forked' | 'session_lost';
