// Tasks as a table, with what one compares them by: those at hand, or those in the archive. A filter narrows them; how
// they are grouped and sorted is chosen above.
import { A, useSearchParams } from '@solidjs/router';
import { For, Show, createComputed, createEffect, createMemo, createSignal, on } from 'solid-js';
import type { TaskSummary } from '../../api/types';
import { Empty, Failed } from '../../components/Bits';
import { Button } from '../../components/Button';
import { t } from '../../i18n';
import { useCommands } from '../../lib/commands';
import { basename } from '../../lib/format';
import { archive, putAside, unarchive } from '../../state/actions';
import { harnessTitle } from '../../state/harness';
import { GROUPINGS, SORTS, after, arrange, layout, sections, sortBy, type Grouping, type Sort } from '../../state/home';
import type { Group } from '../../state/status';
import { allTasks, archiveState, archivedTasks, askArchive, ground, loaded, summary } from '../../state/tasks';
import { wordOf } from '../../state/words';
import { LayoutFields } from './LayoutFields';
import { TaskLine } from './TaskLine';
import './tasks.css';

export function TaskTable() {
  const [words, setWords] = createSignal('');
  const [params] = useSearchParams();
  const shelf = (): boolean => params['archive'] !== undefined;
  let input!: HTMLInputElement;
  createEffect(() => shelf() && void askArchive());
  const all = createMemo(() => (shelf() ? archivedTasks() : allTasks()));
  const shown = createMemo(() => all().filter((one) => matches(one, words())));
  // What is archived needs nobody: by need, it is one list.
  const groups = createMemo(() => new Map(sections(shown(), layout(), shelf()).map(({ name, tasks }) => [name, tasks])));
  keepFocus(groups);
  const hosts = createMemo(() => new Set(all().map((one) => one.host)).size > 1);
  const done = createMemo(() => (shelf() ? [] : shown().filter((one) => !one.needs_me && one.allowed.includes('archive'))));
  useCommands(() => [
    { id: 'filter', title: t().nav.filter, group: t().keys.go, run: () => input.focus() },
    { id: 'row-next', title: t().home.go.next, group: t().nav.tasks, run: () => focusRow(1) },
    { id: 'row-previous', title: t().home.go.previous, group: t().nav.tasks, run: () => focusRow(-1) },
    { id: 'put-aside', title: t().home.aside.hint, group: t().nav.tasks, run: () => onRow('put_aside', putAside) },
    { id: 'archive', title: t().home.archive.action, group: t().nav.tasks, run: () => onRow('archive', (one) => archive([one])) },
    { id: 'unarchive', title: t().home.archive.back, group: t().nav.tasks, run: () => onRow('unarchive', (one) => unarchive([one.task_id])) },
    ...(done().length > 0 ? [{ id: 'archive-done', title: t().home.archive.all(done().length), group: t().nav.tasks, run: () => void archive(done()) }] : []),
    { id: 'group', title: t().home.group.next, group: t().nav.tasks, hidden: true, run: () => arrange({ group: after(GROUPINGS, layout().group) }) },
    { id: 'sort', title: t().home.sort.next, group: t().nav.tasks, hidden: true, run: () => arrange({ sort: after(SORTS, layout().sort), turned: false }) },
    ...GROUPINGS.map((one) => ({ id: `group-${one}`, title: `${t().home.group.label}: ${t().home.group[one]}`, group: t().nav.tasks, run: () => arrange({ group: one }) })),
    ...SORTS.map((one) => ({ id: `sort-${one}`, title: `${t().home.sort.label}: ${t().home.sort[one]}`, group: t().nav.tasks, run: () => sortBy(one) })),
  ]);
  return (
    <main id="main" class="main" tabindex="-1">
      <div class="pagehead taskshead">
        <h1>{shelf() ? t().home.archive.title : t().tasks.title}</h1>
        <span class="count">{all().length}</span>
        <span class="spring" />
        <Show when={done().length > 0}>
          <Button icon="archive" look="bare" onClick={() => void archive(done())}>
            {t().home.archive.all(done().length)}
          </Button>
        </Show>
        <A href={shelf() ? '/tasks' : '/tasks?archive'} class="button" data-look="bare">
          {shelf() ? t().home.archive.leave : t().home.archive.title}
        </A>
      </div>
      <div class="tasktools">
        <input ref={input} class="input tasksfilter" type="search" aria-label={t().nav.filter} placeholder={t().nav.filter} value={words()} onInput={(event) => setWords(event.currentTarget.value)} onKeyDown={(event) => event.key === 'Escape' && input.blur()} />
        <LayoutFields />
      </div>
      <Show when={shelf() || all().length === 0}>
        <ArchiveFailed />
      </Show>
      <Show when={loaded()}>
        <Show when={groups().size > 0} fallback={<None shelf={shelf()} filtered={words() !== ''} />}>
          <div class="scroll listtable tasktable" tabindex="0" role="region" aria-label={shelf() ? t().home.archive.title : t().tasks.title}>
            <table data-hosts={hosts() ? '' : undefined}>
              <thead>
                <tr>
                  <th>{t().tasks.task}</th>
                  <th class="statecell">{t().tasks.state}</th>
                  <th class="wide">{t().tasks.branch}</th>
                  <th class="wide">{t().tasks.harness}</th>
                  <Show when={hosts()}>
                    <th class="wide">{t().home.host}</th>
                  </Show>
                  <th class="right wider">{t().box.use.cpu}</th>
                  <th class="right wider">{t().box.use.memory}</th>
                  <Sorted by="diff" class="some" label={t().tasks.changes} />
                  <Sorted by="cost" class="wide" label={t().tasks.cost} />
                  <Sorted by="changed" label={t().tasks.age} />
                  <th class="rowact" aria-label={t().task.actions} />
                </tr>
              </thead>
              {/* By their names, which stay the same: what changes in a group leaves its rows where they are. */}
              <For each={[...groups().keys()]}>
                {(name) => (
                  <tbody>
                    <tr class="grouprow" hidden={shelf() && layout().group === 'need'}>
                      <th colspan="11" scope="rowgroup">
                        <span title={name}>{titleOf(name, layout().group)}</span> <span class="count">{groups().get(name)?.length}</span>
                      </th>
                    </tr>
                    <For each={groups().get(name)}>{(task) => <TaskLine task={task} hosts={hosts()} />}</For>
                  </tbody>
                )}
              </For>
            </table>
          </div>
        </Show>
      </Show>
    </main>
  );
}

