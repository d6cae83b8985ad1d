// Scenes with more of everything than a person would make, to see how quick the client stays: `long` has a
// task of 50,000 events, `middling` six of 2,000, `busy` twenty-four tasks that stream at once.
import { AUTH_PATCH } from './diffs.js';
import { MINUTE, REPO, say, setUp, tool } from './telling.js';

const CODE = Array.from({ length: 22 }, (_, nth) => `    let value_${nth} = parse(&input[${nth}]).map_err(|error| Failure::at(${nth}, error))?;`).join('\n');
const FAILURE = Array.from({ length: 14 }, (_, nth) => `error[E0308]: mismatched types, expected \`u${nth}\`\n  --> src/lib.rs:${nth + 4}:5`).join('\n');
const TABLE = '| module | callers | time |\n|---|---|---|\n| login | 12 | 84 ms |\n| session | 7 | 3 ms |\n| token | 31 | 0.4 ms |';

/** One step of work: what it says differs in kind and length, as it does in real conversations. */
function step(world, id, nth) {
  const looks = `Step ${nth}: I look at module ${nth % 97} and change what is needed.\n\n- it has ${nth % 13} callers\n- \`cargo check\` is clean`;
  if (nth % 11 === 3) say(world, id, `${looks}\n\n\`\`\`rust\nfn step_${nth}(input: &[&str]) -> Result<(), Failure> {\n${CODE}\n}\n\`\`\`\n\nThat is **all** of it.`, 1);
  else if (nth % 17 === 5) say(world, id, `${looks}\n\n${TABLE}`, 1);
  else say(world, id, looks, 1);
  tool(world, id, { tool: 'read', path: `${REPO}/src/m${nth % 97}.rs` }, { output: 'x\n' }, 1);
  if (nth % 7 === 2) tool(world, id, { tool: 'edit', path: `${REPO}/src/login.rs` }, { patch: AUTH_PATCH }, 1);
  tool(world, id, { tool: 'bash', command: `cargo check -p m${nth % 97}` }, nth % 41 === 0 ? { is_error: true, exit_code: 101, output: FAILURE } : { exit_code: 0, output: 'ok' }, 1);
  if (nth % 50 !== 49) return;
  world.tell(id, 'turn_finished', { outcome: 'completed', duration_ms: 42_000 }, 1);
  world.tell(id, 'user_message', { input_id: `more-${nth}`, content: `Go on with part ${nth}` }, 1);
}

function worker(world, id, prompt, count) {
  world.create(id, { prompt, repositories: [{ path: REPO }] }, 600 * MINUTE);
  setUp(world, id);
  const { events } = world.tasks.get(id);
  for (let nth = 0; events.length < count - 10; nth += 1) step(world, id, nth);
}

export function long(world) {
  worker(world, 't-long', 'Work for days', 50_000);
}

export function middling(world) {
  for (let nth = 0; nth < 6; nth += 1) {
    const id = `t-mid-${nth}`;
    worker(world, id, `Middling task ${nth}`, 2000);
    say(world, id, `The end of task ${nth}.`, 1);
  }
}

const PIECE = 'words that stream past at some forty kilobytes a second in every task at once. '.repeat(13);
/** Pieces of a message, each of 1 KB: forty a second, a message of four of them settled ten times a second. */
const PIECES = 4;

export function busy(world) {
  for (let nth = 0; nth < 24; nth += 1) {
    const id = `t-busy-${nth}`;
    world.create(id, { prompt: `Busy task ${nth}`, repositories: [{ path: REPO }] }, MINUTE);
    setUp(world, id, { branch: `paddock-${nth}` });
  }
  let beat = 0;
  const timer = setInterval(() => {
    beat += 1;
    for (let nth = 0; nth < 24; nth += 1) {
      const id = `t-busy-${nth}`;
      world.delta(id, 'text', `m-${nth}`, PIECE);
      // Not all in the same moment: agents keep no time with each other.
      if ((beat + nth) % PIECES === 0) say(world, id, PIECE.repeat(PIECES), 1);
      if ((beat + nth) % 40 === 0) tool(world, id, { tool: 'bash', command: `cargo check -p m${beat}` }, { exit_code: 0, output: 'ok' }, 1);
    }
  }, 25);
  timer.unref();
}
