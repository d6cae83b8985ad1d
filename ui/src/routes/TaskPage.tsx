// One task: header, its parts (conversation, review, log), what waits for an answer, the composer, and
// what there is to know about it beside.
import { useNavigate, useParams, useSearchParams } from '@solidjs/router';
import { For, Match, Show, Suspense, Switch, createEffect, createMemo, createSignal, on, onCleanup, type Accessor } from 'solid-js';
import type { StateName } from '../api/types';
import { Empty } from '../components/Bits';
import { IconButton } from '../components/Button';
import type { IconName } from '../components/Icon';
import { Tabs } from '../components/Tabs';
import { Queue } from '../features/compose/Queue';
import { ForkDialog } from '../features/compose/ForkDialog';
import { HandOffDialog } from '../features/compose/HandOffDialog';
import { Composer } from '../features/compose/Reply';
import { Requests } from '../features/requests/Requests';
import { Aside } from '../features/task/Aside';
import { CompactDialog } from '../features/task/CompactDialog';
import { Header } from '../features/task/Header';
import { JournalDialog } from '../features/task/JournalDialog';
import { PurgeDialog } from '../features/task/PurgeDialog';
import { TuneDialog } from '../features/task/TuneDialog';
import { useTaskCommands } from '../features/task/commands';
import { Conversation } from '../features/transcript/Conversation';
import { RefMenu } from '../features/transcript/RefMenu';
import { t } from '../i18n';
import { keysById, runById, useCommands } from '../lib/commands';
import { later } from '../lib/later';
import { see } from '../state/actions';
import { rememberSpec } from '../state/specs';
import { openTranscript, type OpenTranscript } from '../state/transcripts';
import { refresh, summary, task } from '../state/tasks';
import { findFolder } from './folder';
import './task.css';

const Review = later(() => import('../features/review/Review'));
const Terminals = later(() => import('../features/terminal/Terminals'));
const Log = later(() => import('../features/transcript/Log'));

/** As in `task.css`: the side is a sheet. */
const NARROW = '(max-width: 1179px)';

/** In these states nobody is left to write to. */
const OVER: ReadonlySet<StateName> = new Set<StateName>(['failed', 'purging', 'purged']);

export function TaskPage() {
  const params = useParams<{ id: string; part?: string }>();
  return (
    <Show when={params.id} keyed>
      {(id) => <OneTask id={id} part={params.part ?? ''} />}
    </Show>
  );
}

function OneTask(props: { id: string; part: string }) {
  const [missing, setMissing] = createSignal(false);
  const open: OpenTranscript = openTranscript(props.id);
  void refresh(props.id).then((there) => setMissing(!there));
  createEffect(() => {
    if (open.link().at === 'gone') setMissing(true);
  });
  useSeen(props.id);
  return (
    <Show when={!missing()} fallback={<Missing />}>
      <Show when={task(props.id)} fallback={<main id="main" class="main" tabindex="-1" aria-busy="true" />}>
        <Whole id={props.id} part={props.part} open={open} />
      </Show>
    </Show>
  );
}

/** What is looked at is seen: once here, the change of state is no news any more when one leaves. */
function useSeen(id: string): void {
  let known: string | undefined;
  const look = (): void => {
    const one = summary(id);
    if (!one) return;
    const at = one.state_changed_at;
    if (one.needs_me && known !== at && document.visibilityState === 'visible') see(one);
    // What is taken up again while it is looked at stays so until one comes back.
    else if (one.allowed.includes('take_up')) known = at;
  };
  createEffect(on(() => [summary(id)?.needs_me, summary(id)?.state_changed_at], look));
  document.addEventListener('visibilitychange', look);
  onCleanup(() => document.removeEventListener('visibilitychange', look));
}

