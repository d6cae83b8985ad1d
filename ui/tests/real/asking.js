// What an agent asks in all the ways in which it is answered, its own program on a terminal, and a removal that is
// taken back late: steps like those of the story, by mouse and by keyboard alone, in the browser and in the window.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FIELD, away, button, link, palette, radio, until } from './hand.js';

const TITLE = 'Ask me everything';
const PROMPT = `ask-all Which colour?|red|blue || many Which sizes?|S|M|L
approve touch denied.txt
approve touch first.txt
approve touch kept-a.txt
approve touch kept-b.txt
plan Paint *everything*
say That was all.`;

/** The card that asks `text`. */
const card = (text) => ({ css: 'section[tabindex="-1"]', text });
const checkbox = (name) => ({ role: 'checkbox', name });
const said = (text) => ({ css: '.agent', text });
const TERMINAL = { label: 'Terminal agent-1' };
const shown = (text) => ({ css: '.xterm-rows', text });


/** Whether the agent has made a file. */
const made = ({ stage, task }, name) => existsSync(join(stage.data, 'boxes', task, 'work/sample', name));

export const ASKING = [
  {
    shows: 'several questions at once have an answer each, and one of them several',
    async mouse({ hand }) {
      await hand.clicks(link(TITLE));
      await hand.sees(card('Which colour?'));
      await hand.clicks(button('Next item'));
      await hand.chooses(checkbox('S'));
      await hand.chooses(checkbox('L'));
      await hand.clicks(button('Answer'));
      await hand.sees(card('Which colour?'));
      await hand.chooses(radio('blue'));
      await hand.clicks(button('Answer'));
    },
    async keys({ hand }) {
      await palette(hand, TITLE);
      await hand.sees(card('Which colour?'));
      await away(hand);
      await hand.presses('a');
      await hand.holds(card('Which colour?'));
      await hand.presses('2', 'Enter');
      await hand.holds(card('Which sizes?'));
      await hand.presses('1', '3', 'Enter');
    },
    then: ({ hand }) => hand.sees(said('You answered: blue; S, L')),
  },
  {
    shows: 'a permission is refused, and the agent told why',
    async mouse({ hand }) {
      await hand.sees(card('touch denied.txt'));
      await hand.clicks(button('Deny'));
      await hand.fills({ label: 'What should it do instead?' }, 'Touch another file.');
      await hand.clicks(button('Deny and tell it'));
    },
    async keys({ hand }) {
      await hand.holds(card('touch denied.txt'));
      await hand.presses('n');
      await hand.holds({ label: 'What should it do instead?' });
      await hand.types('Touch another file.');
      await hand.presses('Enter');
    },
    then: ({ hand }) => hand.sees(said('Denied: Touch another file.')),
  },
  {
    shows: 'a command is changed before it is allowed',
    async mouse({ hand }) {
      await hand.sees(card('touch first.txt'));
      await hand.clicks(button('Edit'));
      await hand.fills({ label: 'Input to use instead' }, 'touch second.txt');
      await hand.clicks(button('Allow the edited one'));
    },
    async keys({ hand }) {
      await hand.holds(card('touch first.txt'));
      // Which agents can take it is asked for once.
      await hand.sees(button('Edit'));
      await hand.presses('e');
      await hand.holds({ label: 'Input to use instead' });
      await hand.presses('Control+a');
      await hand.types('touch second.txt');
      await hand.presses('Control+Enter');
    },
    async then(world) {
      await world.hand.sees(card('touch kept-a.txt'));
      const files = ['denied.txt', 'first.txt', 'second.txt'].filter((name) => made(world, name));
      if (files.join() !== 'second.txt') throw new Error(`files that were made: ${files}`);
    },
  },
  {
    shows: 'a permission is kept as a rule, which is shown before and decides the next',
    async mouse({ hand }) {
      await hand.clicks(button('Allow in this repository'));
      await hand.chooses(radio('touch *'));
      await hand.clicks(button('Allow and keep the rule'));
    },
    async keys({ hand }) {
      await hand.holds(card('touch kept-a.txt'));
      await hand.presses('Shift+o');
      await hand.reaches(radio('touch *'), 'ArrowDown');
      await hand.presses('Enter');
    },
    async then(world) {
      await world.hand.sees('from now on: allow command touch *');
      await world.hand.sees('by rule: allow command touch *');
      await until(() => made(world, 'kept-a.txt') && made(world, 'kept-b.txt'), 'both files');
    },
  },
  {
    shows: 'a plan is changed and approved',
    async mouse({ hand }) {
      await hand.sees(card('Paint everything'));
      await hand.clicks(button('Edit'));
      await hand.fills({ css: 'textarea', label: 'Edit' }, 'Paint the door alone');
      await hand.clicks(button('Approve the edited plan'));
    },
    async keys({ hand }) {
      await hand.holds(card('Paint everything'));
      await hand.presses('e');
      await hand.holds({ css: 'textarea', label: 'Edit' });
      await hand.presses('Control+a');
      await hand.types('Paint the door alone');
      await hand.presses('Control+Enter');
    },
    async then({ hand }) {
      await hand.sees(said('Plan accepted as edited: Paint the door alone'));
      await hand.sees(said('That was all.'));
      await hand.sees('Turn done');
    },
  },
  {
    shows: 'another plan goes back with what is wrong with it',
    async mouse({ hand }) {
      await hand.fills(FIELD, 'plan Too much at once');
      await hand.clicks(button('Send'));
      await hand.sees(card('Too much at once'));
      await hand.clicks(button('Reject'));
      await hand.fills({ label: 'What is wrong with it?' }, 'In smaller steps.');
      await hand.clicks(button('Send back'));
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('r');
      await hand.holds(FIELD);
      await hand.types('plan Too much at once');
      await hand.presses('Enter');
      await hand.sees(card('Too much at once'));
      await away(hand);
      await hand.presses('a');
      await hand.holds(card('Too much at once'));
      await hand.presses('n');
      await hand.holds({ label: 'What is wrong with it?' });
      await hand.types('In smaller steps.');
      await hand.presses('Enter');
    },
    then: ({ hand }) => hand.sees(said('Plan rejected: In smaller steps.')),
  },
  {
    shows: 'the agent’s own program has the session on a terminal while the agent is stopped',
    async mouse({ hand }) {
      await hand.clicks(button('Stop agent'));
      await hand.sees('Stopped. The box is kept.');
      await hand.clicks(link('Terminal'));
      await hand.clicks(button('Open Scripted itself'));
      await hand.sees(shown('scripted terminal, session s-'));
      await hand.clicks({ css: '.xterm-screen' });
      await hand.types('good day\n');
      await hand.sees(shown('you said good day'));
      await hand.clicks(button('Revive agent'));
    },
    async keys({ hand }) {
      await away(hand);
      await hand.presses('Shift+s');
      await hand.sees('Stopped. The box is kept.');
      await hand.presses('4');
      await hand.sees({ ...button('Open Scripted itself'), enabled: true });
      await hand.reaches(button('Open Scripted itself'));
      await hand.presses('Enter');
      await hand.sees(shown('scripted terminal, session s-'));
      await hand.holds(TERMINAL);
      await hand.types('good day\n');
      await hand.sees(shown('you said good day'));
      await hand.presses('Shift+Escape');
      await hand.holds(button('agent-1'));
      await hand.presses('Shift+r');
    },
    async then({ hand }) {
      await hand.gone(button('Revive agent'));
      // The session has one owner: the terminal ends before the agent goes on with it.
      await hand.sees({ css: 'button[aria-pressed]', text: 'ended' });
      await hand.clicks(link('Conversation'));
    },
  },
  {
    shows: 'a removal is taken back from the task’s page, its message long gone',
    async mouse({ hand }) {
      await hand.clicks(button('More actions'));
      await hand.clicks({ role: 'menuitem', name: 'Remove task' });
      await hand.sees('A snapshot is kept');
      await hand.clicks(button('Remove'));
      await hand.clicks(button('Dismiss'));
      await hand.gone(button('Undo'));
      await hand.clicks(button('Restore task'));
    },
    async keys({ hand }) {
      await palette(hand, 'Remove task');
      await hand.sees('A snapshot is kept');
      await hand.reaches({ ...button('Remove'), enabled: true });
      await hand.presses('Enter');
      await hand.sees(button('Undo'));
      await hand.reaches(button('Dismiss'));
      await hand.presses('Enter');
      await hand.gone(button('Undo'));
      await palette(hand, 'Restore task');
    },
    then: ({ hand }) => hand.sees('Restored.'),
  },
];

/** Begins the task whose agent asks; its id. */
export function askAll(stage) {
  const told = stage.paddock('run', '--detach', '--json', '--title', TITLE, '--harness', 'scripted', '--box', 'worktree', '--repo', stage.repository, PROMPT);
  return told.match(/"task_id":"([^"]+)"/)[1];
}
