// Rules, accounts, limits: what agents may do, and with whose key.
import type { ApprovalScope, PermissionMode } from './names';

export type RuleReach =
  | { scope: 'task'; task_id: string }
  | { scope: 'repository'; path: string }
  | { scope: 'everywhere' };

export type RuleSubject =
  | { on: 'command'; command: string }
  | { on: 'edit'; paths: string }
  | { on: 'read'; paths: string }
  | { on: 'web'; domain: string }
  | { on: 'tool'; tool: string };

export interface Rule {
  rule_id: string;
  verdict: 'allow' | 'deny';
  reach: RuleReach;
  subject: RuleSubject;
  made_at: string;
  made_in?: string;
}

/** Subjects that would cover what an agent asks for, to be taken together. */
export interface RuleOffer {
  subjects: RuleSubject[];
}

/** What of a decision is to hold from now on. */
export interface KeepRule {
  scope: ApprovalScope;
  subjects?: RuleSubject[];
}

export type RuleAsked =
  | { to: 'run'; command: string }
  | { to: 'edit' | 'read'; path: string }
  | { to: 'reach'; domain: string }
  | { to: 'use'; tool: string };

export interface RuleVerdict {
  verdict: 'allow' | 'deny' | 'ask';
  rules: Rule[];
  parts: { command: string; rule?: Rule }[];
  doubt?: string;
}

/** A usage limit at which a turn ended. */
export interface UsageLimit {
  name?: string;
  reached_at: string;
  resets_at?: string;
  /** When the task goes on by itself. */
  resume_at?: string;
  cancelled?: boolean;
}

export interface Account {
  harness: string;
  name: string;
  variables: string[];
  base_url?: string;
  is_default: boolean;
  made_at: string;
  in_use_by: string[];
}

export interface AccountRequest {
  harness: string;
  name: string;
  values: Record<string, string>;
  base_url?: string;
  is_default?: boolean;
}

export interface Tuning {
  model?: string;
  effort?: string;
  permission_mode?: PermissionMode;
  account?: string;
}
