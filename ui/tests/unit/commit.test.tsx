// The files of a commit to be made: one stop for the keyboard, also when the files become fewer.
import { createSignal } from 'solid-js';
import { render } from 'solid-js/web';
import { expect, it } from 'vitest';
import { CommitFiles } from '../../src/features/review/CommitFiles';

it('a list of files keeps its stop for the keyboard when files go', () => {
  const [files, setFiles] = createSignal(['a', 'b', 'c'].map((path) => ({ path, added: 1, removed: 0 })));
  const root = document.createElement('div');
  document.body.append(root);
  const dispose = render(() => <CommitFiles files={files()} more={0} out={new Set()} onChange={() => undefined} />, root);
  const stops = (): number[] => [...root.querySelectorAll<HTMLInputElement>('.commitfiles input')].map((box) => box.tabIndex);
  root.querySelectorAll<HTMLInputElement>('.commitfiles input')[2]!.focus();
  expect(stops()).toEqual([-1, -1, 0]);
  setFiles((all) => all.slice(0, 2));
  expect(stops()).toEqual([-1, 0]);
  dispose();
  root.remove();
});

it('what is not listed goes in with all and stays out with some', () => {
  const files = ['a', 'b'].map((path) => ({ path, added: 1, removed: 0 }));
  const [out, setOut] = createSignal<ReadonlySet<string>>(new Set());
  const root = document.createElement('div');
  const dispose = render(() => <CommitFiles files={files} more={5} out={out()} onChange={setOut} />, root);
  expect(root.textContent).toContain('7 files go in');
  expect(root.textContent).toContain('5 more files are not listed here: all of it goes in');
  setOut(new Set(['b']));
  expect(root.textContent).toContain('1 of 7 files goes in');
  expect(root.textContent).toContain('what is not listed stays out too');
  dispose();
});
