// Which part of the work is looked at: everything, what no commit holds, all commits, or one of them.
import { For, Show, type Accessor } from 'solid-js';
import { api } from '../../api/client';
import type { CommitView, DiffQuery } from '../../api/types';
import { Select } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { firstLine } from '../../lib/format';

/** `all`, `uncommitted`, `committed`, or the id of a commit. */
export type ScopeName = string;

export function scopeQuery(scope: ScopeName): Pick<DiffQuery, 'what' | 'commit'> {
  if (scope === 'all') return {};
  return scope === 'uncommitted' || scope === 'committed' ? { what: scope } : { commit: scope };
}

interface ScopeProps {
  commits: CommitView[];
  /** Files that no commit holds; nothing while that is not counted. */
  uncommitted: number | undefined;
  value: ScopeName;
  onChange: (scope: ScopeName) => void;
}

export function Scope(props: ScopeProps) {
  return (
    <Select class="input scope" aria-label={t().review.scope} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
      <option value="all">{t().review.scopes.all}</option>
      <option value="uncommitted" disabled={props.uncommitted === 0 && props.value !== 'uncommitted'}>
        {t().review.scopes.uncommitted(props.uncommitted ?? 0)}
      </option>
      <Show when={props.commits.length > 0}>
        <option value="committed">{t().review.scopes.committed(props.commits.length)}</option>
        <optgroup label={t().review.scopes.one}>
          <For each={props.commits}>
            {(one) => (
              <option value={one.commit} selected={one.commit === props.value}>
                {one.commit.slice(0, 7)} {firstLine(one.subject, 60)}
              </option>
            )}
          </For>
        </optgroup>
      </Show>
    </Select>
  );
}

/** The commits of a task in one repository, read again when `version` changes; none where they cannot be told. */
export function createCommits(task: string, repository: string, version: Accessor<string>): Accessor<CommitView[]> {
  const commits = createAsked(version, () => api.commits(task, repository).then((found) => found?.commits ?? [], () => []));
  return () => commits() ?? [];
}
