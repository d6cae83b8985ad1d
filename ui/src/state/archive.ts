// A task as plain files that outlive Paddock, in one archive: what `paddock export` writes, made here so that a
// browser on another machine gets it too. What cannot be had is said, and the rest is there.
import { api } from '../api/client';
import { ApiError } from '../api/error';
import type { JournalEvent } from '../api/types';
import { t } from '../i18n';
import { basename, bytes } from '../lib/format';
import { causeOf } from '../lib/message';
import { tar, type TarFile } from '../lib/tar';
import { conversationText } from './export';
import { EMPTY, fold } from './fold';
import { dropToast, toast, toastFailure } from './toasts';

/** Events that are folded in one piece. */
const PIECE = 500;
/** How long the browser may take to begin with a file before its memory is given back. */
const KEPT_MS = 60_000;

interface Archive {
  file: Blob;
  /** What could not be had. */
  missing: string[];
}

/** Saves a task where this browser saves files, and says so. */
export async function exportTask(id: string): Promise<void> {
  const under = toast(t().history.export.under);
  try {
    const { file, missing } = await archive(id);
    const name = `paddock-${id}.tar`;
    offer(file, name);
    toast(t().history.export.done(name, bytes(file.size)));
    for (const what of missing) toastFailure(t().history.export.without(what));
  } catch (error) {
    toastFailure(`${t().history.export.failed}: ${causeOf(error)}`);
  } finally {
    dropToast(under);
  }
}

export async function archive(id: string): Promise<Archive> {
  const task = await api.task(id);
  const files: TarFile[] = [];
  const missing: string[] = [];
  const add = (name: string, ...content: BlobPart[]): void => void files.push({ name: `${id}/${name}`, content: new Blob(content) });
  const without = (what: string) => (error: unknown): void => {
    if (!(error instanceof ApiError)) throw error;
    missing.push(`${what}: ${causeOf(error)}`);
  };
  add('task.json', `${JSON.stringify(task, null, 2)}\n`);
  const told = await readAll(id);
  add('journal.jsonl', ...told.lines);
  add('transcript.md', `# ${task.title}\n\n${told.transcript}\n`);
  if (told.unknown > 0) missing.push(t().history.export.newer(told.unknown));
  for (const sha256 of told.artifacts) {
    await api.artifactFile(id, sha256).then((content) => add(`artifacts/${sha256}`, content), without(t().history.export.artifact(sha256)));
  }
  for (const [nth, { path }] of task.repositories.entries()) {
    const name = basename(path).replace(/[^\w.-]/g, '_').slice(0, 40);
    await api.diff(id, { repository: path }).then((diff) => add(`${nth + 1}-${name}.diff`, diff), without(t().history.export.diff(path)));
  }
  return { file: new Blob(tar(files, Date.now()), { type: 'application/x-tar' }), missing };
}

/** The journal line by line, the conversation in it, and the outputs that it refers to. */
async function readAll(id: string): Promise<{ lines: string[]; transcript: string; artifacts: Set<string>; unknown: number }> {
  const lines: string[] = [];
  const artifacts = new Set<string>();
  let [transcript, piece, unknown]: [typeof EMPTY, JournalEvent[], number] = [EMPTY, [], 0];
  const take = (): void => {
    transcript = fold(transcript, piece);
    piece = [];
  };
  await api.history(id, ({ data }) => {
    lines.push(`${data}\n`);
    try {
      const event = JSON.parse(data) as JournalEvent;
      for (const sha256 of outputsOf(event)) artifacts.add(sha256);
      piece.push(event);
    } catch {
      unknown += 1;
    }
    if (piece.length >= PIECE) take();
  });
  take();
  return { lines, transcript: conversationText(transcript.rows), artifacts, unknown };
}

/** The large outputs and the sent files that an event refers to: where it is said, and nowhere in what agents wrote. */
function outputsOf(event: JournalEvent): string[] {
  const body = event as unknown as Record<string, unknown> & { attachments?: unknown[]; spec?: { attachments?: unknown[] } };
  const named = [body['stdout_ref'], body['patch_ref'], body['raw_ref'], body['args_ref'], ...(body.attachments ?? []), ...(body.spec?.attachments ?? [])];
  return named.map((one) => (one as { sha256?: unknown } | undefined)?.sha256).filter((sha256) => typeof sha256 === 'string');
}

/** Hands a file to whoever looks at the page. */
function offer(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
