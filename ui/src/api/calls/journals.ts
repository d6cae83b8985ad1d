// Calls that look after what is kept, and the one that lets another browser in.
import { get, post, query, taskPath } from '../http';
import type * as wire from '../types';

export const journalCalls = {
  checkJournal: (id: string) => get<wire.JournalCheck>(taskPath(id, '/journal')),
  /** Mends a journal and keeps the original beside it; `dry` only says what would be done. */
  repairJournal: (id: string, dry: boolean) => post<wire.JournalRepair>(taskPath(id, '/journal/repair'), { dry_run: dry }),
  expired: () => get<wire.ExpiredList>(`/retention${query({ unreferenced: true })}`),
  letGo: () => post<wire.ExpiredList>('/retention', { unreferenced: true }),
  pairingCode: () => post<wire.PairingCode>('/auth/codes'),
};
