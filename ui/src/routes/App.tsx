// The application: the addresses of all pages, the frame around them, and what is everywhere: sign-in,
// palette, cheat sheet, toasts, tooltip.
import { Route, Router, useNavigate, type RouteSectionProps } from '@solidjs/router';
import { Show, Suspense, createEffect, createSignal, on, onCleanup, onMount } from 'solid-js';
import { onSignedOut } from '../api/http';
import { serverIsNear } from '../api/stream';
import { Safe } from '../components/Safe';
import { TooltipLayer } from '../components/Tooltip';
import { ToastLayer } from '../components/Toast';
import { Frame } from '../features/frame/Frame';
// Here from the start, as the page of a new task is: what is typed right after its key is for it, and would be taken
// for commands until it came.
import Palette from '../features/palette/Palette';
import { SignIn, exchangeFromAddress } from '../features/session/SignIn';
import { language, t } from '../i18n';
import { onKey } from '../lib/commands';
import { later } from '../lib/later';
import { sayFailures } from '../lib/message';
import { holdDrops } from '../platform/drops';
import { inShell, notify, showNeeds, speak } from '../platform/shell';
import { wordsOf } from '../state/failures';
import { notifyWanted } from '../state/notify';
import { setSignedIn, signedIn } from '../state/link';
import { followTasks, grouped } from '../state/tasks';
import { dropToast, toasts } from '../state/toasts';
import { followTheme } from '../state/theme';
import { useGlobalCommands } from './commands';
import { InboxPage } from './InboxPage';
import { NewTaskPage } from './NewTaskPage';
import { TaskPage } from './TaskPage';

const TasksPage = later(() => import('./TasksPage'));
const ComparePage = later(() => import('./ComparePage'));
const HostsPage = later(() => import('./HostsPage'));
const TrashPage = later(() => import('./TrashPage'));
const HistoryPage = later(() => import('./HistoryPage'));
const SearchPage = later(() => import('./SearchPage'));
const SettingsPage = later(() => import('./SettingsPage'));
const NotFoundPage = later(() => import('./NotFoundPage'));
const CheatSheet = later(() => import('../features/palette/CheatSheet'));

sayFailures(wordsOf);

export function App() {
  followTheme();
  onSignedOut(() => setSignedIn(false));
  const [ready, setReady] = createSignal(false);
  onMount(() => void exchangeFromAddress().finally(() => setReady(true)));
  document.addEventListener('keydown', onKey);
  holdDrops(document);
  return (
    <>
      <Show when={ready()}>
        <Show when={signedIn()} fallback={<SignIn />}>
          <Router root={Shell}>
            <Route path="/" component={InboxPage} />
            <Route path="/tasks" component={TasksPage} />
            <Route path="/tasks/:id/:part?" component={TaskPage} />
            <Route path="/compare/:id" component={ComparePage} />
            <Route path="/new" component={NewTaskPage} />
            <Route path="/hosts" component={HostsPage} />
            <Route path="/trash" component={TrashPage} />
            <Route path="/history/:part?" component={HistoryPage} />
            <Route path="/search" component={SearchPage} />
            <Route path="/settings/:page?" component={SettingsPage} />
            <Route path="*" component={NotFoundPage} />
          </Router>
        </Show>
      </Show>
      <ToastLayer toasts={toasts()} onDrop={dropToast} dismissLabel={t().app.dismiss} />
      <TooltipLayer />
    </>
  );
}

function Shell(props: RouteSectionProps) {
  const stop = new AbortController();
  if (inShell()) serverIsNear();
  followTasks(stop.signal, inShell());
  onCleanup(() => stop.abort());
  const overlay = useGlobalCommands();
  useNeeds();
  createEffect(() => speak(language()));
  return (
    <>
      <Frame onSearch={() => overlay.show('palette')}>
        <Safe again>
          <Suspense fallback={<main id="main" class="main" tabindex="-1" />}>{props.children}</Suspense>
        </Safe>
      </Frame>
      <Suspense>
        <Show when={overlay.shown() === 'palette'}>
          <Palette onClose={overlay.hide} />
        </Show>
        <Show when={overlay.shown() === 'keys'}>
          <CheatSheet onClose={overlay.hide} />
        </Show>
      </Suspense>
    </>
  );
}

/** Keeps title, badge and notifications in step with what needs the user. */
function useNeeds(): void {
  const navigate = useNavigate();
  let known: Set<string> | undefined;
  createEffect(() => showNeeds(grouped().needs_you.length, t().app.title(grouped().needs_you.length)));
  createEffect(
    on(
      () => grouped().needs_you.map((task) => `${task.task_id} ${task.state_changed_at}`),
      (now) => {
        const before = known;
        known = new Set(now);
        if (!before || !notifyWanted() || document.visibilityState === 'visible') return;
        for (const task of grouped().needs_you) {
          if (before.has(`${task.task_id} ${task.state_changed_at}`)) continue;
          notify(task.title, t().state[task.state], task.task_id, () => navigate(`/tasks/${task.task_id}`));
        }
      },
    ),
  );
}
