// What a task waits for, in the order in which it asked, and the keys that answer it.
import type { Approval, Plan, Question, Task } from '../../api/types';
import { t } from '../../i18n';
import { isKeyOf, isSecondOf, isShortcut, type Command } from '../../lib/commands';
import { isTyping } from '../../lib/keys';
import type { KeyId } from '../../lib/keytable';
import { act } from '../../state/actions';

export interface OpenRequest {
  id: string;
  question?: Question;
  approval?: Approval;
  plan?: Plan;
}

export function openRequests(task: Task): OpenRequest[] {
  const questions = task.questions.map((question) => ({ id: `q ${question.question_id}`, question }));
  const approvals = task.approvals.map((approval) => ({ id: `a ${approval.approval_id}`, approval }));
  const plans = task.plan ? [{ id: `p ${task.plan.plan_id}`, plan: task.plan }] : [];
  return [...questions, ...approvals, ...plans];
}

type CardKey = Extract<KeyId, `card-${string}`>;

/** A key of a card: told with the commands, taken by the card alone. */
export function cardKey(id: CardKey, title: string, run: () => void): Command {
  return { id, title, group: t().keys.request, hidden: true, local: true, run };
}

/** Does what a key says while a card has the focus; whether it did. A key that leads elsewhere never answers, nor does
    one that is still held since the card before. */
export function cardDoes(event: KeyboardEvent, keys: readonly Command[]): boolean {
  if (event.repeat || event.isComposing || isTyping(event.target)) return false;
  const found = keys.find((one) => isSecondOf(event, one.id)) ?? (isShortcut(event) ? undefined : keys.find((one) => isKeyOf(event, one.id)));
  found?.run();
  return found !== undefined;
}

/** Whether the input of a call has fields: what an agent sends may be anything. */
export function isObject(input: unknown): input is Record<string, unknown> {
  return input !== null && typeof input === 'object' && !Array.isArray(input);
}

/** Does one thing at a time: a second press while the first is on its way does nothing. */
export function once(task: string): { busy: () => boolean; run: (work: () => Promise<unknown>) => void } {
  let busy = false;
  return {
    busy: () => busy,
    run: (work) => {
      if (busy) return;
      busy = true;
      void act(task, work).then(() => {
        busy = false;
      });
    },
  };
}
