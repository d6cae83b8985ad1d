// Calls by which a user keeps tasks in their lists.
import { post, taskPath } from '../http';
import type * as wire from '../types';

export const markCalls = {
  putAside: (id: string, request: wire.AsideRequest) => post<wire.Accepted>(taskPath(id, '/aside'), request),
  setArchived: (id: string, archived: boolean) => post<wire.Accepted>(taskPath(id, '/archive'), { archived }),
};
