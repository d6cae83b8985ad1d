// A plain text in which addresses are links, and paths and commits can be pressed: what that does is up to
// whoever stands around it and hears the click (`refOf`) or the key (`pressRef`). They are no buttons: those would not
// break with the lines around them, nor be marked and copied with them.
import { For, createMemo } from 'solid-js';
import { piecesOf, type Ref } from '../lib/refs';

export function Linked(props: { text: string }) {
  const pieces = createMemo(() => piecesOf(props.text));
  return (
    <For each={pieces()}>
      {(piece) => {
        if (typeof piece === 'string') return piece;
        if (piece.kind === 'url') {
          return (
            <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
              {piece.text}
            </a>
          );
        }
        return (
          <span role="button" tabindex="0" class="ref" {...marks(piece)}>
            {piece.text}
          </span>
        );
      }}
    </For>
  );
}

function marks(ref: Exclude<Ref, { kind: 'url' }>): Record<string, string> {
  if (ref.kind === 'commit') return { 'data-commit': ref.commit };
  return { 'data-path': ref.path, ...(ref.line === undefined ? {} : { 'data-line': String(ref.line) }) };
}

export type Pressed = { element: HTMLElement } & ({ commit: string } | { path: string; line: number | undefined });

/** Presses a path or a commit by the keys that press a button. */
export function pressRef(event: KeyboardEvent): void {
  if ((event.key !== 'Enter' && event.key !== ' ') || !(event.target instanceof HTMLElement) || !event.target.matches('span.ref')) return;
  event.preventDefault();
  event.target.click();
}

/** What a click was on, where it was on a path or a commit. */
export function refOf(event: MouseEvent): Pressed | undefined {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>('.ref') : null;
  if (!element) return undefined;
  const { commit, path, line } = element.dataset;
  if (commit !== undefined) return { element, commit };
  return path === undefined ? undefined : { element, path, line: line === undefined ? undefined : Number(line) };
}
