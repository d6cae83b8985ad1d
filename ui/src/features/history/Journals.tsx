// Every journal on the disk, also of tasks that are not listed any more: how large it is, whether it is whole, and
// what can be done with it.
import { A } from '@solidjs/router';
import { For, Match, Show, Switch, createEffect, createMemo, createSignal, on } from 'solid-js';
import { api } from '../../api/client';
import type { JournalFile, TaskSummary } from '../../api/types';
import { Callout, Empty, Failed } from '../../components/Bits';
import { Button, IconButton } from '../../components/Button';
import { Input, Segments } from '../../components/Field';
import { Menu, type MenuItem } from '../../components/Menu';
import { Status } from '../../components/Status';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { bytes } from '../../lib/format';
import { looks } from '../../state/status';
import { askArchive, summary } from '../../state/tasks';
import { wordOf } from '../../state/words';
import { createChecks, type Checks } from './checks';
import './history.css';

/** Rows that are shown at first, and with each wish for more. */
const ROWS = 200;
type Order = 'new' | 'large';
type Words = ReturnType<typeof t>['history']['journals'];

/** A journal with its task, where that is listed. */
interface Kept {
  file: JournalFile;
  task: TaskSummary | undefined;
}

const nameOf = ({ file, task }: Kept): string => task?.title ?? file.task_id;

/** `onLook` shows the findings of one journal; `looked` is whether that is shown now. */
export function Journals(props: { onLook: (id: string) => void; looked: boolean }) {
  const journals = createAsked(() => api.journals());
  const checks = createChecks();
  // Tasks in the archive have names too.
  void askArchive();
  const [words, setWords] = createSignal('');
  const [order, setOrder] = createSignal<Order>('new');
  const [shown, setShown] = createSignal(ROWS);
  // What was repaired is another file now.
  createEffect(on(() => props.looked, (now, before) => void (before && !now && journals.again()), { defer: true }));
  const all = createMemo((): Kept[] => (journals() ?? []).map((file) => ({ file, task: summary(file.task_id) })));
  const matching = createMemo(() => {
    const wanted = words().toLowerCase().split(/\s+/);
    const found = all().filter((one) => wanted.every((word) => `${nameOf(one)} ${one.file.task_id} ${one.task ? wordOf(one.task) : ''}`.toLowerCase().includes(word)));
    const newest = ({ task }: Kept): string => task?.updated_at ?? '';
    return found.sort((a, b) => (order() === 'large' ? b.file.file_bytes - a.file.file_bytes : newest(b).localeCompare(newest(a)) || b.file.task_id.localeCompare(a.file.task_id)));
  });
  const size = (): number => all().reduce((sum, { file }) => sum + file.file_bytes, 0);
  const say = (): Words => t().history.journals;
  return (
    <>
      <Failed of={journals.error} />
      <Show when={all().length > 0} fallback={<Show when={journals()}><None /></Show>}>
        <div class="historybar">
          <Input type="search" class="historyfilter" aria-label={say().filter} placeholder={say().filter} value={words()} onInput={(event) => setWords(event.currentTarget.value)} />
          <Segments label={say().sort} hideLabel options={[{ value: 'new' as Order, label: say().sortNew }, { value: 'large', label: say().sortLarge }]} value={order()} onChange={setOrder} />
          <span class="spring" />
          <CheckAll checks={checks} ids={matching().map(({ file }) => file.task_id)} all={words().trim() === ''} />
        </div>
        <div class="scroll listtable historytable" tabindex="0" role="region" aria-label={say().title}>
          <p class="faint historyhint">
            <span class="numbers">{say().sum(all().length, bytes(size()))}</span> · {say().hint}
          </p>
          <Verdict checks={checks} />
          <Show when={matching().length > 0} fallback={<Empty title={say().noMatch} />}>
            <table>
              <thead>
                <tr>
                  <th>{say().task}</th>
                  <th class="wide">{say().state}</th>
                  <th class="right wide">{say().events}</th>
                  <th class="right wider">{say().text}</th>
                  <th class="right">{say().disk}</th>
                  <th>{say().check}</th>
                  <th>
                    <span class="unseen">{t().app.more}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                <For each={matching().slice(0, shown())}>{(kept) => <JournalLine kept={kept} checks={checks} onLook={() => props.onLook(kept.file.task_id)} />}</For>
              </tbody>
            </table>
            <Show when={matching().length > shown()}>
              <div class="historymore">
                <Button onClick={() => setShown(shown() + ROWS)}>{say().more}</Button>
              </div>
            </Show>
          </Show>
        </div>
      </Show>
    </>
  );
}

function None() {
  return (
    <Empty title={t().history.journals.none} text={t().history.journals.noneText}>
      <A href="/new" class="button" data-look="main">
        {t().nav.newTask}
      </A>
    </Empty>
  );
}