function Whole(props: { id: string; part: string; open: OpenTranscript }) {
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams<{ open?: string }>();
  const [purging, setPurging] = createSignal(false);
  const [tuning, setTuning] = createSignal(false);
  const [compacting, setCompacting] = createSignal(false);
  const [checking, setChecking] = createSignal(false);
  const [hand, setHand] = createSignal<'fork' | 'hand_off'>();
  const [aside, setAside] = createSignal(false);
  const [root, setRoot] = createSignal<HTMLElement>();
  const narrow = createMedia(NARROW);
  // Where there is room, what there is to know stands beside anyway: one goes there.
  const stands = (): boolean => !narrow() && props.part === '';
  const details = (): void => (stands() ? root()?.querySelector<HTMLElement>('.aside')?.focus() : void setAside(!aside()));
  useCommands(() => [{ id: 'details', title: t().task.details, group: t().keys.task, run: details }]);
  const one = createMemo(() => task(props.id)!);
  const files = (): number => one().repositories.reduce((sum, repository) => sum + repository.diff.files.length + (repository.diff.more_files ?? 0), 0);
  const at = (part: string): string => `/tasks/${props.id}${part === '' ? '' : `/${part}`}`;
  const actions = useTaskCommands(one, {
    purge: () => setPurging(true),
    tune: () => setTuning(true),
    compact: () => setCompacting(true),
    check: () => setChecking(true),
    fork: () => setHand('fork'),
    handOff: () => setHand('hand_off'),
    compare: () => navigate(`/compare/${one().spec.group?.group_id ?? ''}`),
    again: () => {
      rememberSpec(one().spec);
      navigate('/new');
    },
    sameWith: () => {
      rememberSpec(one().spec);
      navigate('/new?also');
    },
    save: () => import('../state/archive').then(({ exportTask }) => exportTask(props.id)),
    kept: () => navigate(`/trash?task=${props.id}`),
    rows: () => props.open.transcript().rows,
    goTo: (part) => navigate(at(part)),
    openFolder: (how) => void findFolder(props.id, how),
  });
  return (
    <div ref={setRoot} class="taskpage" data-aside={aside() ? '' : undefined} data-wide={props.part === '' ? undefined : ''}>
      <main id="main" class="main" tabindex="-1">
        <Header task={one()} actions={actions()} onAside={() => setAside(!aside())} asideOpen={aside()} />
        <Tabs
          label={t().task.sections}
          tabs={[
            { href: at(''), label: t().task.tabs.conversation, current: props.part === '' },
            { href: at('review'), label: t().task.tabs.review, count: files(), current: props.part === 'review' },
            { href: at('terminal'), label: t().terminal.tab, current: props.part === 'terminal' },
            { href: at('log'), label: t().task.tabs.log, current: props.part === 'log' },
          ]}
          end={<Show when={props.part === ''}><Ways /></Show>}
        />
        <Suspense fallback={<div class="main" aria-busy="true" />}>
          <Switch>
            <Match when={props.part === 'review'}>
              <Review task={one()} />
            </Match>
            <Match when={props.part === 'terminal'}>
              <Terminals task={one()} asked={query.open === 'shell'} onAsked={() => setQuery({ open: undefined }, { replace: true })} />
            </Match>
            <Match when={props.part === 'log'}>
              <Log id={props.id} open={props.open} />
            </Match>
            <Match when={true}>
              <Conversation task={one()} open={props.open} />
              <div class="dock">
                <Requests task={one()} />
                <Show when={!OVER.has(one().state)}>
                  <Queue task={one()} />
                  <Composer task={one()} />
                </Show>
              </div>
            </Match>
          </Switch>
        </Suspense>
      </main>
      <Aside task={one()} transcript={props.open.transcript()} onClose={() => setAside(false)} />
      <Show when={root()}>{(around) => <RefMenu task={one()} around={around()} />}</Show>
      <Show when={hand() === 'fork'}>
        <ForkDialog task={one()} onClose={() => setHand(undefined)} />
      </Show>
      <Show when={hand() === 'hand_off'}>
        <HandOffDialog task={one()} onClose={() => setHand(undefined)} />
      </Show>
      <Show when={tuning()}>
        <TuneDialog task={one()} onClose={() => setTuning(false)} />
      </Show>
      <Show when={compacting()}>
        <CompactDialog task={one()} onClose={() => setCompacting(false)} />
      </Show>
      <Show when={checking()}>
        <JournalDialog id={props.id} onClose={() => setChecking(false)} />
      </Show>
      <Show when={purging()}>
        <PurgeDialog task={one()} onClose={() => setPurging(false)} />
      </Show>
    </div>
  );
}

/** The ways through a conversation, which are commands of it. */
function Ways() {
  const ways = (): { id: string; icon: IconName; label: string }[] => [
    { id: 'find', icon: 'search', label: t().task.list.find },
    { id: 'turn-before', icon: 'up', label: t().task.list.previousTurn },
    { id: 'turn-after', icon: 'down', label: t().task.list.nextTurn },
  ];
  return <For each={ways()}>{(one) => <IconButton icon={one.icon} label={one.label} keys={keysById(one.id)} onClick={() => runById(one.id)} />}</For>;
}

/** Whether a media query holds, for as long as the calling component lives. */
function createMedia(query: string): Accessor<boolean> {
  const media = matchMedia(query);
  const [holds, setHolds] = createSignal(media.matches);
  const look = (): void => void setHolds(media.matches);
  media.addEventListener('change', look);
  onCleanup(() => media.removeEventListener('change', look));
  return holds;
}

function Missing() {
  return (
    <main id="main" class="main" tabindex="-1">
      <Empty main title={t().app.notFound} text={t().app.notFoundText}>
        <a class="button" href="/">
          {t().nav.inbox}
        </a>
      </Empty>
    </main>
  );
}
