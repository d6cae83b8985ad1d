// Handing a task to another agent: which one, and what to say to it.
import { createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Task } from '../../api/types';
import { Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Unread } from '../../components/Unread';
import { t } from '../../i18n';
import { createAttempt } from '../../state/attempt';
import { harnessTitle } from '../../state/harness';
import { sendMessage } from '../../state/outbox';
import { look } from '../../state/tasks';
import { toast } from '../../state/toasts';
import { AgentFields, useAgents } from './AgentFields';
import { contenderOf, type AgentForm } from './form';
import './hand.css';

export function HandOffDialog(props: { task: Task; onClose: () => void }) {
  const { agents, asked } = useAgents();
  const [chosen, setChosen] = createSignal<AgentForm>();
  const [say, setSay] = createSignal(t().hand.handOff.sayDefault);
  const handing = createAttempt();
  /** Until one is chosen the likeliest wish: any agent but the one that has it now. */
  const agent = (): AgentForm => {
    const likely = agents().find((one) => one.name !== props.task.spec.harness) ?? agents()[0];
    return chosen() ?? { harness: likely?.name ?? '', model: '' };
  };
  const go = (): Promise<boolean> =>
    handing.run(async () => {
      // What is likeliest changes when the task is told to have another agent.
      const to = agent();
      await api.handOff(props.task.task_id, { to: contenderOf(to) });
      toast(t().hand.handOff.done(harnessTitle(to.harness)));
      const text = say().trim();
      if (text !== '') await sendMessage(props.task.task_id, text);
      look(props.task.task_id);
      props.onClose();
    });
  const words = (): ReturnType<typeof t>['hand']['handOff'] => t().hand.handOff;
  return (
    <Dialog
      title={words().title}
      onClose={props.onClose}
      act={
        <Button look="main" disabled={handing.busy() || agent().harness === ''} onClick={() => void go()}>
          {words().start}
        </Button>
      }
    >
      <div class="handform">
        <p class="soft">{words().text}</p>
        <Unread list={asked} what={t().hosts.harnesses} />
        <AgentFields agents={agents()} value={agent()} onChange={setChosen} />
        <label class="field">
          <span class="label">{words().say}</span>
          <textarea class="input" rows="3" value={say()} onInput={(event) => setSay(event.currentTarget.value)} />
        </label>
        <Problem text={handing.problem()} />
      </div>
    </Dialog>
  );
}
