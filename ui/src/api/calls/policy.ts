// Calls around what agents may do, with whose key, and how they work.
import { list, post, query, send, taskPath } from '../http';
import type * as wire from '../types';

const account = (harness: string, name: string, below = ''): string =>
  `/accounts/${encodeURIComponent(harness)}/${encodeURIComponent(name)}${below}`;

export const policyCalls = {
  rules: () => list<wire.Rule>('/rules'),
  addRule: (rule: Pick<wire.Rule, 'verdict' | 'reach' | 'subject'>) => post<wire.Rule>('/rules', rule),
  removeRule: (id: string) => send<wire.Rule>('DELETE', `/rules/${encodeURIComponent(id)}`),
  testRules: (asked: wire.RuleAsked, repository?: string) =>
    post<wire.RuleVerdict>('/rules/test', { asked, ...(repository ? { repository } : {}) }),
  accounts: () => list<wire.Account>('/accounts'),
  keepAccount: (request: wire.AccountRequest) => post<wire.Account>('/accounts', request),
  useAccount: (harness: string, name: string) => post<wire.Account>(account(harness, name, '/default')),
  removeAccount: (harness: string, name: string, force: boolean) =>
    send<wire.Account>('DELETE', account(harness, name) + query({ force: force || undefined })),
  tune: (id: string, tuning: wire.Tuning) => post<wire.Accepted>(taskPath(id, '/tune'), tuning),
  /** `about` is what the agent is to keep in mind; where it is empty that is for the agent to know. */
  compact: (id: string, about: string) => post<wire.Accepted>(taskPath(id, '/compact'), about === '' ? {} : { about }),
  clear: (id: string) => post<wire.Accepted>(taskPath(id, '/clear')),
  restart: (id: string) => post<wire.Accepted>(taskPath(id, '/restart')),
  resumeOnLimit: (id: string, resume: boolean) => post<wire.Accepted>(taskPath(id, '/limit'), { resume }),
};
