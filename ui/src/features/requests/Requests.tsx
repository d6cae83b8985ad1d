// What the agent waits for, above the composer: one card at a time, each with an answer of its own. The
// keys that answer are on the buttons and work while the card has the focus.
import { Match, Show, Switch, createEffect, createMemo, createSignal, on } from 'solid-js';
import type { Task } from '../../api/types';
import { IconButton } from '../../components/Button';
import { t } from '../../i18n';
import { useCommands } from '../../lib/commands';
import { isTyping } from '../../lib/keys';
import { ApprovalCard } from './ApprovalCard';
import { PlanCard } from './PlanCard';
import { QuestionCard } from './QuestionCard';
import { openRequests } from './requests';
import './requests.css';

interface RequestsProps {
  task: Task;
  /** The card takes the focus when it appears. */
  autofocus?: boolean;
}

export function Requests(props: RequestsProps) {
  const all = createMemo(() => openRequests(props.task));
  const [at, setAt] = createSignal(0);
  const current = createMemo(() => all()[Math.min(at(), all().length - 1)]);
  let place: HTMLDivElement | undefined;
  let first = true;
  const focus = (): void => place?.querySelector<HTMLElement>('.card')?.focus();
  useCommands(() => (current() ? [{ id: 'request', title: t().keys.focusRequest, group: t().keys.task, run: focus }] : []));
  createEffect(
    on(
      () => current()?.id,
      (id, before) => {
        const opened = first;
        first = false;
        if (id === undefined) return;
        const active = document.activeElement;
        const idle = active === document.body || active?.id === 'main';
        const here = place?.contains(active) ?? false;
        // It takes the focus when the page is opened for it and when it follows one that was answered; nobody
        // who is typing or is busy elsewhere is interrupted.
        const wanted = (opened && !isTyping(active)) || (props.autofocus && before === undefined);
        if (wanted || here || idle) queueMicrotask(focus);
      },
    ),
  );
  return (
    <Show when={current()}>
      <div class="requests" ref={(element) => (place = element)}>
        <Show when={all().length > 1}>
          <div class="requestsnav">
            <span class="faint numbers">{t().task.request.of(Math.min(at(), all().length - 1) + 1, all().length)}</span>
            <IconButton icon="left" label={t().keys.previous} onClick={() => setAt((at() + all().length - 1) % all().length)} />
            <IconButton icon="right" label={t().keys.next} onClick={() => setAt((at() + 1) % all().length)} />
          </div>
        </Show>
        <Show when={current()?.id} keyed>
          <Switch>
            <Match when={current()?.question}>{(question) => <QuestionCard task={props.task} question={question()} />}</Match>
            <Match when={current()?.approval}>{(approval) => <ApprovalCard task={props.task} approval={approval()} />}</Match>
            <Match when={current()?.plan}>{(plan) => <PlanCard task={props.task} plan={plan()} />}</Match>
          </Switch>
        </Show>
      </div>
    </Show>
  );
}
