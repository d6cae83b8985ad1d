// Something that a user has done and that may go wrong: whether it is on its way, and what went wrong the last
// time, for what is around it to show. What is only told in passing goes through `act`.
import { messageOf } from '../lib/message';
import { createSignal, type Accessor } from 'solid-js';

export interface Attempt {
  /** Whether it is on its way. */
  busy: Accessor<boolean>;
  /** What went wrong the last time; nothing while it is tried again. */
  problem: Accessor<string | undefined>;
  /** Does `work`; whether it went well. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function createAttempt(): Attempt {
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<string>();
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(messageOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, run };
}
