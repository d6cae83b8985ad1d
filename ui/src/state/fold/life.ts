// The life of a task around its turns: setting up, runs that end, states worth a line.
import type { JournalEvent, StateName } from '../../api/types';
import type { SetupStep, StepText } from '../rows';
import type { Draft } from './draft';

const SETTING_UP: ReadonlySet<StateName> = new Set<StateName>(['branching', 'provisioning', 'starting']);

export function onState(draft: Draft, event: Extract<JournalEvent, { type: 'state_changed' }>): void {
  const { seq, ts, to, cause } = event;
  if (SETTING_UP.has(to)) {
    draft.setup ??= draft.push({ kind: 'setup', seq, ts, steps: [], failed: false, again: true });
    return addStep(draft, ts, { is: 'state', state: to, cause });
  }
  if (to === 'failed') {
    endSetup(draft, ts, true);
    // The cause stands in the error before it; only a failure without one needs words of its own.
    if (draft.last()?.kind === 'error') return;
  } else if (draft.setup !== undefined) {
    endSetup(draft, ts, false);
  }
  const back = event.from === 'purging' && to !== 'purged';
  if (back || to === 'stopped' || to === 'crashed' || to === 'failed' || to === 'purging' || to === 'purged') {
    draft.dropLive();
    draft.push({ kind: 'state', seq, ts, state: to, restored: back, ...(cause === undefined || isTold(draft, cause) ? {} : { cause }) });
  }
}

/** An error that is told as a cause again stands among this many rows. */
const RECENT = 6;

/** Whether an error just before has said it. */
function isTold(draft: Draft, cause: string): boolean {
  return draft.rows.slice(-RECENT).some((row) => row.kind === 'error' && row.message === cause);
}

/** Adds a step to the set-up under way; after it, a step is no news. */
export function addStep(draft: Draft, ts: string, text: StepText, level: SetupStep['level'] = 'info'): void {
  const row = draft.rowOf(draft.setup, 'setup');
  if (!row || draft.setup === undefined) return;
  draft.rows[draft.setup] = { ...row, steps: [...row.steps, { ts, text, level }] };
}

export function endSetup(draft: Draft, ts: string, failed: boolean): void {
  const row = draft.rowOf(draft.setup, 'setup');
  if (row && draft.setup !== undefined) draft.rows[draft.setup] = { ...row, endedAt: ts, failed };
  draft.setup = undefined;
}

export function onRunEnded(draft: Draft, event: Extract<JournalEvent, { type: 'run_ended' }>): void {
  draft.dropLive();
  draft.turn = undefined;
  for (const id of draft.open.keys()) {
    draft.changeCall(id, (call) => ({ ...call, liveOutput: '', end: { failed: true, output: call.liveOutput } }));
  }
  draft.open.clear();
  draft.requests.clear();
  const quiet = event.exit.how === 'code' && event.exit.code === 0;
  if (quiet) return;
  draft.push({ kind: 'run_ended', seq: event.seq, ts: event.ts, exit: event.exit, stderr: event.stderr_tail ?? '' });
}
