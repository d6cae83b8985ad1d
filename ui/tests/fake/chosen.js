// What the fake knows of search, templates and settings.
import { refuse } from './commands.js';

const setting = (key, value, more = {}) => ({
  key, value, origin: 'default', allowed: '1 to 256', default: value, about: `What ${key} means.`, editable: true, live: true, waits: false, ...more,
});

/** What a world begins with. */
export const choices = () => ({ revision: 1, saved: {}, templates: new Map() });

const SETTINGS = [
  setting('data_dir', '/home/ada/.local/share/paddock', { editable: false, live: false, origin: 'flag for `data_dir`', default: "the user's data directory, `paddock` in it", allowed: 'a path' }),
  setting('toolbox_dir', '/home/ada/.local/share/paddock/toolbox', { live: false, default: '`toolbox` in the data directory', allowed: 'a path' }),
  setting('listen', '127.0.0.1:7230', { live: false, allowed: 'an IP address and a port' }),
  setting('log', 'info', { live: false, allowed: 'a filter such as info' }),
  setting('engine.socket', undefined, { live: false, default: '', allowed: 'the path of a Unix socket' }),
  setting('task.harness', 'claude', { allowed: 'the name of an agent, such as claude' }),
  setting('task.model', undefined, { default: '', allowed: 'a model in the words of the agent' }),
  setting('task.permission_mode', 'full_auto', { allowed: 'full_auto, accept_edits, ask or plan' }),
  setting('box.default_kind', undefined, { default: '', allowed: 'container or worktree' }),
  setting('box.image', 'debian:12', { live: false, origin: '/home/ada/.config/paddock/paddock.toml:3', default: 'buildpack-deps:bookworm-scm', allowed: 'the name of an image with git in it' }),
  setting('box.memory_mib', '8192', { allowed: '64 to 4194304 (MiB)' }),
  setting('box.cpus', undefined, { default: '', allowed: '0.01 to 1024' }),
  setting('box.pids', '4096', { allowed: '16 to 1048576' }),
  setting('box.network', 'bridge', { allowed: 'bridge or none' }),
  setting('limits.parallel_tasks', '8'),
  setting('limits.disk_low_mib', '512', { allowed: '0 to 4194304 (MiB); 0 for no such mark' }),
  setting('limits.resume', 'off', { allowed: 'on or off' }),
  setting('limits.silent_after_s', '300', { origin: 'environment variable `PADDOCK_LIMITS_SILENT_AFTER_S`', value: '90', allowed: '5 to 86400 (seconds)' }),
  setting('purge.window_s', '3600', { allowed: '0 to 2592000 (seconds, 30 days)' }),
  setting('trash.keep_days', undefined, { default: '', allowed: '1 to 36500 (days)' }),
  setting('journal.compress_after_h', '168', { allowed: '0 to 876000 (hours)' }),
  setting('journal.keep_days', undefined, { default: '', allowed: '14 to 36500 (days)' }),
  setting('journal.keep_artifacts_days', undefined, { default: '', allowed: '1 to 36500 (days)' }),
  setting('stop.grace_ms', '10000', { allowed: '0 to 600000 (milliseconds, 10 minutes)' }),
  setting('sessions.home', undefined, { default: '', allowed: 'a path' }),
  setting('vault.kind', 'auto', { live: false, allowed: 'auto or file' }),
  setting('git.remote', 'origin', { allowed: 'the name of a remote' }),
  setting('scan.max_binary_bytes', '500000', { allowed: '0 to 1099511627776 (bytes, 1 TiB)' }),
  setting('scan.allow', '["fixtures/*.pem", "docs/keys.md"]', { default: '[]', origin: '/home/ada/.config/paddock/paddock.toml:9', allowed: 'a list of paths' }),
  setting('provider.codex.OPENAI_API_KEY', '(secret)', { editable: false, live: false, default: '', origin: 'environment variable `PADDOCK_PROVIDER_CODEX_OPENAI_API_KEY`', allowed: 'any text', about: 'An environment variable for an agent program.' }),
];

function view(state) {
  const settings = SETTINGS.map((one) => {
    const saved = state.saved[one.key];
    if (saved === undefined) return one;
    // The environment and flags go before what was set.
    return /^(environment|flag)/.test(one.origin) ? { ...one, saved } : { ...one, value: one.key === 'scan.allow' ? JSON.stringify(saved.split(',')) : saved, saved, origin: 'set in Paddock (/home/ada/.local/share/paddock/settings.json)', waits: !one.live };
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
