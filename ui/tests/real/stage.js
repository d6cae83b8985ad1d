// What a real journey stands on: a directory of its own with a repository in it, the real server, and the
// `paddock` program. `PADDOCK` names the program; what else is needed stands beside it.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PADDOCK = process.env.PADDOCK ?? here('../../../target/debug/paddock');
const MAIN = `use std::env;

fn main() {
    let name = env::args().nth(1);
    match name {
        Some(name) => println!("Hello, {name}!"),
        None => {}
    }
}
`;

export class Stage {
  dir = mkdtempSync(join(tmpdir(), 'paddock-ui-'));
  data = join(this.dir, 'data');
  repository = join(this.dir, 'sample');
  env = { ...process.env, HOME: join(this.dir, 'home') };
  ui = process.env.DIST ?? here('../../dist');
  /** The window's program. */
  desktop = process.env.PADDOCK_DESKTOP ?? join(dirname(PADDOCK), 'paddock-desktop');
  server;

  constructor() {
    mkdirSync(this.env.HOME, { recursive: true });
    this.repositoryAt(this.repository, { 'main.rs': MAIN, 'README.md': '# Sample\n\nSays hello.\n' });
  }

  /** The `paddock` program, as a client of this stage's server. */
  paddock(...args) {
    return execFileSync(PADDOCK, ['--data', this.data, ...args], { env: this.env, encoding: 'utf8' });
  }

  /** A repository with one commit. */
  repositoryAt(dir, files) {
    mkdirSync(dir, { recursive: true });
    const git = (...args) => execFileSync('git', args, { cwd: dir, env: this.env, stdio: 'pipe' });
    git('init', '-q', '-b', 'main');
    git('config', 'user.email', 'ada@example.org');
    git('config', 'user.name', 'Ada');
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    git('add', '.');
    git('commit', '-qm', 'Begin');
  }

  subjects(branch, dir = this.repository) {
    return execFileSync('git', ['log', '--format=%s', branch], { cwd: dir, encoding: 'utf8' }).trim().split('\n');
  }

  /** Starts the server; its address. */
  async serve(listen = '127.0.0.1:0') {
    this.server = spawn(PADDOCK, ['serve', '--data', this.data, '--listen', listen, '--ui', this.ui], { env: this.env, stdio: ['ignore', 'pipe', process.env.PADDOCK_LOG ? 'inherit' : 'ignore'] });
    const line = await new Promise((resolve, reject) => {
      this.server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
      createInterface({ input: this.server.stdout }).once('line', resolve);
    });
    return JSON.parse(line).url;
  }

  async stopServer(signal = 'SIGTERM') {
    if (!this.server || this.server.exitCode !== null || this.server.signalCode !== null) return;
    const ended = new Promise((resolve) => this.server.once('exit', resolve));
    this.server.kill(signal);
    await ended;
  }

  /** Ends whatever was started here: relays and agents outlive servers, a window stays in the tray, and none is to be left behind. */
  clearAway() {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const of = `${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}\0${readlinkSync(`/proc/${pid}/cwd`)}`;
        if (Number(pid) !== process.pid && of.includes(this.dir)) process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It is gone by itself, or nobody's business.
      }
    }
  }

  async end() {
    await this.stopServer();
    this.clearAway();
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}
