// The only file that knows of the desktop shell around the page. In a browser everything here does
// what a browser can.

interface ShellBridge {
  core: { invoke: (command: string, args?: Record<string, unknown>) => Promise<unknown> };
}

function bridge(): ShellBridge | undefined {
  return (globalThis as { __TAURI__?: ShellBridge }).__TAURI__;
}

/** Whether the page stands in the desktop window. */
export function inShell(): boolean {
  return bridge() !== undefined;
}

/** Says how many tasks need the user: in the title, and on the app's badge where there is one. */
export function showNeeds(count: number, title: string): void {
  document.title = title;
  const badge = navigator as { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> };
  const set = count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.();
  set?.catch(() => undefined);
}

/** Shows a notification; a click brings the page to the front and runs `open`. The desktop shell sends
    its own, so that they come while no window is open. */
export function notify(title: string, body: string, tag: string, open: () => void): void {
  if (inShell() || typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const shown = new Notification(title, { body, tag });
  shown.onclick = () => {
    window.focus();
    open();
    shown.close();
  };
}

/** Opens the work tree of a task's worktree box in the user's editor or file browser; the shell knows where
    it lies, a page does not say. */
export async function openBox(task: string, how: 'folder' | 'editor'): Promise<void> {
  const shell = bridge();
  if (!shell) throw new Error('no window of ours is around this page');
  await shell.core.invoke('open_box', { task, how });
}

/** Has the shell around the page speak its language, in tray, notifications and dialogs. An older shell goes on in
    its own. */
export function speak(language: string): void {
  bridge()?.core.invoke('speak', { language }).catch(() => undefined);
}

/** What the user dropped on the window last, once, or what the clipboard holds besides words, as uploads of the API:
    for where the window's toolkit keeps it from the page. */
export async function takeGiven<Uploaded>(by: 'drop' | 'paste'): Promise<Uploaded[]> {
  return ((await bridge()?.core.invoke(by === 'drop' ? 'take_dropped' : 'take_pasted')) ?? []) as Uploaded[];
}
