// Calls around tasks that go on otherwise: forks, hand-offs, groups; and files that go with words.
import { BASE, get, list, post, put, query, taskPath } from '../http';
import type * as wire from '../types';

const groupPath = (id: string, below = ''): string => `/groups/${encodeURIComponent(id)}${below}`;

export const handCalls = {
  upload: (file: Blob, name: string) => put<wire.Attachment>(`/attachments${query({ name })}`, file),
  fork: (id: string, request: wire.ForkRequest) => post<wire.Task>(taskPath(id, '/fork'), request),
  handOff: (id: string, request: wire.HandOffRequest) => post<wire.Accepted>(taskPath(id, '/handoff'), request),
  groups: () => list<wire.GroupView>('/groups'),
  group: (id: string) => get<wire.GroupView>(groupPath(id)),
  createGroup: (request: wire.GroupRequest) => post<wire.GroupView>('/groups', request),
  checkGroup: (id: string, command?: string) => post<wire.GroupChecks>(groupPath(id, '/check'), command === undefined ? {} : { command }),
  pick: (id: string, task_id: string, purge: boolean) =>
    post<wire.GroupView>(groupPath(id, '/pick'), purge ? { task_id, purge_others: { force: true } } : { task_id }),
};

/** Where a file that was sent to a task is shown from; one that is not sent yet without a task. */
export function fileAddress(file: wire.Attachment, task?: string): string {
  const path = task === undefined ? `/attachments/${file.sha256}` : taskPath(task, `/artifacts/${file.sha256}`);
  return BASE + path;
}