function matches(task: TaskSummary, words: string): boolean {
  const text = [task.title, task.harness, task.host, task.model, wordOf(task), ...task.repositories.flatMap((one) => [one.path, one.branch])].join(' ').toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** What a group is called. */
function titleOf(name: string, group: Grouping): string {
  if (group === 'need') return t().group[name as Group];
  if (group === 'harness') return harnessTitle(name);
  if (group === 'repository') return name === '' ? t().home.group.none : basename(name);
  return name;
}

/** A column by which one sorts: pressed again, it turns the order round. */
function Sorted(props: { by: Sort; label: string; class?: string }) {
  const way = (): 'none' | 'ascending' | 'descending' => {
    if (layout().sort !== props.by) return 'none';
    return layout().turned ? 'ascending' : 'descending';
  };
  return (
    <th class={`right ${props.class ?? ''}`} aria-sort={way()}>
      <button type="button" class="sorter" onClick={() => sortBy(props.by)}>
        {props.label}
        <span class="sortmark" aria-hidden="true">
          {way() === 'none' ? '' : way() === 'descending' ? '↓' : '↑'}
        </span>
      </button>
    </th>
  );
}

function ArchiveFailed() {
  const why = (): unknown => {
    const now = archiveState();
    return now.at === 'failed' ? now.why : undefined;
  };
  return (
    <Show when={why()}>
      <div class="tasktools">
        <Failed of={why()} what={t().home.archive.failed} />
        <Button onClick={() => void askArchive()}>{t().app.retry}</Button>
      </div>
    </Show>
  );
}

/** Nothing is said to be empty before that is known. */
function None(props: { shelf: boolean; filtered: boolean }) {
  const title = (): string | undefined => {
    if (props.filtered) return t().nav.noMatch;
    if (archiveState().at === 'asked') return t().app.loading;
    if (archiveState().at === 'failed') return undefined;
    if (props.shelf) return t().home.archive.empty;
    return ground() === 'new' ? t().tasks.empty : t().home.archive.holdsAll;
  };
  return (
    <Show when={title()}>
      {(words) => (
        <Empty title={words()} {...(words() === t().home.archive.empty ? { text: t().home.archive.emptyText } : {})}>
          <Show when={!props.shelf}>
            <A href="/new" class="button" data-look="main">
              {t().nav.newTask}
            </A>
          </Show>
        </Empty>
      )}
    </Show>
  );
}

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.taskline .title a')];
const linkOf = (id: string): HTMLElement | null => document.querySelector(`.taskline[data-task="${CSS.escape(id)}"] .title a`);
const rowOf = (element: Element | null): HTMLElement | null => element?.closest<HTMLElement>('.taskline') ?? null;

/** A row that moves loses the focus: it gets it back, unless somebody else has it by then. */
function keepFocus(groups: () => unknown): void {
  let held: Element | null = null;
  createComputed(on(groups, () => (held = document.activeElement)));
  createEffect(
    on(groups, () => {
      const id = rowOf(held)?.dataset['task'];
      if (id === undefined || (document.activeElement ?? document.body) !== document.body) return;
      const there = held?.isConnected ? held : linkOf(id);
      (there as HTMLElement | null)?.focus({ preventScroll: true });
    }),
  );
}

function focusRow(by: number): void {
  const all = links();
  const here = rowOf(document.activeElement);
  const at = all.findIndex((one) => rowOf(one) === here);
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.max(0, Math.min(all.length - 1, at + by))];
  next?.focus();
}

/** Does something to the task whose row has the focus, which goes to the next one where the row leaves. */
function onRow(action: TaskSummary['allowed'][number], run: (task: TaskSummary) => unknown): void {
  const here = rowOf(document.activeElement);
  const one = summary(here?.dataset['task'] ?? '');
  if (!here || !one?.allowed.includes(action)) return;
  const all = links();
  const at = all.findIndex((link) => rowOf(link) === here);
  const next = rowOf(all[at + 1] ?? all[at - 1] ?? null)?.dataset['task'];
  void run(one);
  queueMicrotask(() => linkOf(next ?? '')?.focus());
}
