// The story of a newcomer, with a real server, relay and agent: the same steps in the browser and in the desktop
// window, by mouse and by keyboard alone. Each step says what it shows, how either hand does it, and what is to be
// seen then.
import { FIELD, away, button, link, radio, until } from './hand.js';

const PROMPT = `Say hello in main.rs
say I look first.
think What does main do?
todo Look|Change|Check
read main.rs
bash ls -la
edit main.rs None => {} => None => println!("Hello!"),
commit Say hello
write notes.txt not committed
ask Which colour?|red|blue
approve echo allowed > allowed.txt
plan First this, then **that**
delta 40 pieces of 12 bytes at 60 per second
say All of it is done.`;
const COMMENT = 'say Heard the comment.';

export const STEPS = [
  {
    shows: 'a task is started',
    async mouse({ hand, stage }) {
      await hand.clicks(link('New task'));
      await hand.fills({ label: 'What should the agent do?' }, PROMPT);
      await hand.fills({ label: 'Repository' }, stage.repository);
      await hand.sees('On main');
      await hand.chooses(radio('Scripted'));
      await hand.clicks({ css: 'summary' });
      await hand.chooses(radio('Worktree'));
      await hand.clicks(button('Start task'));
    },
    async keys({ hand, stage }) {
      await hand.presses('c');
      await hand.holds({ label: 'What should the agent do?' });
      await hand.types(PROMPT);
      await hand.reaches({ label: 'Repository' });
      await hand.types(stage.repository);
      await hand.sees('On main');
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
    then: async ({ hand }) => until(async () => /\/tasks\/.+/.test(await hand.path()), 'its page'),
  },
  {
    shows: 'it is watched until it asks',
    then: async ({ hand }) => {
      await hand.sees('Ready in');
      await hand.sees('Which colour?');
    },
  },
  {
    shows: 'a question is answered',
    async mouse({ hand }) {
      await hand.chooses(radio('blue'));
      await hand.clicks(button('Answer'));
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('a');
      await hand.holds({ css: '.card' });
      await hand.presses('2', 'Enter');
    },
    then: ({ hand }) => hand.sees('Allow once'),
  },
  {
    shows: 'a permission is given',
    mouse: ({ hand }) => hand.clicks(button('Allow once')),
    async keys({ hand }) {
      await hand.holds({ css: '.card' });
      await hand.presses('y');
    },
    then: ({ hand }) => hand.sees('Approve plan'),
  },
  {
    shows: 'a plan is approved, and the turn ends',
    mouse: ({ hand }) => hand.clicks(button('Approve plan')),
    async keys({ hand }) {
      await hand.holds({ css: '.card' });
      await hand.presses('y');
    },
    async then({ hand }) {
      await hand.sees('All of it is done.');
      await hand.sees('Turn done');
      await hand.sees('You answered: blue');
      await until(async () => (await hand.count('.requests')) === 0, 'nothing left to answer');
    },
  },
  {
    shows: 'the change is reviewed with a comment on a line',
    async mouse({ hand }) {
      await hand.clicks(link('Review'));
      await hand.sees({ css: '.difflines', text: 'println!("Hello!")' });
      await hand.clicks({ css: 'tr[data-side=added] .lineno', last: true });
      await hand.types(COMMENT);
      await hand.clicks(button('Add comment'));
      await hand.clicks(button('Send 1 comment to the agent'));
      await hand.clicks(link('Conversation'));
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('2');
      await hand.sees({ css: '.difflines', text: 'println!("Hello!")' });
      await hand.reaches({ css: '.difflines' });
      await hand.presses('ArrowDown', 'ArrowDown', 'Enter');
      await hand.holds({ css: '.writing textarea' });
      await hand.types(COMMENT);
      await hand.presses('Enter');
      await hand.reaches(button('Send 1 comment to the agent'));
      await hand.presses('Enter');
      await away(hand);
      await hand.presses('1');
    },
    then: async ({ hand }) => {
      await hand.sees({ css: '.said', text: 'Review comments:' });
      await hand.sees({ css: '.agent', text: 'Heard the comment.' });
    },
  },
  {
    shows: 'what was left is committed',
    async mouse({ hand }) {
      await hand.clicks(link('Review'));
      await until(() => hand.has({ css: 'button:not(:disabled)', name: 'Commit…' }), 'something to commit');
      await hand.clicks(button('Commit…'));
      await hand.sees('2 files go in');
      await hand.fills({ css: 'textarea', label: 'Message' }, 'Keep the notes');
      await hand.clicks({ role: 'button', name: 'Commit', last: true });
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('2');
      await until(() => hand.has({ css: 'button:not(:disabled)', name: 'Commit…' }), 'something to commit');
      await hand.presses('Shift+c');
      await hand.sees('2 files go in');
      await hand.holds({ css: 'textarea', label: 'Message' });
      await hand.types('Keep the notes');
      await hand.presses('Control+Enter');
    },
    async then({ hand }) {
      await hand.sees('Committed ');
      await hand.sees('everything committed');
    },
  },
  {
    shows: 'commits are brought out to the local branch',
    async mouse({ hand }) {
      await hand.clicks(button('Sync…'));
      await hand.chooses(radio('Local branch only'));
      await hand.clicks({ role: 'button', name: 'Sync', last: true });
      await hand.sees({ css: '.syncreport' });
      await hand.clicks(button('Close'));
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('Shift+p');
      await hand.reaches({ css: 'dialog[open] fieldset' });
      await hand.reaches(radio('Local branch only'), 'ArrowDown');
      await hand.reaches({ role: 'button', name: 'Sync', last: true });
      await hand.presses('Enter');
      await hand.sees({ css: '.syncreport' });
      await hand.presses('Escape');
    },
    async then({ hand, stage, branch }) {
      await until(async () => (await hand.count('dialog[open]')) === 0, 'the dialog to close');
      const subjects = stage.subjects(branch).join(', ');
      if (subjects !== 'Keep the notes, Say hello, Begin') throw new Error(`commits on ${branch}: ${subjects}`);
    },
  },
  {
    shows: 'a turn is interrupted',
    async mouse({ hand }) {
      await hand.clicks(link('Conversation'));
      await hand.fills(FIELD, 'bash sleep 600');
      await hand.clicks(button('Send'));
      await hand.sees({ css: '.vlist-row', text: 'sleep 600' });
      await hand.clicks(button('Interrupt'));
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('1');
      await hand.sees(FIELD);
      await hand.presses('r');
      await hand.holds(FIELD);
      await hand.types('bash sleep 600');
      await hand.presses('Enter');
      await hand.sees({ css: '.vlist-row', text: 'sleep 600' });
      await hand.sees(button('Interrupt'));
      await hand.presses('Control+.');
    },
    then: ({ hand }) => hand.sees({ css: '.turnline', text: 'Interrupted' }),
  },
  {
    shows: 'the agent is stopped and revived with its session',
    async mouse({ hand }) {
      await hand.clicks(button('Stop agent'));
      await hand.sees('Stopped. The box is kept.');
      await hand.clicks(button('Revive agent'));
      await hand.gone(button('Revive agent'));
      await hand.fills(FIELD, 'say Back again.');
      await hand.clicks(button('Send'));
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('Shift+s');
      await hand.sees('Stopped. The box is kept.');
      await hand.sees(button('Revive agent'));
      await hand.presses('Shift+r');
      await hand.gone(button('Revive agent'));
      await hand.sees({ ...FIELD, enabled: true });
      await hand.presses('r');
      await hand.holds(FIELD);
      await hand.types('say Back again.');
      // Until the agent is there it is a message for later.
      await hand.sees({ ...button('Send'), enabled: true });
      await hand.presses('Enter');
    },
    then: ({ hand }) => hand.sees({ css: '.agent', text: 'Back again.' }),
  },
  {
    shows: 'what was said is found, and leads to its place',
    async mouse({ hand }) {
      await hand.clicks({ css: 'a[href="/search"]' });
      await hand.fills({ css: 'input[type=search]' }, 'Heard the comment');
      await hand.clicks({ css: 'a.hit', text: 'Heard the comment.' });
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('Control+Shift+f');
      await hand.holds({ css: 'input[type=search]' });
      await hand.types('Heard the comment');
      await hand.reaches({ css: 'a.hit', text: 'Heard the comment.' });
      await hand.presses('Enter');
    },
    then: async ({ hand }) => {
      await until(async () => (await hand.path()).startsWith('/tasks/'), 'the task');
      await hand.sees({ css: '.agent', text: 'Heard the comment.' });
    },
  },
  {
    shows: 'a removal is looked at, made, and taken back',
    async mouse({ hand }) {
      await hand.clicks(button('More actions'));
      await hand.clicks({ role: 'menuitem', name: 'Remove task' });
      await hand.sees('A snapshot is kept');
      await hand.clicks(button('Remove'));
      await hand.clicks(button('Undo'));
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('Control+k');
      await hand.holds({ css: 'input[role=combobox]' });
      await hand.types('remove task');
      await hand.sees({ css: '[role=option][aria-selected=true]', text: 'Remove task' });
      await hand.presses('Enter');
      await hand.sees({ ...button('Remove'), enabled: true });
      await hand.reaches(button('Remove'));
      await hand.presses('Enter');
      await hand.sees(button('Undo'));
      await away(hand);
      await hand.presses('z');
    },
    then: ({ hand }) => hand.sees('Restored.'),
  },
];

/** Tells the story, or another, with one hand; `say` hears each step. */
export async function tell(manner, world, say, steps = STEPS) {
  for (const step of steps) {
    await step[manner]?.(world);
    await step.then(world);
    say(`${step.shows}${step[manner] ? ` ${manner === 'mouse' ? 'by mouse' : 'by keyboard'}` : ''}`);
  }
}
