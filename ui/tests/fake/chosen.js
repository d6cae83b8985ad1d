// What the fake knows of search, templates and settings.
import { refuse } from './commands.js';

const setting = (key, value, more = {}) => ({
  key, value, origin: 'default', allowed: '1 to 256', default: value, about: `What ${key} means.`, editable: true, live: true, waits: false, ...more,
});

/** What a world begins with. */
export const choices = () => ({ revision: 1, saved: {}, templates: new Map() });

const SETTINGS = [
  setting('data_dir', '/home/ada/.local/share/paddock', { editable: false, live: false, allowed: 'a path' }),
  setting('limits.parallel_tasks', '8'),
  setting('box.image', 'debian:12', { live: false, allowed: 'the name of an image with git in it' }),
  setting('purge.window_s', '3600', { allowed: '0 to 2592000 (seconds, 30 days)' }),
];

function view(state) {
  const settings = SETTINGS.map((one) => {
    const saved = state.saved[one.key];
    return saved === undefined ? one : { ...one, value: saved, saved, origin: 'set in Paddock', waits: !one.live };
  });
  return { values: Object.fromEntries(settings.map((one) => [one.key, one.value])), file: '/home/ada/.config/paddock/paddock.toml', revision: state.revision, settings };
}

function change(state, { set = {}, unset = [] }) {
  if (set['limits.parallel_tasks'] !== undefined && !/^\d+$/.test(set['limits.parallel_tasks'])) {
    const fields = { 'limits.parallel_tasks': 'give 1 to 256' };
    return { status: 400, json: { error: { code: 'invalid', message: 'a setting is not taken', details: { fields } } } };
  }
  Object.assign(state.saved, set);
  for (const key of unset) delete state.saved[key];
  state.revision += 1;
  return { json: view(state) };
}

const HITS = [
  { task_id: 't-auth', title: 'Fix the authentication bug', harness: 'claude', state: 'asking', seq: 1, kind: 'prompt', snippet: 'Fix the authentication bug in the api server', marks: [{ from: 8, to: 22 }] },
  { task_id: 't-auth', title: 'Fix the authentication bug', harness: 'claude', state: 'asking', seq: 12, kind: 'agent', snippet: 'authentication goes through 🐴 login.rs', marks: [{ from: 0, to: 14 }] },
  { task_id: 't-docs', title: 'Write docs', harness: 'codex', state: 'pending', seq: 1, kind: 'prompt', snippet: 'docs of authentication', marks: [{ from: 8, to: 22 }] },
];
/** Hits of a word that was said often, and how many of them are told at a time. */
const OFTEN = Array.from({ length: 7 }, (_, nth) => ({ task_id: 't-port', title: 'Port the CLI', harness: 'claude', state: 'running', seq: nth + 5, kind: nth % 2 === 0 ? 'agent' : 'output', snippet: `often, for the ${nth + 1}. time`, marks: [{ from: 0, to: 5 }] }));
const AT_ONCE = 5;

function search(query) {
  const [words, from] = [query.get('q').trim(), Number(query.get('cursor') ?? 0)];
  if (words.includes('"') && words.split('"').length % 2 === 0) return refuse(400, 'invalid', 'a quote is not closed: end the phrase with "');
  const all = (words === 'often' ? OFTEN : 'authentication'.startsWith(words) ? HITS : []).map((hit) => ({ ...hit, happened_at: '2026-11-21T20:00:00.000Z' }));
  const items = all.slice(from, from + AT_ONCE);
  return { json: { items, ranked: all.length, more: false, unread: 0, ...(from + AT_ONCE < all.length ? { next_cursor: String(from + AT_ONCE) } : {}) } };
}

const GAP = /\{\{\s*(\w+)\s*\}\}/g;
const filled = (spec, values) => ({ ...spec, prompt: spec.prompt.replace(GAP, (gap, name) => values[name] ?? gap) });

export const chosen = {
  'GET /settings': ({ chosen: state }) => ({ json: view(state) }),
  'PATCH /settings': ({ chosen: state }, _query, body) => change(state, body),
  'GET /search': (_world, query) => search(query),
  'GET /templates': ({ chosen: state }) => ({ json: { items: [...state.templates.values()] } }),
};

const ofTemplate = (act) => ({ chosen: { templates } }, [, name], body) => {
  const one = templates.get(decodeURIComponent(name));
  return one ? act(templates, one, body) : refuse(404, 'not_found', 'there is no such template', { what: 'template' });
};

export const chosenOne = [
  [/^PUT \/templates\/([^/]+)$/, ({ chosen: { templates } }, [, encoded], { spec }) => {
    const name = decodeURIComponent(encoded);
    if (!/^[a-z0-9._-]+$/.test(name)) return refuse(400, 'invalid', 'the name of a template has small letters, digits, - _ and . alone');
    const saved = { name, spec, updated_at: new Date().toISOString(), variables: [...new Set([...spec.prompt.matchAll(GAP)].map(([, gap]) => gap))] };
    templates.set(name, saved);
    return { json: saved };
  }],
  [/^DELETE \/templates\/([^/]+)$/, ofTemplate((templates, one) => (templates.delete(one.name), { json: one }))],
  [/^POST \/templates\/([^/]+)\/fill$/, ofTemplate((_, one, { values }) => {
    const missing = one.variables.filter((name) => (values[name] ?? '') === '');
    return missing.length > 0 ? refuse(400, 'invalid', `say what goes in for ${missing.join(', ')}`) : { json: filled(one.spec, values) };
  })],
];
