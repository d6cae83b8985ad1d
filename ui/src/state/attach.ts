// Files that go with words that are being written: uploaded as soon as they are given, kept with the draft.
import { createSignal, type Accessor } from 'solid-js';
import { api } from '../api/client';
import type { Attachment } from '../api/types';
import { t } from '../i18n';
import { messageOf } from '../lib/message';
import { readStored, writeStored } from '../lib/stored';
import { toastFailure } from './toasts';

/** As the server has it. */
const FILES_MAX = 16;
const SIZE_MAX = 10 * 1024 * 1024;

export interface Attached {
  files: Accessor<Attachment[]>;
  /** How many are on their way. */
  busy: Accessor<number>;
  add: (files: Iterable<File>) => void;
  /** Takes files that somebody else uploads. */
  take: (files: Promise<Attachment[]>) => Promise<void>;
  remove: (sha256: string) => void;
  clear: () => void;
  /** Takes what the draft `key` has. */
  open: (key: string) => void;
}

export function createAttached(key: string): Attached {
  let at = key;
  const [files, setFiles] = createSignal<Attachment[]>(kept(key));
  const [busy, setBusy] = createSignal(0);
  const keep = (all: Attachment[], draft = at): void => {
    if (draft === at) setFiles(all);
    writeStored(`files.${draft}`, all.length > 0 ? all : undefined);
  };
  const take = async (uploads: Promise<Attachment[]>): Promise<void> => {
    const draft = at;
    setBusy((n) => n + 1);
    try {
      const sent = await uploads;
      // Somebody may be at another draft by now.
      const before = draft === at ? files() : kept(draft);
      const all = [...new Map([...before, ...sent].map((one) => [one.sha256, one])).values()];
      keep(all.slice(0, FILES_MAX), draft);
      if (all.length > FILES_MAX) toastFailure(t().hand.tooMany(FILES_MAX));
    } catch (error) {
      toastFailure(messageOf(error));
    } finally {
      setBusy((n) => n - 1);
    }
  };
  const upload = async (file: File): Promise<void> => {
    if (file.size > SIZE_MAX) return toastFailure(t().hand.tooLarge(file.name));
    if (files().length + busy() >= FILES_MAX) return toastFailure(t().hand.tooMany(FILES_MAX));
    await take(api.upload(file, file.name).then((sent) => [sent]));
  };
  return {
    files,
    busy,
    add: (given) => void [...given].reduce((before, file) => before.then(() => upload(file)), Promise.resolve()),
    take,
    remove: (sha256) => keep(files().filter((one) => one.sha256 !== sha256)),
    clear: () => keep([]),
    open: (next) => {
      at = next;
      setFiles(kept(next));
    },
  };
}

function kept(key: string): Attachment[] {
  return readStored<Attachment[]>(`files.${key}`, []);
}

/** What is pasted or dropped, where it holds files. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}
