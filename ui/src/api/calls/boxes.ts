// Calls around boxes: what they use and run, those without a task, how many a host runs at once.
import { get, list, post, send, taskPath } from '../http';
import type * as wire from '../types';

const hostPath = (host: string, below = ''): string => `/hosts/${encodeURIComponent(host)}${below}`;
const orphanPath = (host: string, { task_id }: wire.Orphan, below: string): string => hostPath(host, `/orphans/${encodeURIComponent(task_id)}${below}`);

export const boxCalls = {
  setParallel: (host: string, parallel_tasks: number) => send<wire.HostView>('PATCH', hostPath(host), { parallel_tasks }),
  adoptOrphan: (host: string, orphan: wire.Orphan) => post<wire.Task>(orphanPath(host, orphan, '/adopt')),
  removeOrphan: (host: string, orphan: wire.Orphan, force: boolean) =>
    post<wire.Page<wire.Orphan>>(orphanPath(host, orphan, '/remove'), { force }),

  /** Tells a task that its repository at `repository` is at `path` now. */
  relink: (id: string, repository: string, path: string) => post<wire.Accepted>(taskPath(id, '/relink'), { repository, path }),

  allStatistics: () => list<wire.TaskStatistics>('/statistics'),
  statistics: (id: string) => get<wire.TaskStatistics>(taskPath(id, '/statistics')),
  processes: (id: string, signal?: AbortSignal) => get<wire.ProcessList>(taskPath(id, '/processes'), signal),
  signal: (id: string, process: wire.BoxProcess, signal: wire.Signal) =>
    post<wire.Accepted>(taskPath(id, `/processes/${process.pid}/signal`), { signal, start: process.start }),
};
