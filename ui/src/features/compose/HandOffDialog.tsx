// Handing a task to another agent: which one, and what to say to it.
import { Show, createEffect, createSignal } from 'solid-js';
import { api, messageOf } from '../../api/client';
import type { Task } from '../../api/types';
import { Callout } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { t } from '../../i18n';
import { harnessTitle } from '../../state/harness';
import { sendMessage } from '../../state/outbox';
import { look } from '../../state/tasks';
import { toast } from '../../state/toasts';
import { AgentFields, contenderOf, useAgents, type AgentForm } from './AgentFields';
import './hand.css';

export function HandOffDialog(props: { task: Task; onClose: () => void }) {
  const agents = useAgents();
  const [agent, setAgent] = createSignal<AgentForm>({ harness: '', model: '' });
  const [say, setSay] = createSignal(t().hand.handOff.sayDefault);
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  // The likeliest wish: any agent but the one that has it now.
  createEffect(() => {
    const [first] = agents().filter((one) => one.name !== props.task.spec.harness);
    if (agent().harness === '') setAgent({ harness: first?.name ?? agents()[0]?.name ?? '', model: '' });
  });
  const go = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await api.handOff(props.task.task_id, { to: contenderOf(agent()) });
      toast(t().hand.handOff.done(harnessTitle(agent().harness)));
      const text = say().trim();
      if (text !== '') await sendMessage(props.task.task_id, text);
      look(props.task.task_id);
      props.onClose();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const words = (): ReturnType<typeof t>['hand']['handOff'] => t().hand.handOff;
  return (
    <Dialog
      title={words().title}
      closeLabel={t().app.close}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={() => props.onClose()}>{t().app.cancel}</Button>
          <Button look="main" disabled={busy() || agent().harness === ''} onClick={() => void go()}>
            {words().start}
          </Button>
        </>
      }
    >
      <div class="handform">
        <p class="soft">{words().text}</p>
        <AgentFields agents={agents()} value={agent()} onChange={setAgent} />
        <label class="field">
          <span class="label">{words().say}</span>
          <textarea class="input" rows="3" value={say()} onInput={(event) => setSay(event.currentTarget.value)} />
        </label>
        <Show when={problem()}>{(text) => <Callout tone="failure" role="alert">{text()}</Callout>}</Show>
      </div>
    </Dialog>
  );
}
