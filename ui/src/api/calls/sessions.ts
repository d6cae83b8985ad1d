// Calls around sessions that agents keep for themselves.
import { list, post, query, taskPath } from '../http';
import type * as wire from '../types';

/** Most sessions that are shown at once. */
const SHOWN_MAX = 200;

export const sessionCalls = {
  /** Those that a user had outside Paddock, newest first. */
  agentSessions: (repository?: string) => list<wire.PastSession>(`/agent-sessions${query({ repository, limit: SHOWN_MAX })}`),
  /** Those that a task's agent has in its box. */
  taskSessions: (id: string) => list<wire.PastSession>(taskPath(id, '/agent-sessions')),
  /** Starts a task's agent again with another of them. */
  reviveWith: (id: string, session_id: string) => post<wire.Accepted>(taskPath(id, `/agent-sessions/${encodeURIComponent(session_id)}/revive`)),
  /** A task that goes on with one of them; the same key again gives the task that is there. */
  adoptSession: (session_id: string, task: wire.TaskSpec, key: string) =>
    post<wire.Task>('/agent-sessions/adopt', { session_id, task: { ...task, request_key: key } } satisfies wire.AdoptRequest),
};
