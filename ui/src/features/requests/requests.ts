// What a task waits for, in the order in which it asked.
import type { Approval, Plan, Question, Task } from '../../api/types';
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
