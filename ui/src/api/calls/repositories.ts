// Calls around repositories: those that are known, what is at a path, branches, what a task has committed.
import { get, list, query, taskPath } from '../http';
import type * as wire from '../types';

export const repositoryCalls = {
  repos: () => list<wire.KnownRepository>('/repos'),
  inspect: (path: string, signal?: AbortSignal) =>
    get<wire.RepositoryInfo>(`/repos/inspect${query({ path })}`, signal),
  branches: (path: string, prefix: string, signal?: AbortSignal) =>
    list<wire.BranchView>(`/repos/branches${query({ path, prefix, limit: 20 })}`, signal),
  commits: (id: string, repository: string) =>
    get<{ repositories: wire.RepositoryCommits[] }>(taskPath(id, `/commits${query({ repository })}`)).then((body) => body.repositories[0]),
};
