// Calls that look after what is kept, and the one that lets another browser in.
import { call, get, list, post, query, taskPath } from '../http';
import { SseParser, type ServerEvent } from '../sse';
import type * as wire from '../types';

export const journalCalls = {
  journals: () => list<wire.JournalFile>('/journals'),
  history,
  checkJournal: (id: string) => get<wire.JournalCheck>(taskPath(id, '/journal')),
  /** Mends a journal and keeps the original beside it; `dry` only says what would be done. */
  repairJournal: (id: string, dry: boolean) => post<wire.JournalRepair>(taskPath(id, '/journal/repair'), { dry_run: dry }),
  expired: () => get<wire.ExpiredList>(`/retention${query({ unreferenced: true })}`),
  letGo: () => post<wire.ExpiredList>('/retention', { unreferenced: true }),
  pairingCode: () => post<wire.PairingCode>('/auth/codes'),
};

/** Everything that is in a task's journal now, in order, as it comes. */
async function history(id: string, take: (event: ServerEvent) => void): Promise<void> {
  const stop = new AbortController();
  const answer = await call('GET', taskPath(id, '/events?since_seq=0'), undefined, stop.signal, { Accept: 'text/event-stream' });
  const parser = new SseParser();
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) throw new Error('the history ended before its end: try again');
    for (const event of parser.feed(decoder.decode(part.value, { stream: true }))) {
      if (event.name === 'event') take(event);
      if (event.name === 'reset') throw new Error('the server began the history anew: try again');
      if (event.name !== 'ready') continue;
      // The stream would go on with what happens from now on.
      stop.abort();
      return;
    }
  }
}
