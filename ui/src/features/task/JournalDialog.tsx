// The journal of a task read from its first line to its last: whether all is well, what is wrong, and what a
// repair would do before it does it.
import { For, Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { JournalCheck, JournalRepair } from '../../api/types';
import { Callout, Failed, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { bytes } from '../../lib/format';
import { messageOf } from '../../lib/message';
import { createAttempt } from '../../state/attempt';

export function JournalDialog(props: { id: string; onClose: () => void }) {
  const id = (): string => props.id;
  const check = createAsked(() => api.checkJournal(id()));
  const plan = createAsked(() => (check()?.findings.length ?? 0) > 0 && id(), (task) => api.repairJournal(task, true));
  const [done, setDone] = createSignal<JournalRepair>();
  const repairing = createAttempt();
  const repair = (): Promise<boolean> =>
    repairing.run(async () => {
      setDone(await api.repairJournal(id(), false));
      check.again();
    });
  const words = (): ReturnType<typeof t>['journal']['check'] => t().journal.check;
  return (
    <Dialog
      title={words().title}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={() => props.onClose()}>{t().app.close}</Button>
          <Show when={!done() && (plan()?.steps.length ?? 0) > 0}>
            <Button look="main" disabled={repairing.busy()} onClick={() => void repair()}>
              {words().repair}
            </Button>
          </Show>
        </>
      }
    >
      <div class="journalcheck">
        <Show when={check.loading && !check()}>
          <p class="faint" role="status">
            {words().reading}
          </p>
        </Show>
        <Failed of={check.error} />
        <Show when={done()}>
          {(made) => (
            <Callout tone="success" icon="check" role="status">
              {made().kept === undefined ? words().doneNothing : words().done(made().kept!)}
            </Callout>
          )}
        </Show>
        <Show when={check()}>{(found) => <Found check={found()} />}</Show>
        <Show when={!done() && plan()}>
          {(shown) => (
            <Show when={shown().steps.length > 0} fallback={<p class="soft">{words().nothing}</p>}>
              <p class="soft">{words().plan}</p>
              <ul>
                <For each={shown().steps}>{(step) => <li>{step}</li>}</For>
              </ul>
            </Show>
          )}
        </Show>
        <Problem text={repairing.problem() ?? (plan.error === undefined ? undefined : messageOf(plan.error))} />
      </div>
    </Dialog>
  );
}

function Found(props: { check: JournalCheck }) {
  const words = (): ReturnType<typeof t>['journal']['check'] => t().journal.check;
  return (
    <>
      <Show
        when={props.check.findings.length > 0}
        fallback={
          <Callout tone="success" icon="check">
            {words().well(props.check.lines, bytes(props.check.text_bytes))}
          </Callout>
        }
      >
        <Callout tone="attention">
          <p>
            <b>{words().found(props.check.findings.length)}</b>
          </p>
          <ul>
            <For each={props.check.findings}>
              {(one) => (
                <li>
                  <Show when={one.line}>{(line) => <span class="faint">{words().line(line())}: </span>}</Show>
                  {one.text}
                </li>
              )}
            </For>
          </ul>
          <Show when={props.check.more}>
            <p>{words().more}</p>
          </Show>
        </Callout>
      </Show>
      <Show when={props.check.artifacts > 0}>
        <p class="faint">{words().artifacts(props.check.artifacts)}</p>
      </Show>
    </>
  );
}
