// A plan that waits for a decision: approve, edit and approve, or send back with a comment.
import { Match, Show, Switch, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Plan, PlanDecision, Task } from '../../api/types';
import { Button } from '../../components/Button';
import { Markdown } from '../../components/Markdown';
import { t } from '../../i18n';
import { keysOf, useCommands, type Command } from '../../lib/commands';
import { newElementId } from '../../lib/ids';
import { isTyping } from '../../lib/keys';
import { cardDoes, cardKey, once } from './requests';

type Mode = 'read' | 'edit' | 'reject';

export function PlanCard(props: { task: Task; plan: Plan }) {
  const id = newElementId('plan');
  const [mode, setMode] = createSignal<Mode>('read');
  const [text, setText] = createSignal(props.plan.text);
  const [comment, setComment] = createSignal('');
  const sending = once(props.task.task_id);
  const decide = (decision: PlanDecision): void => {
    sending.run(() => api.decidePlan(props.task.task_id, props.plan.plan_id, decision));
  };
  const approve = (): void => decide(text() === props.plan.text ? { verdict: 'approve' } : { verdict: 'approve', text: text() });
  const approves = (): string => (text() === props.plan.text ? t().task.request.planApprove : t().task.request.planEdited);
  const reject = (): void => decide({ verdict: 'reject', ...(comment().trim() === '' ? {} : { comment: comment().trim() }) });
  const keys = createMemo((): Command[] => [
    cardKey('card-approve', approves(), approve),
    cardKey('card-edit-plan', t().task.request.planEdit, () => setMode('edit')),
    cardKey('card-reject', t().task.request.planReject, () => setMode('reject')),
  ]);
  useCommands(keys);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && mode() !== 'read') setMode('read');
    else if (event.key === 'Enter' && mode() === 'reject' && !event.shiftKey && isTyping(event.target)) reject();
    else if (event.key === 'Enter' && mode() === 'edit' && (event.ctrlKey || event.metaKey)) approve();
    else if (mode() !== 'read' || !cardDoes(event, keys())) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const focusNew = (element: HTMLElement): void => queueMicrotask(() => element.focus());
  return (
    <section class="card" tabindex="-1" aria-labelledby={id} onKeyDown={onKeyDown}>
      <header>
        <span class="kind" id={id}>
          {t().task.request.plan}
        </span>
      </header>
      <Show
        when={mode() === 'edit'}
        fallback={
          <div class="plantext" tabindex="0" role="group" aria-label={t().task.request.plan}>
            <Markdown text={text()} />
          </div>
        }
      >
        <textarea class="input code" rows="14" ref={focusNew} aria-label={t().task.request.planEdit} value={text()} onInput={(event) => setText(event.currentTarget.value)} />
      </Show>
      <footer>
        <Switch>
          <Match when={mode() === 'reject'}>
            <input class="input" type="text" ref={focusNew} aria-label={t().task.request.planComment} placeholder={t().task.request.planComment} value={comment()} onInput={(event) => setComment(event.currentTarget.value)} />
            <Button look="main" keys="enter" onClick={reject}>
              {t().task.request.planSendBack}
            </Button>
            <Button look="bare" onClick={() => setMode('read')}>
              {t().app.cancel}
            </Button>
          </Match>
          <Match when={mode() === 'edit'}>
            <Button look="main" keys="mod+enter" onClick={approve}>
              {t().task.request.planEdited}
            </Button>
            <Button look="bare" onClick={() => setMode('read')}>
              {t().app.back}
            </Button>
          </Match>
          <Match when={true}>
            <Button look="main" keys={keysOf({ id: 'card-approve' })} onClick={approve}>
              {approves()}
            </Button>
            <Button keys={keysOf({ id: 'card-edit-plan' })} onClick={() => setMode('edit')}>
              {t().task.request.planEdit}
            </Button>
            <span class="spring" />
            <Button keys={keysOf({ id: 'card-reject' })} onClick={() => setMode('reject')}>
              {t().task.request.planReject}
            </Button>
          </Match>
        </Switch>
      </footer>
    </section>
  );
}
