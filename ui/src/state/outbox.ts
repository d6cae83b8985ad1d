// Messages on their way: shown at once, gone when the journal has them, kept with a way to send them
// again when they could not be sent. A repeated id is delivered once, so sending again is safe.
import { createStore } from 'solid-js/store';
import { api } from '../api/client';
import type { Attachment, When } from '../api/types';
import { newInputId } from '../lib/ids';
import { messageOf } from '../lib/message';

export interface Outgoing {
  id: string;
  task: string;
  text: string;
  when: When;
  files: Attachment[];
  problem?: string;
}

const [outbox, setOutbox] = createStore<Outgoing[]>([]);

export function outgoing(task: string): Outgoing[] {
  return outbox.filter((one) => one.task === task);
}

export async function sendMessage(task: string, text: string, when: When = 'now', files: Attachment[] = []): Promise<void> {
  const message: Outgoing = { id: newInputId(), task, text, when, files };
  setOutbox(outbox.length, message);
  await attempt(message);
}

export async function sendAgain(id: string): Promise<void> {
  const message = outbox.find((one) => one.id === id);
  if (!message) return;
  setOutbox((one) => one.id === id, 'problem', undefined);
  await attempt(message);
}

/** Takes a message away: it arrived, or the user gave it up. */
export function drop(id: string): void {
  setOutbox((all) => all.filter((one) => one.id !== id));
}

async function attempt({ id, task, text, when, files }: Outgoing): Promise<void> {
  try {
    // A server that knows of no queue is asked for nothing that it does not know.
    await api.send(task, { input_id: id, text, ...(files.length > 0 ? { attachments: [...files] } : {}), ...(when === 'now' ? {} : { when }) });
    // What waits is shown by the queue, not by the conversation.
    if (when === 'after_turn') drop(id);
  } catch (error) {
    setOutbox((one) => one.id === id, 'problem', messageOf(error));
  }
}
