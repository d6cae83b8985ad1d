// What the fake knows of search, templates, keys and settings.
const setting = (key, value, more = {}) => ({
  key, value, origin: 'default', allowed: '1 to 256', default: value, about: `What ${key} means.`, editable: true, live: true, waits: false, ...more,
});

const state = { revision: 1, saved: {}, templates: new Map(), secrets: ['ANTHROPIC_API_KEY'] };

const SETTINGS = [
  setting('data_dir', '/home/ada/.local/share/paddock', { editable: false, live: false, allowed: 'a path' }),
  setting('limits.parallel_tasks', '8'),
  setting('box.image', 'debian:12', { live: false, allowed: 'the name of an image with git in it' }),
  setting('purge.window_s', '3600', { allowed: '0 to 2592000 (seconds, 30 days)' }),
];

function view() {
  const settings = SETTINGS.map((one) => {
    const saved = state.saved[one.key];
    return saved === undefined ? one : { ...one, value: saved, saved, origin: 'set in Paddock', waits: !one.live };
  });
  return { values: Object.fromEntries(settings.map((one) => [one.key, one.value])), file: '/home/ada/.config/paddock/paddock.toml', revision: state.revision, settings };
}

function change({ set = {}, unset = [] }) {
  if (set['limits.parallel_tasks'] !== undefined && !/^\d+$/.test(set['limits.parallel_tasks'])) {
    const fields = { 'limits.parallel_tasks': 'give 1 to 256' };
    return { status: 400, json: { error: { code: 'invalid', message: 'a setting is not taken', details: { fields } } } };
  }
  Object.assign(state.saved, set);
  for (const key of unset) delete state.saved[key];
  state.revision += 1;
  return { json: view() };
}

const HITS = [
  { task_id: 't-auth', title: 'Fix the authentication bug', harness: 'claude', state: 'asking', seq: 1, kind: 'prompt', snippet: 'Fix the authentication bug in the api server', marks: [{ from: 8, to: 22 }] },
  { task_id: 't-auth', title: 'Fix the authentication bug', harness: 'claude', state: 'asking', seq: 12, kind: 'agent', snippet: 'authentication goes through 🐴 login.rs', marks: [{ from: 0, to: 14 }] },
  { task_id: 't-docs', title: 'Write docs', harness: 'codex', state: 'pending', seq: 1, kind: 'prompt', snippet: 'docs of authentication', marks: [{ from: 8, to: 22 }] },
];

export const chosen = {
  'GET /settings': () => ({ json: view() }),
  'PATCH /settings': (_world, _query, body) => change(body),
  'GET /search': (_world, query) => {
    const found = 'authentication'.startsWith(query.get('q').trim()) ? HITS.map((hit) => ({ ...hit, happened_at: '2026-11-21T20:00:00.000Z' })) : [];
    return { json: { items: found, ranked: found.length, more: false, unread: 0 } };
  },
  'GET /templates': () => ({ json: { items: [...state.templates.values()] } }),
  'GET /secrets': () => ({ json: { vault: { kind: 'key_file', why: 'the system’s keychain cannot be used: there is none' }, items: state.secrets.map((name) => ({ name, used_by: ['claude'] })) } }),
};
