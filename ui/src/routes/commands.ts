// Commands that are there on every page, and the overlays that they open.
import { useNavigate } from '@solidjs/router';
import { createSignal } from 'solid-js';
import { t } from '../i18n';
import { useCommands } from '../lib/commands';
import { grouped } from '../state/tasks';
import { switchTheme } from '../state/theme';
import { undoLast } from '../state/toasts';

export type Overlay = 'palette' | 'keys';

export function useGlobalCommands() {
  const navigate = useNavigate();
  const [shown, setShown] = createSignal<Overlay>();
  const show = (overlay: Overlay): void => void setShown(overlay);
  const hide = (): void => void setShown(undefined);
  const nextTask = (): void => {
    const here = /^\/tasks\/([^/]+)/.exec(location.pathname)?.[1];
    const waiting = grouped().needs_you;
    const at = waiting.findIndex((task) => task.task_id === here);
    const next = waiting[(at + 1) % waiting.length];
    if (next) navigate(`/tasks/${next.task_id}`);
  };
  useCommands(() => [
    { id: 'palette', title: t().nav.search, group: t().keys.general, always: true, run: () => (shown() === 'palette' ? hide() : show('palette')) },
    { id: 'new', title: t().nav.newTask, group: t().keys.general, run: () => navigate('/new') },
    { id: 'next', title: t().keys.nextTask, group: t().keys.go, run: nextTask },
    { id: 'inbox', title: t().nav.inbox, group: t().keys.go, run: () => navigate('/') },
    { id: 'tasks', title: t().nav.allTasks, group: t().keys.go, run: () => navigate('/tasks') },
    { id: 'shelf', title: t().home.archive.title, group: t().keys.go, run: () => navigate('/tasks?archive') },
    { id: 'hosts', title: t().nav.hosts, group: t().keys.go, run: () => navigate('/hosts') },
    { id: 'search', title: t().around.search.open, group: t().keys.go, always: true, run: () => navigate('/search') },
    { id: 'history', title: t().history.title, group: t().keys.go, run: () => navigate('/history') },
    { id: 'comparisons', title: t().history.groups.title, group: t().keys.go, run: () => navigate('/history/comparisons') },
    { id: 'trash', title: t().box.trash.title, group: t().keys.go, run: () => navigate('/trash') },
    { id: 'settings', title: t().nav.settings, group: t().keys.go, run: () => navigate('/settings') },
    { id: 'undo', title: t().keys.undo, group: t().keys.general, run: undoLast },
    { id: 'theme', title: t().keys.theme, group: t().keys.general, run: switchTheme },
    { id: 'keys', title: t().keys.openCheatSheet, group: t().keys.general, run: () => show('keys') },
  ]);
  return { shown, show, hide };
}
