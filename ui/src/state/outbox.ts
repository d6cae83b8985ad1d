// Messages on their way: shown at once, gone when the journal has them, kept with a way to send them
// again when they could not be sent. A repeated id is delivered once, so sending again is safe. Until the server
// has taken a message this browser keeps it too, so that a page that is closed meanwhile loses nothing.
import { createStore } from 'solid-js/store';
import { api } from '../api/client';
import type { Attachment, When } from '../api/types';
import { t } from '../i18n';
import { newInputId } from '../lib/ids';
import { messageOf } from '../lib/message';
import { readStored, storedKeys, writeStored } from '../lib/stored';

/** Most messages that outlive the page; the oldest are forgotten first. */
export const KEPT_MAX = 50;
/** Each has a place of its own: tabs write beside one another. */
const PLACE = 'outbox.';

export interface Outgoing {
  id: string;
  task: string;
  text: string;
  when: When;
  files: Attachment[];
  problem?: string;
}

interface Kept extends Omit<Outgoing, 'problem'> {
  at: number;
}

const [outbox, setOutbox] = createStore<Outgoing[]>(readKept());

export function outgoing(task: string): Outgoing[] {
  return outbox.filter((one) => one.task === task);
}

/** Sends a message; what went wrong, where something did. It is kept before this returns; a message that is sent again
    from where it was written has the `id` of before. */
export async function sendMessage(task: string, text: string, when: When = 'now', files: Attachment[] = [], id = newInputId()): Promise<string | undefined> {
  const message: Outgoing = { id, task, text, when, files };
  drop(id);
  keep(message);
  setOutbox(outbox.length, message);
  return attempt(message);
}

export async function sendAgain(id: string): Promise<void> {
  const message = outbox.find((one) => one.id === id);
  if (!message) return;
  setOutbox((one) => one.id === id, 'problem', undefined);
  await attempt(message);
}

/** Takes a message away: it arrived, or the user gave it up. */
export function drop(id: string): void {
  writeStored(PLACE + id, undefined);
  setOutbox((all) => all.filter((one) => one.id !== id));
}

async function attempt({ id, task, text, when, files }: Outgoing): Promise<string | undefined> {
  try {
    // A server that knows of no queue is asked for nothing that it does not know.
    await api.send(task, { input_id: id, text, ...(files.length > 0 ? { attachments: [...files] } : {}), ...(when === 'now' ? {} : { when }) });
    writeStored(PLACE + id, undefined);
    // What waits is shown by the queue, not by the conversation.
    if (when === 'after_turn') drop(id);
    return undefined;
  } catch (error) {
    const problem = messageOf(error);
    setOutbox((one) => one.id === id, 'problem', problem);
    return problem;
  }
}

function keep({ problem: _, ...message }: Outgoing): void {
  writeStored(PLACE + message.id, { ...message, at: Date.now() });
  for (const { id } of stored().slice(0, -KEPT_MAX)) writeStored(PLACE + id, undefined);
}

/** What is kept, oldest first. */
function stored(): Kept[] {
  const all = storedKeys(PLACE).map((id) => readStored<Partial<Kept>>(PLACE + id, {}));
  return all.filter(isWhole).sort((a, b) => a.at - b.at);
}

function isWhole(one: Partial<Kept>): one is Kept {
  return typeof one.id === 'string' && typeof one.task === 'string' && typeof one.text === 'string' && Array.isArray(one.files) && typeof one.at === 'number';
}

/** What a page of before had not been told of: whether it arrived is seen when its task is shown. */
function readKept(): Outgoing[] {
  return stored().map(({ at: _, ...message }) => ({ ...message, problem: t().task.row.unanswered }));
}
