// What can be done with one task now, as commands: the header's buttons and menu, the palette and the
// shortcuts all read this one list.
import { createMemo, type Accessor } from 'solid-js';
import type { Action, Task } from '../../api/types';
import type { IconName } from '../../components/Icon';
import { t } from '../../i18n';
import { useCommands, type Command } from '../../lib/commands';
import { clear, interrupt, restart, restore, revive, stop } from '../../state/actions';
import { copyText } from '../../state/copy';
import { harnessOf } from '../../state/harnesses';
import type { Row } from '../../state/rows';
import { conversationText } from '../../state/export';

export interface TaskCommand extends Command {
  icon: IconName;
  danger?: boolean;
  /** In the header itself, not behind its menu; with its words where it is the next thing to do. */
  front?: 'icon' | 'words';
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
  /** Reads its whole journal. */
  check: () => void;
  /** Saves all of it as a file. */
  save: () => Promise<void>;
  /** Shows what was kept of it. */
  kept: () => void;
  rows: () => readonly Row[];
  goTo: (part: string) => void;
}

export function useTaskCommands(task: Accessor<Task>, ways: Ways): Accessor<TaskCommand[]> {
  const list = createMemo(() => commandsOf(task(), ways));
  useCommands(list);
  return list;
}

function commandsOf(task: Task, ways: Ways): TaskCommand[] {
  const words = t().task;
  const id = task.task_id;
  const can = (action: Action): boolean => task.allowed.includes(action);
  const branch = task.repositories[0]?.branch;
  const has = harnessOf(task.spec.harness)?.abilities;
  const rests = task.state === 'waiting';
  const all: (TaskCommand | false)[] = [
    can('interrupt') && { id: 'interrupt', title: words.interrupt, icon: 'pause', keys: 'mod+.', always: true, front: 'icon', run: () => void interrupt(id), group: '' },
    can('revive') && { id: 'revive', title: words.revive, icon: 'play', keys: 'shift+r', front: 'words', run: () => void revive(id), group: '' },
    can('restore') && { id: 'restore', title: words.restore, icon: 'undo', front: 'words', run: () => void restore(id), group: '' },
    can('stop') && { id: 'stop', title: words.stop, icon: 'stop', keys: 'shift+s', front: 'icon', run: () => void stop(id), group: '' },
    { id: 'conversation', title: words.tabs.conversation, icon: 'comment', keys: '1', hidden: true, run: () => ways.goTo(''), group: '' },
    { id: 'review', title: words.tabs.review, icon: 'file', keys: '2', hidden: true, run: () => ways.goTo('review'), group: '' },
    { id: 'terminal', title: t().terminal.tab, icon: 'terminal', keys: '4', run: () => ways.goTo('terminal'), group: '' },
    { id: 'log', title: words.tabs.log, icon: 'list', keys: '3', hidden: true, run: () => ways.goTo('log'), group: '' },
    (task.state === 'purging' || task.state === 'purged') && { id: 'kept', title: t().box.trash.title, icon: 'trash', run: ways.kept, group: '' },
    can('fork') && { id: 'fork', title: t().hand.fork.action, icon: 'fork', keys: 'shift+f', run: ways.fork, group: '' },
    can('hand_off') && { id: 'hand-off', title: t().hand.handOff.action, icon: 'people', keys: 'shift+h', run: ways.handOff, group: '' },
    task.spec.group !== undefined && { id: 'compare', title: t().hand.group.action, icon: 'columns', run: ways.compare, group: '' },
    can('send') && { id: 'tune', title: t().policy.tune.open, icon: 'settings', keys: 'shift+m', run: ways.tune, group: '' },
    rests && has?.compact === true && { id: 'compact', title: t().policy.tune.compact, icon: 'rows', run: ways.compact, group: '' },
    rests && has?.clear === true && { id: 'clear', title: t().policy.tune.clear, icon: 'rows', run: () => void clear(id), group: '' },
    can('stop') && { id: 'restart', title: t().policy.silent.restart, icon: 'play', run: () => void restart(id), group: '' },
    { id: 'again', title: words.runAgain, icon: 'fork', run: ways.again, group: '' },
    branch !== undefined && { id: 'copy-branch', title: words.copyBranch, icon: 'branch', run: () => void copyText(branch), group: '' },
    { id: 'copy-id', title: words.copyId, icon: 'copy', run: () => void copyText(id), group: '' },
    { id: 'copy-text', title: words.copyText, icon: 'copy', run: () => void copyText(conversationText(ways.rows())), group: '' },
    { id: 'export', title: t().history.export.action, icon: 'download', run: () => void ways.save(), group: '' },
    { id: 'check-journal', title: t().journal.check.action, icon: 'check', run: ways.check, group: '' },
    can('purge') && { id: 'purge', title: words.remove, icon: 'trash', danger: true, run: ways.purge, group: '' },
  ];
  return all.filter((one) => one !== false).map((one) => ({ ...one, group: t().keys.task }));
}