function CheckAll(props: { checks: Checks; ids: string[]; all: boolean }) {
  const say = (): Words => t().history.journals;
  return (
    <Show
      when={props.checks.under()}
      fallback={
        <Button icon="check" disabled={props.ids.length === 0} onClick={() => void props.checks.run(props.ids)}>
          {props.all ? say().checkAll : say().checkShown(props.ids.length)}
        </Button>
      }
    >
      {(far) => (
        <>
          <span class="faint numbers" role="status">
            {say().checking(far().read, far().of)}
          </span>
          <Button icon="stop" onClick={() => props.checks.stop()}>
            {say().stop}
          </Button>
        </>
      )}
    </Show>
  );
}

/** What all checks came to, when they have. */
function Verdict(props: { checks: Checks }) {
  const sum = createMemo(() => props.checks.outcomes());
  const say = (): Words => t().history.journals;
  return (
    <Show when={!props.checks.under() && sum().well + sum().wrong > 0}>
      <Callout tone={sum().wrong > 0 ? 'attention' : 'success'} icon={sum().wrong > 0 ? 'warning' : 'check'} role="status">
        {sum().wrong > 0 ? say().someWrong(sum().wrong) : say().allWell(sum().well)}
      </Callout>
    </Show>
  );
}

function JournalLine(props: { kept: Kept; checks: Checks; onLook: () => void }) {
  const say = (): Words => t().history.journals;
  const file = (): JournalFile => props.kept.file;
  const save = (): void => void import('../../state/archive').then(({ exportTask }) => exportTask(file().task_id));
  const menu = (): MenuItem[] => [
    { label: say().details, icon: 'check', run: () => props.onLook() },
    { label: t().history.export.action, icon: 'download', run: save },
  ];
  return (
    <tr class="historyline">
      <td class="title">
        <A href={`/tasks/${file().task_id}`} class="truncate" classList={{ code: !props.kept.task }} title={nameOf(props.kept)}>
          {nameOf(props.kept)}
        </A>
      </td>
      <td class="wide">
        <Show when={props.kept.task} fallback={<Status tone="quiet" shape={file().archived ? 'ring' : 'dash'} word={file().archived ? say().archived : say().unlisted} />}>
          {(task) => <Status tone={looks(task()).tone} shape={looks(task()).shape} word={wordOf(task())} />}
        </Show>
      </td>
      <td class="right wide numbers soft">{file().last_seq}</td>
      <td class="right wider numbers soft">{bytes(file().text_bytes)}</td>
      <td class="right numbers soft" title={file().form === 'compressed' ? say().compressed : undefined}>
        {bytes(file().file_bytes)}
      </td>
      <td>
        <Result {...props} />
      </td>
      <td class="right">
        <Menu label={say().actions(nameOf(props.kept))} items={menu()} trigger={(trigger) => <IconButton icon="more" label={say().actions(nameOf(props.kept))} {...trigger} />} />
      </td>
    </tr>
  );
}

/** What the check of one came to; what is wrong leads to the findings. */
function Result(props: { kept: Kept; checks: Checks; onLook: () => void }) {
  const say = (): Words => t().history.journals;
  const id = (): string => props.kept.file.task_id;
  const outcome = (): ReturnType<Checks['of']> => props.checks.of(id());
  const findings = (): number | undefined => {
    const one = outcome();
    return one?.at === 'done' ? one.findings : undefined;
  };
  const why = (): string | undefined => {
    const one = outcome();
    return one?.at === 'failed' ? one.why : undefined;
  };
  return (
    <Switch
      fallback={
        <Show
          when={props.kept.file.damage}
          fallback={
            <Button look="bare" aria-label={say().checkOne(nameOf(props.kept))} onClick={() => void props.checks.run([id()])}>
              {say().check}
            </Button>
          }
        >
          {(damage) => (
            <button type="button" class="finding" title={damage()} onClick={() => props.onLook()}>
              {say().damaged}
            </button>
          )}
        </Show>
      }
    >
      <Match when={outcome()?.at === 'under'}>
        <span class="faint">{say().under}</span>
      </Match>
      <Match when={findings() === 0}>
        <span class="well">✓ {say().well}</span>
      </Match>
      <Match when={(findings() ?? 0) > 0}>
        <button type="button" class="finding" onClick={() => props.onLook()}>
          ✗ {say().wrong(findings() ?? 0)}
        </button>
      </Match>
      <Match when={why()}>
        {(text) => (
          <button type="button" class="finding" title={text()} onClick={() => props.onLook()}>
            {say().notRead}
          </button>
        )}
      </Match>
    </Switch>
  );
}
