// Calls around what was kept before something was taken away.
import { get, post, query, send } from '../http';
import type * as wire from '../types';

const kept = (entry: wire.TrashEntry, below = ''): string => `/trash/${encodeURIComponent(entry.task_id)}/${entry.number}${below}`;

export const trashCalls = {
  trash: () => get<wire.TrashList>('/trash'),
  trashDetail: (entry: wire.TrashEntry) => get<wire.TrashDetail>(kept(entry, query({ repository: entry.repository }))),
  restoreTrash: (entry: wire.TrashEntry, request: wire.RestoreRequest) =>
    post<wire.Restored>(kept(entry, '/restore'), { repository: entry.repository, ...request }),
  dropTrash: (entry: wire.TrashEntry) => send<wire.NamedCommit>('DELETE', kept(entry, query({ repository: entry.repository }))),
};
