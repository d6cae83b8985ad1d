// Calls around what waits: a task's follow-ups, and its own place in the line of its host.
import { post, send, taskPath } from '../http';
import type * as wire from '../types';

const queued = (id: string, input: string, below = ''): string => taskPath(id, `/queue/${encodeURIComponent(input)}${below}`);

export const queueCalls = {
  editQueued: (id: string, input: string, text: string) => send<wire.Queue>('PATCH', queued(id, input), { text }),
  removeQueued: (id: string, input: string) => send<wire.Queue>('DELETE', queued(id, input)),
  orderQueue: (id: string, order: string[]) => send<wire.Queue>('PATCH', taskPath(id, '/queue'), { order }),
  sendQueued: (id: string, input: string) => post<{ input_id: string }>(queued(id, input, '/send')),
  move: (id: string, to: 'front' | 'back') => post<wire.Place>(taskPath(id, '/place'), { to }),
};
