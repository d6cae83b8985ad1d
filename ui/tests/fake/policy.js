// What the fake answers around what agents may do, and with whose key: rules, accounts, the vault.
import { refuse } from './commands.js';

const page = (items) => ({ json: { items } });
const gone = (what) => refuse(404, 'not_found', `there is no such ${what}`, { what });

/** What a world begins with. */
export function policies() {
  return {
    rules: [
      { rule_id: 'r1', verdict: 'allow', reach: { scope: 'everywhere' }, subject: { on: 'command', command: 'cargo test *' }, made_at: '2026-11-20T20:00:00.000Z' },
      { rule_id: 'r2', verdict: 'deny', reach: { scope: 'repository', path: '/home/ada/api-server' }, subject: { on: 'edit', paths: 'migrations/**' }, made_at: '2026-11-21T20:00:00.000Z' },
    ],
    accounts: [
      { harness: 'claude', name: 'work', variables: ['ANTHROPIC_API_KEY'], is_default: true, made_at: '2026-11-20T20:00:00.000Z', in_use_by: ['t-auth', 't-port'] },
      { harness: 'claude', name: 'own', variables: ['CLAUDE_CODE_OAUTH_TOKEN'], is_default: false, made_at: '2026-11-21T20:00:00.000Z', in_use_by: [] },
    ],
    secrets: ['ANTHROPIC_API_KEY'],
  };
}

const matches = (pattern, text) => new RegExp(`^${pattern.split('*').map((part) => part.replace(/[.?+^$()[\]{}|\\]/g, '\\$&')).join('.*')}$`).test(text);

/** Of a command line everything must be allowed by itself; denying wins. */
function judge({ rules }, { command = '' }) {
  const parts = command.split('&&').map((one) => one.trim()).map((part) => {
    const rule = rules.find(({ subject }) => subject.on === 'command' && matches(subject.command.replace(/ \*$/, '*'), part));
    return { command: part, ...(rule ? { rule } : {}) };
  });
  const verdicts = parts.map(({ rule }) => rule?.verdict ?? 'ask');
  const verdict = verdicts.includes('deny') ? 'deny' : verdicts.includes('ask') ? 'ask' : 'allow';
  return { verdict, rules: parts.flatMap(({ rule }) => (rule ? [rule] : [])), parts };
}

export const POLICY = {
  'GET /rules': ({ policy }) => page(policy.rules),
  'POST /rules': ({ policy }, _query, body) => {
    if (body.subject.command === '*') return refuse(400, 'invalid', 'a rule for every command is none: name what it begins with');
    const rule = { rule_id: `r${policy.rules.length + 1}-new`, made_at: new Date().toISOString(), ...body };
    policy.rules.push(rule);
    return { status: 201, json: rule };
  },
  'POST /rules/test': ({ policy }, _query, { asked }) => ({ json: judge(policy, asked) }),
  'GET /accounts': ({ policy }) => page(policy.accounts),
  'POST /accounts': ({ policy }, _query, { harness, name, values }) => {
    if (!/^[a-z0-9-]+$/.test(name)) return refuse(400, 'invalid', 'the name of an account has small letters, digits and - alone');
    const account = { harness, name, variables: Object.keys(values), is_default: !policy.accounts.some((one) => one.harness === harness), made_at: new Date().toISOString(), in_use_by: [] };
    policy.accounts.push(account);
    return { status: 201, json: account };
  },
  'GET /secrets': ({ policy }) => ({ json: { vault: { kind: 'key_file', why: 'the system’s keychain cannot be used: there is none' }, items: policy.secrets.map((name) => ({ name, used_by: name === 'ANTHROPIC_API_KEY' ? ['claude'] : [] })) } }),
};

const ofAccount = (act) => ({ policy }, [, harness, name], body, query) => {
  const at = policy.accounts.findIndex((one) => one.harness === harness && one.name === name);
  return at === -1 ? gone('account') : act(policy, at, query);
};

export const POLICY_ONE = [
  [/^POST \/harnesses\/([^/]+)\/install$/, (world, [, name]) => {
    if (world.installs === undefined) return refuse(503, 'failed', 'the release cannot be fetched: look at the network, then try again');
    const { steps, problem } = world.installs;
    if (problem === undefined) world.installed.add(name);
    const told = (event, data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    const end = problem === undefined ? '' : told('failed', { error: { code: 'failed', message: problem, details: null } });
    return { text: steps.map((text) => told('progress', { text })).join('') + end };
  }],
  [/^DELETE \/rules\/([^/]+)$/, ({ policy }, [, id]) => {
    const at = policy.rules.findIndex((one) => one.rule_id === id);
    return at === -1 ? gone('rule') : { json: policy.rules.splice(at, 1)[0] };
  }],
  [/^POST \/accounts\/([^/]+)\/([^/]+)\/default$/, ofAccount((policy, at) => {
    const chosen = policy.accounts[at];
    policy.accounts = policy.accounts.map((one) => (one.harness === chosen.harness ? { ...one, is_default: one.name === chosen.name } : one));
    return { json: policy.accounts[at] };
  })],
  [/^DELETE \/accounts\/([^/]+)\/([^/]+)$/, ofAccount((policy, at, query) => {
    if (policy.accounts[at].in_use_by.length > 0 && query.get('force') !== 'true') return refuse(409, 'conflict', 'tasks work with this account', { paths: [] });
    return { json: policy.accounts.splice(at, 1)[0] };
  })],
  [/^PUT \/secrets\/([^/]+)$/, ({ policy }, [, name], { value }) => {
    if (!/^[A-Za-z_.0-9]+$/.test(name)) return refuse(400, 'invalid', 'a variable has letters, digits and _ alone');
    if (value !== '' && !policy.secrets.includes(name)) policy.secrets.push(name);
    return { json: { name, used_by: [] } };
  }],
  [/^DELETE \/secrets\/([^/]+)$/, ({ policy }, [, name]) => {
    if (!policy.secrets.includes(name)) return gone('secret');
    policy.secrets = policy.secrets.filter((one) => one !== name);
    return { json: { name, used_by: [] } };
  }],
];
