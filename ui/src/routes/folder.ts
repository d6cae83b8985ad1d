// Where the work tree of a task lies, asked for by a command: opened in the window, copied in a browser.
import { api } from '../api/client';
import { t } from '../i18n';
import { messageOf } from '../lib/message';
import { inShell, openBox } from '../platform/shell';
import { copyText } from '../state/copy';
import { toastFailure } from '../state/toasts';

export async function findFolder(task: string, how: 'editor' | 'folder'): Promise<void> {
  try {
    const { folder } = await api.terminals(task);
    if (!folder) return toastFailure(t().terminal.noFolder);
    const copy = (): void => void copyText(folder);
    // A window of an older build, or one on another machine, can only give the path.
    if (inShell()) openBox(task, how).catch(copy);
    else copy();
  } catch (error) {
    toastFailure(messageOf(error));
  }
}
