// Every key that can be chosen anew, whether what it does is on the page or not: its name, under which heading it
// is told, where it holds, and what it is unless the user chose another. Two of them are in each other's way where
// they can hold at the same time.

export type KeyGroup = 'general' | 'go' | 'inbox' | 'tasks' | 'task' | 'review' | 'request' | 'queue' | 'trash' | 'settings';

/** Where a key holds: on a page, in a part of it, or on a thing that has the focus. */
type Where =
  | 'everywhere' | 'inbox' | 'restful_inbox' | 'tasks' | 'trash' | 'settings' | 'task' | 'restful_task' | 'conversation' | 'review'
  | 'question' | 'approval' | 'plan' | 'queue';

export interface KeyRow {
  group: KeyGroup;
  where: readonly Where[];
  /** Nothing where there is none at first. */
  keys?: string;
  /** Moves by a step: goes on while its key is held. */
  repeats?: true;
}

const row = (group: KeyGroup, where: Where | readonly Where[], keys?: string): KeyRow => ({
  group,
  where: typeof where === 'string' ? [where] : where,
  ...(keys === undefined ? {} : { keys }),
});

const step = (group: KeyGroup, where: Where, keys: string): KeyRow => ({ ...row(group, where, keys), repeats: true });

const TALK: readonly Where[] = ['conversation', 'inbox'];

export const KEYS = {
  palette: row('general', 'everywhere', 'mod+k'),
  new: row('general', 'everywhere', 'c'),
  undo: row('general', 'everywhere', 'z'),
  theme: row('general', 'everywhere'),
  keys: row('general', 'everywhere', '?'),
  next: row('go', 'everywhere', 'g n'),
  inbox: row('go', 'everywhere', 'g i'),
  tasks: row('go', 'everywhere', 'g t'),
  shelf: row('go', 'everywhere', 'g a'),
  hosts: row('go', 'everywhere', 'g h'),
  search: row('go', 'everywhere', 'mod+shift+f'),
  history: row('go', 'everywhere', 'g j'),
  comparisons: row('go', 'everywhere'),
  trash: row('go', 'everywhere', 'g x'),
  settings: row('go', 'everywhere', 'g s'),
  'inbox-next': step('inbox', 'inbox', 'j'),
  'inbox-previous': step('inbox', 'inbox', 'k'),
  'inbox-open': row('inbox', 'inbox', 'enter'),
  filter: row('tasks', 'tasks', '/'),
  'row-next': step('tasks', 'tasks', 'j'),
  'row-previous': step('tasks', 'tasks', 'k'),
  'put-aside': row('tasks', ['tasks', 'restful_inbox', 'restful_task'], 'e'),
  // Where something is asked the plain letter is for the answer.
  'put-aside-asking': row('tasks', ['question', 'approval', 'plan', 'review', 'queue'], 'shift+e'),
  archive: row('tasks', ['tasks', 'restful_task'], 'shift+a'),
  unarchive: row('tasks', ['tasks', 'restful_task'], 'u'),
  group: row('tasks', 'tasks', 'shift+g'),
  sort: row('tasks', 'tasks', 'shift+o'),
  conversation: row('task', 'task', '1'),
  review: row('task', 'task', '2'),
  log: row('task', 'task', '3'),
  terminal: row('task', 'task', '4'),
  'shell-new': row('task', 'task'),
  'open-editor': row('task', 'task'),
  details: row('task', 'task', 'd'),
  interrupt: row('task', 'task', 'mod+.'),
  stop: row('task', 'task', 'shift+s'),
  revive: row('task', 'task', 'shift+r'),
  fork: row('task', 'task', 'shift+f'),
  'hand-off': row('task', 'task', 'shift+h'),
  tune: row('task', 'task', 'shift+m'),
  again: row('task', 'task'),
  reply: row('task', TALK, 'r'),
  request: row('task', TALK, 'a'),
  find: row('task', 'conversation', 'mod+f'),
  'turn-before': step('task', 'conversation', '['),
  'turn-after': step('task', 'conversation', ']'),
  end: row('task', 'conversation', 'shift+g'),
  view: row('review', 'review', 's'),
  scope: row('review', 'review', 'w'),
  'file-next': step('review', 'review', 'j'),
  'file-previous': step('review', 'review', 'k'),
  'file-viewed': row('review', 'review', 'v'),
  'file-fold': row('review', 'review', 'x'),
  'files-fold': row('review', 'review', 'shift+x'),
  'file-filter': row('review', 'review', '/'),
  'comments-send': row('review', 'review', 'mod+enter'),
  commit: row('review', 'review', 'shift+c'),
  sync: row('review', 'review', 'shift+p'),
  'card-once': row('request', 'approval', 'y'),
  'card-task': row('request', 'approval', 'shift+t'),
  'card-repository': row('request', 'approval', 'shift+o'),
  'card-everywhere': row('request', 'approval', 'shift+a'),
  'card-edit': row('request', 'approval', 'e'),
  'card-deny': row('request', 'approval', 'n'),
  'card-approve': row('request', 'plan', 'y'),
  'card-edit-plan': row('request', 'plan', 'e'),
  'card-reject': row('request', 'plan', 'n'),
  'card-own': row('request', 'question', 'o'),
  'queue-up': row('queue', 'queue', 'alt+arrowup'),
  'queue-down': row('queue', 'queue', 'alt+arrowdown'),
  'queue-send': row('queue', 'queue', 'mod+enter'),
  'queue-remove': row('queue', 'queue', 'delete'),
  'trash-next': step('trash', 'trash', 'j'),
  'trash-previous': step('trash', 'trash', 'k'),
  'trash-restore': row('trash', 'trash', 'shift+r'),
  'settings-search': row('settings', 'settings', '/'),
} as const satisfies Record<string, KeyRow>;

export type KeyId = keyof typeof KEYS;

export const KEY_IDS = Object.keys(KEYS) as KeyId[];

/** The row of `id`; nothing where its key cannot be chosen. */
export function keyRow(id: string): KeyRow | undefined {
  return Object.hasOwn(KEYS, id) ? KEYS[id as KeyId] : undefined;
}

/** What else holds where a thing holds; `everywhere` is with all of them. */
const BESIDE: Partial<Record<Where, readonly Where[]>> = {
  task: ['restful_task', 'conversation', 'review', 'question', 'approval', 'plan', 'queue'],
  conversation: ['question', 'approval', 'plan', 'queue'],
  restful_task: ['conversation', 'review', 'queue'],
  inbox: ['restful_inbox', 'question', 'approval', 'plan'],
};

function together(one: Where, other: Where): boolean {
  return one === other || one === 'everywhere' || other === 'everywhere' || (BESIDE[one] ?? []).includes(other) || (BESIDE[other] ?? []).includes(one);
}

/** Whether two keys, each of one stroke or two, are in each other's way where both hold. */
export function clash(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);
}

/** What is in the way of `id` having `keys`, where everything else has what `keysOf` says. */
export function clashes(id: KeyId, keys: string, keysOf: (id: KeyId) => string | undefined): KeyId[] {
  const { where }: KeyRow = KEYS[id];
  return KEY_IDS.filter((other) => {
    const theirs = keysOf(other);
    if (other === id || theirs === undefined || !clash(keys, theirs)) return false;
    return where.some((one) => (KEYS[other] as KeyRow).where.some((two) => together(one, two)));
  });
}
