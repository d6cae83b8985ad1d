// Stream events folded into a transcript: runs of events together, runs of deltas together, and one that
// this client cannot read shown as it is.
import type { ServerEvent } from '../api/sse';
import type { Delta, JournalEvent } from '../api/types';
import { EMPTY, fold, foldDeltas, type Transcript } from './fold';

/** Folds one batch of stream events. */
export function takeAll(from: Transcript, events: readonly ServerEvent[], ready: () => void): Transcript {
  let now = from;
  let journal: JournalEvent[] = [];
  let deltas: Delta[] = [];
  const settle = (): void => {
    if (journal.length > 0) now = foldSafely(now, journal);
    if (deltas.length > 0) now = foldDeltas(now, deltas, new Date().toISOString());
    journal = [];
    deltas = [];
  };
  for (const event of events) {
    if (event.name === 'event') {
      if (deltas.length > 0) settle();
      journal.push(JSON.parse(event.data) as JournalEvent);
    } else if (event.name === 'delta') {
      if (journal.length > 0) settle();
      deltas.push(JSON.parse(event.data) as Delta);
    } else if (event.name === 'reset') {
      settle();
      now = EMPTY;
    } else if (event.name === 'ready') ready();
  }
  settle();
  return now;
}

/** Folds events of which one may have a shape that this client does not know, as from a newer server: that
    one is shown as it is, and the others as ever. */
function foldSafely(from: Transcript, events: readonly JournalEvent[]): Transcript {
  try {
    return fold(from, events);
  } catch {
    return events.reduce((now, event) => {
      try {
        return fold(now, [event]);
      } catch {
        const { event_id, ts, seq, task_id } = event;
        const raw = JSON.stringify(event);
        return fold(now, [{ event_id, ts, seq, task_id, type: 'error', class: 'unknown_line', message: event.type, raw }]);
      }
    }, from);
  }
}
