// Every call of the API that the client makes, typed; calls around one thing stand in `calls/`. Start at `api`.
import { aroundCalls } from './calls/around';
import { boxCalls } from './calls/boxes';
import { handCalls } from './calls/hand';
import { journalCalls } from './calls/journals';
import { markCalls } from './calls/marks';
import { offerCalls } from './calls/offers';
import { policyCalls } from './calls/policy';
import { queueCalls } from './calls/queue';
import { repositoryCalls } from './calls/repositories';
import { sessionCalls } from './calls/sessions';
import { terminalCalls } from './calls/terminals';
import { trashCalls } from './calls/trash';
import { ApiError } from './error';
import { call, get, list, post, query, taskPath, text } from './http';
import { SseParser } from './sse';
import type * as wire from './types';

const PAGE = 200;
const PAGES_MAX = 25;

async function allTasks(archived?: true): Promise<wire.TaskSummary[]> {
  const tasks: wire.TaskSummary[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const got = await get<wire.Page<wire.TaskSummary>>(`/tasks${query({ limit: PAGE, cursor, archived })}`);
    tasks.push(...got.items);
    cursor = got.next_cursor;
    if (cursor === undefined) break;
  }
  return tasks;
}

export const api = {
  exchange: (code: string) => call('POST', '/auth/exchange', { code }).then(() => undefined),
  signOut: () => call('DELETE', '/auth/session').then(() => undefined),
  health: () => get<wire.Health>('/health'),
  version: () => get<wire.VersionInfo>('/version'),
  doctor: () => list<wire.Check>('/doctor'),
  hosts: () => list<wire.HostView>('/hosts'),
  harnesses: () => list<wire.HarnessView>('/harnesses'),
  install,
  settings: () => get<wire.SettingsView>('/settings'),
  tasks: () => allTasks(),
  archive: () => allTasks(true),
  /** Starts a task; the same key again gives the task that it started before. */
  create: (spec: wire.TaskSpec, key: string) =>
    call('POST', '/tasks', spec, undefined, { 'Idempotency-Key': key }).then((answer) => answer.json() as Promise<wire.Task>),
  task: (id: string) => get<wire.Task>(taskPath(id)),
  send: (id: string, message: wire.Message) => post<{ input_id: string; queued?: boolean }>(taskPath(id, '/send'), message),
  answer: (id: string, question_id: string, answer: wire.Answer) =>
    post<wire.Accepted>(taskPath(id, '/answer'), { question_id, answer }),
  decide: (id: string, approval_id: string, decision: wire.Decision, keep?: wire.KeepRule) =>
    post<wire.Accepted>(taskPath(id, '/approval'), { approval_id, decision, ...(keep ? { keep } : {}) }),
  decidePlan: (id: string, plan_id: string, decision: wire.PlanDecision) =>
    post<wire.Accepted>(taskPath(id, '/plan'), { plan_id, decision }),
  interrupt: (id: string) => post<wire.Accepted>(taskPath(id, '/interrupt')),
  stop: (id: string) => post<wire.Accepted>(taskPath(id, '/stop')),
  revive: (id: string) => post<wire.Accepted>(taskPath(id, '/revive')),
  purgePreview: (id: string) => get<wire.PurgePreview>(taskPath(id, '/purge')),
  purge: (id: string, force: boolean) => post<wire.Accepted>(taskPath(id, '/purge'), { force, now: false }),
  restore: (id: string) => post<wire.Accepted>(taskPath(id, '/restore')),
  diff: (id: string, wanted: wire.DiffQuery, signal?: AbortSignal) => text(taskPath(id, `/diff${query({ ...wanted })}`), signal),
  commitPreview: (id: string) =>
    get<{ repositories: wire.CommitPreview[] }>(taskPath(id, '/commit')).then((body) => body.repositories),
  commit: (id: string, request: { repository: string; message: string; token: string; files?: string[] }) =>
    post<{ commit: string }>(taskPath(id, '/commit'), request),
  squashPreview: (id: string) =>
    get<{ repositories: wire.SquashPreview[] }>(taskPath(id, '/squash')).then((body) => body.repositories),
  sync: (id: string, request: wire.SyncRequest) => post<wire.SyncReport>(taskPath(id, '/sync'), request),
  ...aroundCalls,
  ...boxCalls,
  ...handCalls,
  ...journalCalls,
  ...markCalls,
  ...offerCalls,
  ...policyCalls,
  ...queueCalls,
  ...repositoryCalls,
  ...sessionCalls,
  ...terminalCalls,
  ...trashCalls,
  artifactFile: (id: string, sha256: string) => call('GET', taskPath(id, `/artifacts/${encodeURIComponent(sha256)}`)).then((answer) => answer.blob()),
  artifact: (id: string, sha256: string) => text(taskPath(id, `/artifacts/${encodeURIComponent(sha256)}`)),
};

/** Installs an agent program; what is being done is told as it goes. */
async function install(harness: string, onProgress: (text: string) => void): Promise<void> {
  const response = await call('POST', `/harnesses/${encodeURIComponent(harness)}/install`, {}, undefined, { Accept: 'text/event-stream' });
  const parser = new SseParser();
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return;
    for (const { name, data } of parser.feed(decoder.decode(part.value, { stream: true }))) {
      if (name === 'progress') onProgress((JSON.parse(data) as { text: string }).text);
      if (name === 'failed') throw new ApiError(500, (JSON.parse(data) as { error: wire.ErrorDetail }).error);
    }
  }
}
