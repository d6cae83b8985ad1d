// Forking a task: what the fork is to do, whether uncommitted files come along, and with which agent.
import { useNavigate } from '@solidjs/router';
import { Show, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Task } from '../../api/types';
import { Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Checkbox } from '../../components/Field';
import { Unread } from '../../components/Unread';
import { t } from '../../i18n';
import { newInputId } from '../../lib/ids';
import { createAttempt } from '../../state/attempt';
import { harnessTitle } from '../../state/harness';
import { isCounted } from '../../state/status';
import { put } from '../../state/tasks';
import { AgentFields, useAgents } from './AgentFields';
import { contenderOf, type AgentForm } from './form';
import './hand.css';

export function ForkDialog(props: { task: Task; onClose: () => void }) {
  const navigate = useNavigate();
  const { agents, asked } = useAgents();
  const [prompt, setPrompt] = createSignal('');
  const [uncommitted, setUncommitted] = createSignal(true);
  const [agent, setAgent] = createSignal<AgentForm>({ harness: '', model: '' });
  const forking = createAttempt();
  // Trying again after an answer that got lost makes no second fork.
  const key = newInputId();
  /** Whether there may be files that no commit holds. */
  const loose = createMemo(() => props.task.repositories.some((one) => one.diff.uncommitted > 0 || !isCounted(props.task, one.diff)));
  const go = (): Promise<boolean> =>
    forking.run(async () => {
      const other = agent().harness === '' ? {} : { with: contenderOf(agent()) };
      const fork = await api.fork(props.task.task_id, { prompt: prompt(), uncommitted: uncommitted(), ...other, request_key: key });
      put(fork);
      props.onClose();
      navigate(`/tasks/${fork.task_id}`);
    });
  const words = (): ReturnType<typeof t>['hand']['fork'] => t().hand.fork;
  return (
    <Dialog
      title={words().title}
      onClose={props.onClose}
      act={
        <Button look="main" icon="fork" disabled={forking.busy() || prompt().trim() === ''} onClick={() => void go()}>
          {words().start}
        </Button>
      }
    >
      <div class="handform">
        <p class="soft">{words().text}</p>
        <label class="field">
          <span class="label">{words().prompt}</span>
          <textarea autofocus class="input" rows="4" value={prompt()} onInput={(event) => setPrompt(event.currentTarget.value)} />
        </label>
        <Show when={loose()}>
          <Checkbox label={words().uncommitted} checked={uncommitted()} onChange={setUncommitted} />
        </Show>
        <Unread list={asked} what={t().hosts.harnesses} />
        <AgentFields agents={agents()} value={agent()} none={words().same(harnessTitle(props.task.spec.harness))} onChange={setAgent} />
        <Problem text={forking.problem()} />
      </div>
    </Dialog>
  );
}
