// Calls around a task's box, its queue, its commits, and what was kept; `client.ts` makes them part of `api`.
import type * as wire from './types';

interface Ways {
  get: <T>(path: string, signal?: AbortSignal) => Promise<T>;
  post: <T>(path: string, body?: unknown) => Promise<T>;
  send: <T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<T>;
  query: (values: Record<string, string | number | boolean | undefined>) => string;
  taskPath: (id: string, below?: string) => string;
}

export function moreCalls({ get, post, send, query, taskPath }: Ways) {
  const queued = (id: string, input: string, below = ''): string => taskPath(id, `/queue/${encodeURIComponent(input)}${below}`);
  const kept = (entry: wire.TrashEntry, below = ''): string => `/trash/${encodeURIComponent(entry.task_id)}/${entry.number}${below}`;
  return {
    health: () => get<wire.Health>('/health'),

    editQueued: (id: string, input: string, text: string) => send<wire.Queue>('PATCH', queued(id, input), { text }),
    removeQueued: (id: string, input: string) => send<wire.Queue>('DELETE', queued(id, input)),
    orderQueue: (id: string, order: string[]) => send<wire.Queue>('PATCH', taskPath(id, '/queue'), { order }),
    sendQueued: (id: string, input: string) => post<{ input_id: string }>(queued(id, input, '/send')),

    adoptOrphan: (host: string, orphan: wire.Orphan) => post<wire.Task>(`/hosts/${encodeURIComponent(host)}/orphans/${encodeURIComponent(orphan.task_id)}/adopt`),
    removeOrphan: (host: string, orphan: wire.Orphan, force: boolean) =>
      post<wire.Page<wire.Orphan>>(`/hosts/${encodeURIComponent(host)}/orphans/${encodeURIComponent(orphan.task_id)}/remove`, { force }),

    move: (id: string, to: 'front' | 'back') => post<wire.Place>(taskPath(id, '/place'), { to }),
    setParallel: (host: string, parallel_tasks: number) => send<wire.HostView>('PATCH', `/hosts/${encodeURIComponent(host)}`, { parallel_tasks }),

    allStatistics: () => get<wire.Page<wire.TaskStatistics>>('/statistics').then((page) => page.items),
    statistics: (id: string) => get<wire.TaskStatistics>(taskPath(id, '/statistics')),
    processes: (id: string, signal?: AbortSignal) => get<wire.ProcessList>(taskPath(id, '/processes'), signal),
    signal: (id: string, process: wire.BoxProcess, signal: wire.Signal) =>
      post<wire.Accepted>(taskPath(id, `/processes/${process.pid}/signal`), { signal, start: process.start }),

    trash: () => get<wire.TrashList>('/trash'),
    trashDetail: (entry: wire.TrashEntry) => get<wire.TrashDetail>(kept(entry, query({ repository: entry.repository }))),
    restoreTrash: (entry: wire.TrashEntry, request: wire.RestoreRequest) =>
      post<wire.Restored>(kept(entry, '/restore'), { repository: entry.repository, ...request }),
    dropTrash: (entry: wire.TrashEntry) => send<wire.NamedCommit>('DELETE', kept(entry, query({ repository: entry.repository }))),

    commits: (id: string, repository: string) =>
      get<{ repositories: wire.RepositoryCommits[] }>(taskPath(id, `/commits${query({ repository })}`)).then((body) => body.repositories[0]),
    branches: (path: string, prefix: string, signal?: AbortSignal) =>
      get<wire.Page<wire.BranchView>>(`/repos/branches${query({ path, prefix, limit: 20 })}`, signal).then((page) => page.items),
  };
}
