// Paths and commits in a text: part of its lines, and pressed like buttons.
import { render } from 'solid-js/web';
import { afterEach, expect, it } from 'vitest';
import { Linked, pressRef, refOf, type Pressed } from '../../src/components/Linked';
import { blockHtml, blocksOf } from '../../src/lib/markdown';

const root = document.createElement('div');
let dispose = (): void => undefined;
afterEach(() => {
  dispose();
  root.remove();
});

it.each([
  ['a plain text', () => <Linked text={'File "/srv/app/session.py:11", in test'} />, '/srv/app/session.py'],
  ['markdown', () => <div innerHTML={blockHtml(blocksOf('See `app/session.py:11`.')[0]!.raw)} />, 'app/session.py'],
])('a path in %s is marked with its line, and pressed by keys as by a click', (_, view, path) => {
  dispose = render(view, root);
  document.body.append(root);
  const pressed: (Pressed | undefined)[] = [];
  root.addEventListener('click', (event) => pressed.push(refOf(event)));
  root.addEventListener('keydown', pressRef);
  const ref = root.querySelector<HTMLElement>('.ref')!;
  expect([ref.localName, ref.role ?? ref.getAttribute('role'), ref.tabIndex]).toEqual(['span', 'button', 0]);
  const press = (key: string): boolean => ref.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  expect([press('Enter'), press(' '), press('x')]).toEqual([false, false, true]);
  ref.click();
  expect(pressed).toEqual(Array.from({ length: 3 }, () => ({ element: ref, path, line: 11 })));
});
