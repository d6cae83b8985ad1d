// Bringing commits out: where to, what a squash would meet, what the scan holds back, what came of it.
import { For, Match, Show, Switch, createSignal } from 'solid-js';
import { api } from '../../api/client';
import { ApiError } from '../../api/error';
import type { RepositoryFinding, SyncReport, SyncRequest, Task } from '../../api/types';
import { Callout, Failed, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field, Input, Segments } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { basename } from '../../lib/format';
import { messageOf } from '../../lib/message';
import { look } from '../../state/tasks';
import { FindingList } from './FindingList';

type Target = SyncRequest['target'];
const TARGETS: readonly Target[] = ['branch', 'default', 'local'];

export function SyncDialog(props: { task: Task; onClose: () => void }) {
  const [target, setTarget] = createSignal<Target>('branch');
  const [remote, setRemote] = createSignal('');
  const [message, setMessage] = createSignal('');
  const [findings, setFindings] = createSignal<RepositoryFinding[]>([]);
  const [allowed, setAllowed] = createSignal<string[]>([]);
  const [problem, setProblem] = createSignal<string>();
  const [report, setReport] = createSignal<SyncReport>();
  const [busy, setBusy] = createSignal(false);
  const squash = createAsked(
    () => target() === 'default',
    () => api.squashPreview(props.task.task_id),
  );
  const sync = async (): Promise<void> => {
    if (busy()) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const text = (name: string, value: string): Record<string, string> => (value.trim() === '' ? {} : { [name]: value.trim() });
      const request: SyncRequest = { target: target(), allow: allowed(), ...text('remote', remote()), ...(target() === 'default' ? text('message', message()) : {}) };
      setReport(await api.sync(props.task.task_id, request));
      look(props.task.task_id);
    } catch (error) {
      const held = error instanceof ApiError && error.code === 'findings' ? (error.details as { findings?: RepositoryFinding[] } | null)?.findings : undefined;
      setFindings(held ?? []);
      if (!held) setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const allow = (id: string, is: boolean): void => void setAllowed((all) => (is ? [...all, id] : all.filter((one) => one !== id)));
  const held = (): boolean => findings().some((one) => !allowed().includes(one.id));
  return (
    <Dialog
      title={t().review.syncTitle}
      wide
      onClose={props.onClose}
      actions={
        <Show when={!report()} fallback={<Button look="main" onClick={() => props.onClose()}>{t().app.close}</Button>}>
          <Button onClick={() => props.onClose()}>{t().app.cancel}</Button>
          <Button look="main" disabled={busy() || (findings().length > 0 && held())} onClick={() => void sync()}>
            {busy() ? t().review.syncing : findings().length > 0 ? t().review.syncAllowed : t().review.syncDo}
          </Button>
        </Show>
      }
    >
      <Switch>
        <Match when={report()}>{(done) => <Report report={done()} />}</Match>
        <Match when={true}>
          <div class="dialogform">
            <Segments label={t().review.syncTarget} hint={t().review.targetHints[target()]} options={TARGETS.map((value) => ({ value, label: t().review.targets[value] }))} value={target()} onChange={setTarget} />
            <Show when={target() !== 'local'}>
              <Field label={t().review.remote}>{(ids) => <Input {...ids} class="code" placeholder="origin" value={remote()} onInput={(event) => setRemote(event.currentTarget.value)} />}</Field>
            </Show>
            <Show when={target() === 'default'}>
              <Field label={t().review.squashMessage}>{(ids) => <textarea {...ids} class="input" rows="3" placeholder={props.task.title} value={message()} onInput={(event) => setMessage(event.currentTarget.value)} />}</Field>
              <Failed of={squash.error} />
              <For each={squash()}>
                {(one) => (
                  <Show when={one.conflicts.length > 0} fallback={<p class="soft">{t().review.squashFine(one.onto)}</p>}>
                    <Callout tone="attention">
                      <p>{t().review.squashConflicts(one.conflicts.length, one.onto)}</p>
                      <ul>
                        <For each={one.conflicts}>{(path) => <li class="code">{path}</li>}</For>
                      </ul>
                    </Callout>
                  </Show>
                )}
              </For>
            </Show>
            <FindingList findings={findings()} allowed={allowed()} onAllow={allow} />
            <Problem text={problem()} />
          </div>
        </Match>
      </Switch>
    </Dialog>
  );
}

function Report(props: { report: SyncReport }) {
  return (
    <ul role="list" class="syncreport">
      <For each={props.report.repositories}>
        {(one) => (
          <li>
            <p>
              <b>{basename(one.path)}</b> <code>{one.branch}</code> <code class="faint">{one.commit.slice(0, 7)}</code>
            </p>
            <p class="soft">
              {[one.brought_out > 0 || !one.pushed_to ? t().review.broughtOut(one.brought_out) : '', one.pushed_to ? t().task.aside.pushed(one.pushed_to) : ''].filter(Boolean).join('. ')}
            </p>
            <Show when={one.note}>{(note) => <p class="soft">{note()}</p>}</Show>
          </li>
        )}
      </For>
    </ul>
  );
}
