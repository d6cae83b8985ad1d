// Search, templates, the vault, and the settings as a document.
import type { StateName } from './names';
import type { TaskSpec } from './task';

export type SearchKind = 'prompt' | 'message' | 'agent' | 'thinking' | 'tool' | 'output' | 'question' | 'plan' | 'error' | 'notice' | 'branch';

export interface SearchMark {
  from: number;
  to: number;
}

/** An event that matches; marks are counted in characters (code points) of the snippet. */
export interface SearchHit {
  task_id: string;
  title: string;
  harness: string;
  state?: StateName;
  seq: number;
  happened_at: string;
  kind: SearchKind;
  snippet: string;
  marks: SearchMark[];
}

export interface SearchPage {
  items: SearchHit[];
  next_cursor?: string;
  ranked: number;
  more: boolean;
  unread: number;
}

export interface TemplateView {
  name: string;
  spec: TaskSpec;
  updated_at: string;
  variables: string[];
}

export type VaultKind = 'keychain' | 'passphrase' | 'key_file' | 'memory';

export interface SecretView {
  name: string;
  used_by: string[];
}

export interface SecretList {
  vault: { kind?: VaultKind; why: string };
  items: SecretView[];
}

export interface SettingView {
  key: string;
  value?: string;
  origin: string;
  saved?: string;
  allowed: string;
  default: string;
  about: string;
  editable: boolean;
  live: boolean;
  waits: boolean;
}

export interface SettingsRequest {
  revision?: number;
  set?: Record<string, string>;
  unset?: string[];
}
