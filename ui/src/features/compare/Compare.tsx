// What several agents made of one prompt, side by side: how far each is, what it changed, cost and took,
// what the check says; their diffs beside each other; and the choice.
import { A } from '@solidjs/router';
import { For, Index, Show, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js';
import { api } from '../../api/client';
import type { GroupMember } from '../../api/types';
import { Empty, Failed, PlusMinus, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { DiffLines } from '../../components/DiffLines';
import { createColours } from '../../components/diffColours';
import { Field, Input } from '../../components/Field';
import { Icon } from '../../components/Icon';
import { Status } from '../../components/Status';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { parseDiff, type FileDiff } from '../../lib/diff';
import { elapsed } from '../../lib/format';
import { messageOf } from '../../lib/message';
import { createAttempt } from '../../state/attempt';
import { costText, costTitle } from '../../state/cost';
import { harnessTitle } from '../../state/harness';
import { looks } from '../../state/status';
import { changesOf } from '../../state/summary';
import { summary } from '../../state/tasks';
import { wordOf } from '../../state/words';
import './compare.css';

const LOOK_EVERY_MS = 5000;

export function Compare(props: { id: string }) {
  const group = createAsked(() => props.id, (id) => api.group(id));
  const [typed, setTyped] = createSignal<string>();
  /** The check to run: the group's own until another is typed. */
  const check = (): string => typed() ?? group()?.check ?? '';
  const checking = createAttempt();
  const choosing = createAttempt();
  const [picking, setPicking] = createSignal<GroupMember>();
  // What moves a member is told by the stream of all tasks; figures that no list has are looked at again.
  const marks = createMemo(() => (group()?.members ?? []).map((one) => summary(one.task.task_id)?.state_changed_at).join());
  createEffect(on(marks, (_, before) => void (before && group.again())));
  const timer = setInterval(() => document.visibilityState === 'visible' && group.again(), LOOK_EVERY_MS);
  onCleanup(() => clearInterval(timer));
  const run = (): Promise<boolean> =>
    checking.run(async () => {
      const checks = await api.checkGroup(props.id, check().trim() === '' ? undefined : check());
      group.again();
      const failed = checks.items.find((one) => one.error !== undefined);
      if (failed) throw new Error(failed.error);
    });
  const pick = async (member: GroupMember, purge: boolean): Promise<void> => {
    setPicking(undefined);
    if (await choosing.run(() => api.pick(props.id, member.task.task_id, purge))) group.again();
  };
  const words = (): ReturnType<typeof t>['hand']['group'] => t().hand.group;
  return (
    <main id="main" class="main" tabindex="-1">
      <Show when={!group.error} fallback={<Empty main title={words().none} text={messageOf(group.error)} />}>
        <div class="pagehead">
          <h1 class="truncate">{group()?.title ?? words().title}</h1>
        </div>
        <div class="scroll compare" tabindex="0" role="region" aria-label={words().title}>
          <form class="comparecheck" onSubmit={(event) => (event.preventDefault(), void run())}>
            <Field label={words().check} hint={words().checkHint}>
              {(ids) => <Input {...ids} class="code" placeholder={words().checkPlaceholder} value={check()} onInput={(event) => setTyped(event.currentTarget.value)} />}
            </Field>
            <Button type="submit" icon="check" disabled={checking.busy() || (check().trim() === '' && !group()?.check)}>
              {checking.busy() ? words().checking : words().runCheck}
            </Button>
          </form>
          <Problem text={checking.problem() ?? choosing.problem()} />
          <div class="comparegrid">
            <Index each={group()?.members ?? []}>{(member) => <Member member={member()} chosen={group()?.winner === member().task.task_id} onPick={() => setPicking(member())} />}</Index>
          </div>
        </div>
      </Show>
      <Show when={picking()}>
        {(member) => (
          <Dialog
            title={words().pickTitle}
            onClose={() => setPicking(undefined)}
            actions={
              <>
                <Button look="danger" onClick={() => void pick(member(), true)}>
                  {words().purgeOthers}
                </Button>
                <Button look="main" onClick={() => void pick(member(), false)}>
                  {words().keepOthers}
                </Button>
              </>
            }
          >
            <p>
              <b>{agentOf(member())}</b>
            </p>
            <p class="soft">{words().pickText}</p>
          </Dialog>
        )}
      </Show>
    </main>
  );
}

function agentOf(member: GroupMember): string {
  return [harnessTitle(member.harness), member.requested_model ?? member.task.model].filter(Boolean).join(' · ');
}

function Member(props: { member: GroupMember; chosen: boolean; onPick: () => void }) {
  const words = (): ReturnType<typeof t>['hand']['group'] => t().hand.group;
  const task = (): GroupMember['task'] => summary(props.member.task.task_id) ?? props.member.task;
  const look = createMemo(() => looks(task()));
  const sum = createMemo(() => changesOf(task()));
  const verdict = (): string => {
    const check = props.member.check;
    if (!check) return words().unchecked;
    if (check.exit_code === 0) return words().passed;
    return check.exit_code === undefined ? words().notEnded : words().exit(check.exit_code);
  };
  return (
    <section class="member" data-chosen={props.chosen ? '' : undefined} aria-label={agentOf(props.member)}>
      <header>
        <h2>
          <A href={`/tasks/${task().task_id}`} title={words().openTask}>
            {agentOf(props.member)}
          </A>
        </h2>
        <Show when={props.chosen} fallback={<Button onClick={() => props.onPick()}>{words().pick}</Button>}>
          <span class="chosen">✓ {words().chosen}</span>
        </Show>
      </header>
      <dl class="memberfacts">
        <dt>{words().state}</dt>
        <dd>
          <Status tone={look().tone} shape={look().shape} word={wordOf(task())} />
        </dd>
        <dt>{words().changes}</dt>
        <dd>
          <PlusMinus added={sum().added} removed={sum().removed} />
        </dd>
        <dt>{words().cost}</dt>
        <dd class="numbers">
          <Show when={task().usage.cost} fallback="–">
            {(cost) => <span title={costTitle(cost())}>{costText(cost())}</span>}
          </Show>
        </dd>
        <dt>{words().worked}</dt>
        <dd class="numbers">{elapsed(props.member.worked_ms)}</dd>
        <dt>{words().calls}</dt>
        <dd class="numbers">{props.member.tool_calls}</dd>
        <dt>{words().check}</dt>
        <dd data-tone={props.member.check ? (props.member.check.exit_code === 0 ? 'success' : 'failure') : undefined}>{verdict()}</dd>
      </dl>
      <Show when={props.member.check && props.member.check.exit_code !== 0 ? props.member.check.output : ''}>
        {(output) => <pre class="checkoutput code">{output()}</pre>}
      </Show>
      <MemberDiff id={task().task_id} mark={`${sum().files} ${sum().added} ${sum().removed}`} />
    </section>
  );
}

/** What the member changed; asked again when its figures change. */
function MemberDiff(props: { id: string; mark: string }) {
  const diff = createAsked(
    () => `${props.id} ${props.mark}`,
    async () => (props.mark === '0 0 0' ? '' : api.diff(props.id, {})),
  );
  const files = createMemo(() => parseDiff(diff() ?? ''));
  return (
    <div class="memberdiff">
      <Failed of={diff.error} what={t().review.loadFailed} />
      <For each={files()} fallback={<p class="faint">{diff() === '' && t().hand.group.noDiff}</p>}>
        {(file) => <OneFile file={file} open={files().length <= 3} />}
      </For>
    </div>
  );
}

/** One file; what is closed is not drawn. */
function OneFile(props: { file: FileDiff; open: boolean }) {
  const [open, setOpen] = createSignal(props.open);
  return (
    <details open={open()} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="right" />
        <span class="code truncate" title={props.file.path}>
          {props.file.path}
        </span>
        <PlusMinus added={props.file.added} removed={props.file.removed} />
      </summary>
      <Show when={open()}>
        <Coloured file={props.file} />
      </Show>
    </details>
  );
}

function Coloured(props: { file: FileDiff }) {
  const colours = createColours(() => props.file);
  return <DiffLines hunks={props.file.hunks} colours={colours()} gapTitle={t().review.hunk} label={props.file.path} />;
}
