// Forking a task: what the fork is to do, whether uncommitted files come along, and with which agent.
import { useNavigate } from '@solidjs/router';
import { Show, createMemo, createSignal } from 'solid-js';
import { api, messageOf } from '../../api/client';
import type { Task } from '../../api/types';
import { Callout } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Checkbox } from '../../components/Field';
import { t } from '../../i18n';
import { newInputId } from '../../lib/ids';
import { harnessTitle } from '../../state/harness';
import { put } from '../../state/tasks';
import { AgentFields, contenderOf, useAgents, type AgentForm } from './AgentFields';
import './hand.css';

export function ForkDialog(props: { task: Task; onClose: () => void }) {
  const navigate = useNavigate();
  const agents = useAgents();
  const [prompt, setPrompt] = createSignal('');
  const [uncommitted, setUncommitted] = createSignal(true);
  const [agent, setAgent] = createSignal<AgentForm>({ harness: '', model: '' });
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  // Trying again after an answer that got lost makes no second fork.
  const key = newInputId();
  const loose = createMemo(() => props.task.repositories.reduce((sum, one) => sum + one.diff.uncommitted, 0));
  const go = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const other = agent().harness === '' ? {} : { with: contenderOf(agent()) };
      const fork = await api.fork(props.task.task_id, { prompt: prompt(), uncommitted: uncommitted(), ...other, request_key: key });
      put(fork);
      props.onClose();
      navigate(`/tasks/${fork.task_id}`);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const words = (): ReturnType<typeof t>['hand']['fork'] => t().hand.fork;
  return (
    <Dialog
      title={words().title}
      closeLabel={t().app.close}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={() => props.onClose()}>{t().app.cancel}</Button>
          <Button look="main" icon="fork" disabled={busy() || prompt().trim() === ''} onClick={() => void go()}>
            {words().start}
          </Button>
        </>
      }
    >
      <div class="handform">
        <p class="soft">{words().text}</p>
        <label class="field">
          <span class="label">{words().prompt}</span>
          <textarea autofocus class="input" rows="4" value={prompt()} onInput={(event) => setPrompt(event.currentTarget.value)} />
        </label>
        <Show when={loose() > 0}>
          <Checkbox label={words().uncommitted} checked={uncommitted()} onChange={setUncommitted} />
        </Show>
        <AgentFields agents={agents()} value={agent()} none={words().same(harnessTitle(props.task.spec.harness))} onChange={setAgent} />
        <Show when={problem()}>{(text) => <Callout tone="failure" role="alert">{text()}</Callout>}</Show>
      </div>
    </Dialog>
  );
}
