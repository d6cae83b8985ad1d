// What the programs of the fake's tasks offer.
export const OFFERS = {
  commands: [
    { name: 'review', description: 'Look over the changes of the branch', hint: '[pr]' },
    { name: 'init', description: 'Write down how the repository is worked in' },
    { name: 'security-review', description: 'Look for what could be misused' },
  ],
  models: [
    { id: 'default', name: 'Default (recommended)', stands_for: 'claude-opus-4.5', description: 'For everyday work', efforts: ['low', 'high'] },
    { id: 'haiku', name: 'Haiku', description: 'For quick answers' },
  ],
  model: 'default',
};

/** The event in which task `id` last said what it offers. */
export function offersOf(task) {
  const { type: _, event_id: _id, ts: _ts, seq: _seq, task_id: _task, run_id: _run, turn_id: _turn, ...offers } = task.events.findLast((event) => event.type === 'agent_offers') ?? {};
  return { json: offers };
}
