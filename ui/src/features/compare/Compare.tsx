// What several agents made of one prompt, side by side: how far each is, what it changed, cost and took,
// what the check says; their diffs beside each other; and the choice.
import { A } from '@solidjs/router';
import { For, Index, Show, createEffect, createMemo, createResource, createSignal, onCleanup } from 'solid-js';
import { api, messageOf } from '../../api/client';
import type { GroupMember, GroupView } from '../../api/types';
import { Callout, Empty, PlusMinus } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { DiffLines } from '../../components/DiffLines';
import { Input } from '../../components/Field';
import { Status } from '../../components/Status';
import { t } from '../../i18n';
import { parseDiff } from '../../lib/diff';
import { elapsed, money } from '../../lib/format';
import { harnessTitle } from '../../state/harness';
import { looks } from '../../state/status';
import { summary } from '../../state/tasks';
import { wordOf } from '../../state/words';
import './compare.css';

const LOOK_EVERY_MS = 5000;

export function Compare(props: { id: string }) {
  const [group, { mutate, refetch }] = createResource(() => props.id, (id) => api.group(id));
  const [check, setCheck] = createSignal('');
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<string>();
  const [picking, setPicking] = createSignal<GroupMember>();
  createEffect(() => {
    const own = group()?.check;
    if (own && check() === '') setCheck(own);
  });
  // What moves a member is told by the stream of all tasks; figures that no list has are looked at again.
  const marks = createMemo(() => (group()?.members ?? []).map((one) => summary(one.task.task_id)?.state_changed_at).join());
  createEffect(() => {
    if (marks() !== '') void refetch();
  });
  const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), LOOK_EVERY_MS);
  onCleanup(() => clearInterval(timer));
  const run = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const checks = await api.checkGroup(props.id, check().trim() === '' ? undefined : check());
      const failed = checks.items.find((one) => one.error !== undefined);
      if (failed) setProblem(failed.error);
      await refetch();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const pick = async (member: GroupMember, purge: boolean): Promise<void> => {
    setPicking(undefined);
    try {
      mutate(await api.pick(props.id, member.task.task_id, purge));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const words = (): ReturnType<typeof t>['hand']['group'] => t().hand.group;
  return (
    <main id="main" class="main" tabindex="-1">
      <Show when={!group.error} fallback={<Empty main title={words().none} text={messageOf(group.error)} />}>
        <div class="pagehead">
          <h1 class="truncate">{group.latest?.title ?? words().title}</h1>
          <span class="spring" />
          <form class="comparecheck" onSubmit={(event) => (event.preventDefault(), void run())}>
            <Input class="code" aria-label={words().check} title={words().checkHint} placeholder={words().checkPlaceholder} value={check()} onInput={(event) => setCheck(event.currentTarget.value)} />
            <Button type="submit" icon="check" disabled={busy() || (check().trim() === '' && !group.latest?.check)}>
              {busy() ? words().checking : words().runCheck}
            </Button>
          </form>
        </div>
        <div class="scroll compare" tabindex="0" role="region" aria-label={words().title}>
          <Show when={problem()}>{(text) => <Callout tone="failure" role="alert">{text()}</Callout>}</Show>
          <div class="comparegrid">
            <Index each={group.latest?.members ?? []}>{(member) => <Member member={member()} group={group.latest!} onPick={() => setPicking(member())} />}</Index>
          </div>
        </div>
      </Show>
      <Show when={picking()}>
        {(member) => (
          <Dialog
            title={words().pickTitle}
            closeLabel={t().app.close}
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

function Member(props: { member: GroupMember; group: GroupView; onPick: () => void }) {
  const words = (): ReturnType<typeof t>['hand']['group'] => t().hand.group;
  const task = (): GroupMember['task'] => summary(props.member.task.task_id) ?? props.member.task;
  const look = createMemo(() => looks(task()));
  const sum = createMemo(() => task().repositories.reduce((all, one) => ({ files: all.files + one.files, added: all.added + one.added, removed: all.removed + one.removed }), { files: 0, added: 0, removed: 0 }));
  const verdict = (): string => {
    const check = props.member.check;
    if (!check) return words().unchecked;
    if (check.exit_code === 0) return words().passed;
    return check.exit_code === undefined ? words().notEnded : words().exit(check.exit_code);
  };
  const chosen = (): boolean => props.group.winner === props.member.task.task_id;
  return (
    <section class="member" data-chosen={chosen() ? '' : undefined} aria-label={agentOf(props.member)}>
      <header>
        <h2>
          <A href={`/tasks/${task().task_id}`} title={words().openTask}>
            {agentOf(props.member)}
          </A>
        </h2>
        <Show when={chosen()} fallback={<Button onClick={() => props.onPick()}>{words().pick}</Button>}>
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
            {(cost) => <span title={t().task[cost().source]}>{`${cost().source === 'estimated' ? '≈ ' : ''}${money(cost().usd)}`}</span>}
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
  const [diff] = createResource(
    () => ({ id: props.id, mark: props.mark }),
    ({ id, mark }) => (mark === '0 0 0' ? '' : api.diff(id, {}).catch(() => '')),
  );
  const files = createMemo(() => parseDiff(diff.latest ?? ''));
  return (
    <div class="memberdiff">
      <For each={files()} fallback={<p class="faint">{t().hand.group.noDiff}</p>}>
        {(file) => (
          <details open={files().length <= 3}>
            <summary class="code truncate">{file.path}</summary>
            <DiffLines hunks={file.hunks} gapTitle={t().review.hunk} label={file.path} />
          </details>
        )}
      </For>
    </div>
  );
}
