// What goes beyond one repository and one agent: work on two repositories, squashing with its conflicts, a shell in the
// box, a fork, and rules that are made, tried and taken back; steps like those of the story, by mouse and by keyboard
// alone, in the browser and in the window.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { button, link, palette, radio, until } from './hand.js';

const PROMPT = 'write sample/near.txt 1\nwrite library/far.txt 2\nbash cd sample && git add . && git commit -qm Here\nsay Both are changed.';
const [FIRST, OTHER] = ['Greet by day', 'Greet nobody'];
const REPOSITORY = { label: 'Repository' };
const CHOICE = { css: 'select', label: 'Repository' };
const SYNC = { role: 'button', name: 'Sync', last: true };
const SHELL = { label: 'Terminal shell-1' };
const FORK = 'say The fork speaks.';

const said = (text) => ({ css: '.agent', text });
/** A file among the changes beside the conversation. */
const counted = (name) => ({ css: '.files a', text: name });
const file = (name) => ({ css: '.fileview', text: name });
const shown = (text) => ({ css: '.xterm-rows', text });
const git = (dir, ...args) => execFileSync('git', args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' }).trim();
const pushed = ({ remote }) => git(remote, 'log', '--format=%s', 'main').split('\n').join();
const both = (hand) => until(() => hand.page.evaluate(() => [...document.querySelectorAll('.repo')].filter((one) => one.textContent.includes('On main')).length === 2, () => undefined), 'both repositories to be found');

/** Opens the squash of a task in its review. */
const squash = {
  async mouse({ hand }, title) {
    await hand.clicks(link(title));
    await hand.clicks(link('Review'));
    await hand.sees(file('README.md'));
    await hand.clicks(button('Sync…'));
    await hand.chooses(radio('Squash onto the default branch'));
  },
  async keys({ hand }, title) {
    await palette(hand, title);
    await hand.sees({ css: 'h1', text: title });
    await hand.presses('2');
    await hand.sees(file('README.md'));
    await hand.presses('Shift+p');
    await hand.reaches({ css: 'dialog[open] fieldset' });
    await hand.reaches(radio('Squash onto the default branch'), 'ArrowDown');
  },
};

export const WIDER = [
  {
    shows: 'a task is started on two repositories',
    async mouse({ hand, stage, library }) {
      await hand.clicks(link('New task'));
      await hand.fills({ label: 'What should the agent do?' }, PROMPT);
      await hand.fills(REPOSITORY, stage.repository);
      await hand.clicks(button('Add a repository'));
      await hand.fills({ ...REPOSITORY, last: true }, library);
      await both(hand);
      await hand.chooses(radio('Scripted'));
      await hand.clicks({ css: 'summary' });
      await hand.chooses(radio('Worktree'));
      await hand.clicks(button('Start task'));
    },
    async keys({ hand, stage, library }) {
      await hand.presses('c');
      await hand.holds({ label: 'What should the agent do?' });
      await hand.types(PROMPT);
      await hand.reaches(REPOSITORY);
      await hand.types(stage.repository);
      await hand.reaches(button('Add a repository'));
      await hand.presses('Enter');
      await until(() => hand.count('.repo').then((count) => count === 2), 'a second field');
      await hand.reaches({ ...REPOSITORY, last: true }, 'Shift+Tab');
      await hand.types(library);
      await both(hand);
      await hand.presses('Escape');
      await hand.reaches({ css: 'fieldset', text: 'Scripted' });
      await hand.reaches(radio('Scripted'), 'ArrowRight');
      if (!(await hand.has(radio('Worktree')))) {
        await hand.reaches({ css: 'summary' });
        await hand.presses('Enter');
      }
      await hand.reaches({ css: 'fieldset', text: 'Worktree' });
      await hand.reaches(radio('Worktree'), 'ArrowRight');
      await hand.presses('Control+Enter');
    },
    async then({ hand }) {
      await hand.sees(said('Both are changed.'));
      await hand.sees('Turn done');
    },
  },
  {
    shows: 'each of both is reviewed',
    async mouse({ hand }) {
      // A file leads to its place in the review, whichever repository it is in.
      await hand.clicks(counted('far.txt'));
      await hand.sees(file('far.txt'));
      await hand.selects(CHOICE, 'sample');
      await hand.sees(file('near.txt'));
      await hand.selects(CHOICE, 'library');
    },
    async keys({ hand }) {
      // The review opens on the first repository that is known to have changed.
      await hand.sees(counted('near.txt'));
      await hand.presses('Escape', '2');
      await hand.sees(file('near.txt'));
      await hand.reaches(CHOICE);
      await hand.presses('l');
    },
    async then({ hand, stage, library }) {
      await hand.sees(file('far.txt'));
      await hand.gone(file('near.txt'));
      await hand.sees('1 file not committed');
      const mine = [stage.repository, library].flatMap((dir) => [git(dir, 'status', '--porcelain'), git(dir, 'branch', '--show-current')]);
      if (mine.join() !== ',main,,main') throw new Error(`what the user has: ${mine}`);
    },
  },
  {
    shows: 'commits are squashed onto the default branch',
    async mouse(world) {
      await squash.mouse(world, FIRST);
      await world.hand.sees('without conflict');
      await world.hand.fills({ label: 'Message of the squashed commit' }, FIRST);
      await world.hand.clicks(SYNC);
      await world.hand.sees('Pushed to origin/main');
      await world.hand.clicks({ role: 'button', name: 'Close', last: true });
    },
    async keys(world) {
      await squash.keys(world, FIRST);
      await world.hand.sees('without conflict');
      await world.hand.reaches({ label: 'Message of the squashed commit' });
      await world.hand.types(FIRST);
      await world.hand.reaches(SYNC);
      await world.hand.presses('Enter');
      await world.hand.sees('Pushed to origin/main');
      await world.hand.presses('Escape');
    },
    async then(world) {
      await until(async () => (await world.hand.count('dialog[open]')) === 0, 'the dialog to close');
      if (pushed(world) !== `${FIRST},Begin`) throw new Error(`the remote has ${pushed(world)}`);
    },
  },
  {
    shows: 'a squash says what it would conflict with, and is refused',
    async mouse(world) {
      await squash.mouse(world, OTHER);
      await world.hand.sees('1 file conflicts with');
      await world.hand.clicks(SYNC);
    },
    async keys(world) {
      await squash.keys(world, OTHER);
      await world.hand.sees('1 file conflicts with');
      await world.hand.reaches(SYNC);
      await world.hand.presses('Enter');
    },
    async then(world) {
      await world.hand.sees({ css: 'dialog[open] [role=alert]' });
      await world.hand.sees({ css: 'dialog[open] li', text: 'README.md' });
      if (pushed(world) !== `${FIRST},Begin`) throw new Error(`the remote has ${pushed(world)}`);
      await world.hand.presses('Escape');
      await until(async () => (await world.hand.count('dialog[open]')) === 0, 'the dialog to close');
    },
  },
  {
    shows: 'a shell is opened in the box, typed on, and closed',
    async mouse({ hand }) {
      await hand.clicks(link('Terminal'));
      await hand.clicks(button('New shell'));
      await hand.holds(SHELL);
      await hand.types('echo sh""ell-says\n');
      await hand.sees(shown('shell-says'));
      await hand.clicks(button('Close shell-1'));
    },
    async keys({ hand }) {
      await hand.presses('4');
      await hand.reaches(button('New shell'));
      await hand.presses('Enter');
      await hand.holds(SHELL);
      await hand.types('echo sh""ell-says\n');
      await hand.sees(shown('shell-says'));
      await hand.presses('Shift+Escape');
      await hand.holds(button('shell-1'));
      await hand.reaches(button('Close shell-1'));
      await hand.presses('Enter');
    },
    then: ({ hand }) => hand.sees('No terminal is open'),
  },
  {
    shows: 'a task is forked, and the fork says from which',
    async mouse({ hand }) {
      await hand.clicks(button('More actions'));
      await hand.clicks({ role: 'menuitem', name: 'Fork…' });
      await hand.fills({ label: 'What the fork is to do' }, FORK);
      await hand.clicks({ role: 'button', name: 'Fork', last: true });
    },
    async keys({ hand }) {
      await hand.presses('Escape', 'Shift+f');
      await hand.holds({ label: 'What the fork is to do' });
      await hand.types(FORK);
      await hand.reaches({ role: 'button', name: 'Fork', last: true });
      await hand.presses('Enter');
    },
    async then({ hand }) {
      await hand.sees(said('The fork speaks.'));
      await hand.sees({ css: '.facts', text: `forked from ${OTHER}` });
    },
  },
  {
    shows: 'a rule is made, tried and taken back',
    async mouse({ hand }) {
      await hand.clicks(link('Settings'));
      await hand.clicks(link('Rules'));
      await hand.fills({ label: 'What', css: 'input.code' }, 'touch *');
      await hand.clicks(button('Add rule'));
      await hand.sees(button('Remove rule: touch *'));
      await hand.fills({ label: 'Try a command' }, 'touch a.txt');
      await hand.presses('Enter');
      await hand.sees('by rule: touch *');
      await hand.clicks(button('Remove rule: touch *'));
    },
    async keys({ hand }) {
      await palette(hand, 'Settings');
      await hand.reaches(link('Rules'));
      await hand.presses('Enter');
      await hand.reaches({ label: 'What', css: 'input.code' });
      await hand.types('touch *');
      await hand.presses('Enter');
      await hand.sees(button('Remove rule: touch *'));
      await hand.reaches({ label: 'Try a command' });
      await hand.types('touch a.txt');
      await hand.presses('Enter');
      await hand.sees('by rule: touch *');
      await hand.reaches(button('Remove rule: touch *'), 'Shift+Tab');
      await hand.presses('Enter');
    },
    then: ({ hand }) => hand.gone(button('Remove rule: touch *')),
  },
];

/** What is there before: another repository, a remote of the first, and two tasks that would meet in one line. */
export function around(stage) {
  const library = join(stage.dir, 'library');
  stage.repositoryAt(library, { 'lib.rs': 'pub fn hello() {}\n' });
  const remote = join(stage.dir, 'remote.git');
  git(stage.dir, 'clone', '-q', '--bare', stage.repository, remote);
  git(stage.repository, 'remote', 'add', 'origin', remote);
  const rested = (title, ...lines) => stage.paddock('run', '--json', '--title', title, '--harness', 'scripted', '--box', 'worktree', '--repo', stage.repository, lines.join('\n'));
  rested(FIRST, 'edit README.md Says hello. => Says good day.', 'commit One', 'write more.txt more', 'commit Two');
  rested(OTHER, 'edit README.md Says hello. => Says nothing.', 'commit Against it');
  return { library, remote };
}
