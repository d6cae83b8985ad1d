// What can be done with one task now, as commands: the header's buttons and menu, the palette and the
// shortcuts all read this one list.
import { createMemo, type Accessor } from 'solid-js';
import type { Action, StateName, Task } from '../../api/types';
import type { IconName } from '../../components/Icon';
import { t } from '../../i18n';
import { useCommands, type Command } from '../../lib/commands';
import { archive, clear, interrupt, putAside, restart, restore, revive, stop, takeUp, unarchive } from '../../state/actions';
import { inShell } from '../../platform/shell';
import { copyText } from '../../state/copy';
import { harnessOf } from '../../state/harnesses';
import type { Row } from '../../state/rows';
import { conversationText } from '../../state/export';

export interface TaskCommand extends Command {
  icon: IconName;
  danger?: boolean;
  /** In the header itself, not behind its menu; with its words where it is the next thing to do. */
  front?: 'icon' | 'words';
  /** Has a place on the page already, or is too rare for the menu: the palette and keys have it. */
  beside?: true;
}

interface Ways {
  purge: () => void;
  fork: () => void;
  handOff: () => void;
  compare: () => void;
  /** Changes how the agent works. */
  tune: () => void;
  /** Asks what the agent is to keep of its context. */
  compact: () => void;
  /** Begins a new task with the same specification. */
  again: () => void;
  /** Begins one for other agents beside it. */
  sameWith: () => void;
  /** Reads its whole journal. */
  check: () => void;
  /** Saves all of it as a file. */
  save: () => Promise<void>;
  /** Shows what was kept of it. */
  kept: () => void;
  rows: () => readonly Row[];
  goTo: (part: string) => void;
  openFolder: (how: FolderWay) => void;
}

export function useTaskCommands(task: Accessor<Task>, ways: Ways): Accessor<TaskCommand[]> {
  const list = createMemo(() => commandsOf(task(), ways));
  useCommands(list);
  return list;
}

/** In these states there is no box to be in. */
const GONE: ReadonlySet<StateName> = new Set<StateName>(['failed', 'purging', 'purged']);

type FolderWay = 'editor' | 'folder';
const FOLDER_WAYS: readonly FolderWay[] = ['editor', 'folder'];

/** A browser can only give the path. */
function folderTitle(how: FolderWay): string {
  const words = t().terminal;
  if (!inShell()) return words.copyPath;
  return how === 'editor' ? words.openEditor : words.openFolder;
}

/** Where something is asked, plain letters are for the answer: what is done goes by a name and a key of its own. */
function asks({ questions, approvals, plan }: Task): boolean {
  return questions.length + approvals.length > 0 || plan !== undefined;
}

function commandsOf(task: Task, ways: Ways): TaskCommand[] {
  const words = t().task;
  const id = task.task_id;
  const can = (action: Action): boolean => task.allowed.includes(action);
  const branch = task.repositories[0]?.branch;
  const has = harnessOf(task.spec.harness)?.abilities;
  const rests = task.state === 'waiting';
  const terminals = task.box_kind !== undefined && !GONE.has(task.state);
  const all: (TaskCommand | false)[] = [
    can('interrupt') && { id: 'interrupt', title: words.interrupt, icon: 'pause', always: true, front: 'icon', run: () => void interrupt(id), group: '' },
    can('revive') && { id: 'revive', title: words.revive, icon: 'play', front: 'words', run: () => void revive(id), group: '' },
    can('restore') && { id: 'restore', title: words.restore, icon: 'undo', front: 'words', run: () => void restore(id), group: '' },
    can('stop') && { id: 'stop', title: words.stop, icon: 'stop', front: 'icon', run: () => void stop(id), group: '' },
    { id: 'conversation', title: words.tabs.conversation, icon: 'comment', beside: true, run: () => ways.goTo(''), group: '' },
    { id: 'review', title: words.tabs.review, icon: 'file', beside: true, run: () => ways.goTo('review'), group: '' },
    { id: 'terminal', title: t().terminal.tab, icon: 'terminal', run: () => ways.goTo('terminal'), group: '' },
    { id: 'log', title: words.tabs.log, icon: 'list', beside: true, run: () => ways.goTo('log'), group: '' },
    terminals && { id: 'shell-new', title: t().terminal.shell, icon: 'terminal', beside: true, run: () => ways.goTo('terminal?open=shell'), group: '' },
    ...(task.box_kind !== 'worktree' ? [] : inShell() ? FOLDER_WAYS : FOLDER_WAYS.slice(1)).map(
      (how): TaskCommand => ({ id: `open-${how}`, title: folderTitle(how), icon: 'edit', beside: true, run: () => ways.openFolder(how), group: '' }),
    ),
    (task.state === 'purging' || task.state === 'purged') && { id: 'kept', title: t().box.trash.title, icon: 'trash', run: ways.kept, group: '' },
    can('fork') && { id: 'fork', title: t().hand.fork.action, icon: 'fork', run: ways.fork, group: '' },
    can('hand_off') && { id: 'hand-off', title: t().hand.handOff.action, icon: 'people', run: ways.handOff, group: '' },
    task.spec.group !== undefined && { id: 'compare', title: t().hand.group.action, icon: 'columns', run: ways.compare, group: '' },
    can('send') && { id: 'tune', title: t().policy.tune.open, icon: 'settings', run: ways.tune, group: '' },
    rests && has?.compact === true && { id: 'compact', title: t().policy.tune.compact, icon: 'rows', run: ways.compact, group: '' },
    rests && has?.clear === true && { id: 'clear', title: t().policy.tune.clear, icon: 'rows', run: () => void clear(id), group: '' },
    can('stop') && { id: 'restart', title: t().policy.silent.restart, icon: 'play', run: () => void restart(id), group: '' },
    can('put_aside') && { id: asks(task) ? 'put-aside-asking' : 'put-aside', title: t().home.aside.action, icon: 'later', run: () => void putAside(task), group: '' },
    can('take_up') && { id: 'take-up', title: t().home.aside.back, icon: 'inbox', run: () => void takeUp(id), group: '' },
    can('archive') && { id: 'archive', title: t().home.archive.action, icon: 'archive', run: () => void archive([task]), group: '' },
    can('unarchive') && { id: 'unarchive', title: t().home.archive.back, icon: 'archive', front: 'words', run: () => void unarchive([id]), group: '' },
    { id: 'same-with', title: t().hand.group.also, icon: 'people', beside: true, run: ways.sameWith, group: '' },
    // Where nothing came of it, this is the next thing to do.
    { id: 'again', title: words.runAgain, icon: 'fork', ...(task.state === 'failed' ? { front: 'words' as const } : {}), run: ways.again, group: '' },
    branch !== undefined && { id: 'copy-branch', title: words.copyBranch, icon: 'branch', run: () => void copyText(branch), group: '' },
    { id: 'copy-id', title: words.copyId, icon: 'copy', run: () => void copyText(id), group: '' },
    { id: 'copy-text', title: words.copyText, icon: 'copy', run: () => void copyText(conversationText(ways.rows())), group: '' },
    { id: 'export', title: t().history.export.action, icon: 'download', run: () => void ways.save(), group: '' },
    { id: 'check-journal', title: t().journal.check.action, icon: 'check', run: ways.check, group: '' },
    can('purge') && { id: 'purge', title: words.remove, icon: 'trash', danger: true, run: ways.purge, group: '' },
  ];
  return all.filter((one) => one !== false).map((one) => ({ ...one, group: t().keys.task }));
}
