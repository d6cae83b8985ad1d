// Files that are pasted or dropped: given by the browser, or where the window's toolkit keeps them from the page, by the
// shell.
import type { Attachment } from '../../api/types';
import { t } from '../../i18n';
import { holdsFiles, keepsPasted } from '../../platform/drops';
import { takeGiven } from '../../platform/shell';
import { filesOf, type Attached } from '../../state/attach';

interface Takes extends Record<'onDrop' | 'onDragOver' | 'onDragLeave', (event: DragEvent) => void> {
  onPaste: (event: ClipboardEvent) => void;
}

/** What makes an element take files that are pasted into it or dropped on it, while it is open; one that a drag is over says so. */
export function takesFiles(attached: Attached, open: () => boolean = () => true): Takes {
  const take = (event: Event, data: DataTransfer | null): void => {
    const files = open() ? filesOf(data) : [];
    if (files.length === 0) return;
    event.preventDefault();
    attached.add(files);
  };
  const mark = (event: Event, over: boolean): void => void (event.currentTarget as Element | null)?.toggleAttribute('data-over', over);
  const takeOver = (event: Event, given: () => Promise<Attachment[]>): void => {
    if (event.defaultPrevented || !open()) return;
    event.preventDefault();
    void attached.take(given());
  };
  return {
    onPaste: (event) => {
      if (!saysText(event.clipboardData)) take(event, event.clipboardData);
      if (keepsPasted(event.clipboardData)) takeOver(event, () => takeGiven('paste'));
    },
    onDrop: (event) => {
      mark(event, false);
      take(event, event.dataTransfer);
      if (holdsFiles(event.dataTransfer)) takeOver(event, takeDropped);
    },
    onDragOver: (event) => {
      if (!open() || !holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      mark(event, true);
    },
    onDragLeave: (event) => {
      const within = (event.currentTarget as Element).contains(event.relatedTarget as Node | null);
      if (!within) mark(event, false);
    },
  };
}

/** What was dropped on the window; that it is nothing is told, since the drag held files. */
async function takeDropped(): Promise<Attachment[]> {
  const files = await takeGiven<Attachment>('drop');
  if (files.length === 0) throw new Error(t().hand.notHere);
  return files;
}

/** Whether words are pasted, with or without a picture of them; the names of files that are copied are none. */
function saysText(data: DataTransfer | null): boolean {
  const text = data?.getData('text/plain') ?? '';
  const names = filesOf(data).map(({ name }) => name);
  return text.trim() !== '' && !text.trim().split(/[\r\n]+/).every((line) => names.includes(line));
}
