// The keys as the user sees them: what each does, under which heading, and what is in its way.
import { t } from '../i18n';
import { commands, keysOf } from '../lib/commands';
import { KEYS, KEY_IDS, clashes, type KeyGroup, type KeyId } from '../lib/keytable';

export function shortcutTitle(id: KeyId): string {
  return titles()[id];
}

function titles(): Record<KeyId, string> {
  const { nav, keys, task, review, home, box, policy, hand } = t();
  return {
    palette: nav.search, new: nav.newTask, undo: keys.undo, theme: keys.theme, keys: keys.openCheatSheet,
    next: keys.nextTask, inbox: nav.inbox, tasks: nav.allTasks, shelf: home.archive.title, hosts: nav.hosts, search: t().around.search.open,
    history: t().history.title, comparisons: t().history.groups.title, trash: box.trash.title, settings: nav.settings,
    'inbox-next': keys.next, 'inbox-previous': keys.previous, 'inbox-open': t().inbox.open,
    filter: nav.filter, 'row-next': home.go.next, 'row-previous': home.go.previous, 'put-aside': home.aside.hint, 'put-aside-asking': home.aside.asking,
    archive: home.archive.action, unarchive: home.archive.back, group: home.group.next, sort: home.sort.next,
    conversation: task.tabs.conversation, review: task.tabs.review, log: task.tabs.log, terminal: t().terminal.tab, 'shell-new': t().terminal.shell, 'open-editor': t().terminal.openEditor,
    details: task.details, interrupt: task.interrupt, stop: task.stop, revive: task.revive, fork: hand.fork.action, 'hand-off': hand.handOff.action,
    tune: policy.tune.open, again: task.runAgain, reply: keys.focusComposer, request: keys.focusRequest,
    find: task.list.find, 'turn-before': task.list.previousTurn, 'turn-after': task.list.nextTurn, end: task.list.toEnd,
    view: review.toggleView, scope: review.nextScope, 'file-next': review.nextFile, 'file-previous': review.previousFile,
    'file-viewed': review.viewedNext, 'file-fold': review.foldFile, 'files-fold': review.foldAll, 'file-filter': review.filter,
    'comments-send': review.sendAll, commit: review.commit, sync: review.sync,
    'card-once': policy.scopes.once, 'card-task': policy.scopes.task, 'card-repository': policy.scopes.repository, 'card-everywhere': policy.scopes.everywhere,
    'card-edit': `${t().inbox.approval}: ${policy.keep.edit}`, 'card-deny': task.request.deny, 'card-approve': task.request.planApprove, 'card-edit-plan': `${t().inbox.plan}: ${task.request.planEdit}`,
    'card-reject': task.request.planReject, 'card-own': task.request.own,
    'queue-up': box.queue.up, 'queue-down': box.queue.down, 'queue-send': box.queue.sendNow, 'queue-remove': box.queue.remove,
    'trash-next': keys.next, 'trash-previous': keys.previous, 'trash-restore': box.trash.restore, 'settings-search': t().set.search,
  };
}

const GROUPS: readonly KeyGroup[] = ['general', 'go', 'inbox', 'tasks', 'task', 'request', 'queue', 'review', 'trash', 'settings'];

function heading(group: KeyGroup): string {
  const { keys, nav, review, box, settings } = t();
  const all: Record<KeyGroup, string> = {
    general: keys.general, go: keys.go, inbox: keys.inbox, tasks: nav.tasks, task: keys.task, review: review.title,
    request: keys.request, queue: keys.queue, trash: box.trash.title, settings: settings.title,
  };
  return all[group];
}

/** All of them by heading, in an order of their own. */
export function shortcutGroups(): { group: KeyGroup; heading: string; ids: KeyId[] }[] {
  return GROUPS.map((group) => ({ group, heading: heading(group), ids: KEY_IDS.filter((id) => KEYS[id].group === group) }));
}

/** What is in the way of `id` having `keys`. */
export function inTheWay(id: KeyId, keys: string): KeyId[] {
  return clashes(id, keys, (other) => keysOf({ id: other }));
}

/** Whether what a key does is on the page now. */
export function isHere(id: KeyId): boolean {
  return commands().some((one) => one.id === id);
}
