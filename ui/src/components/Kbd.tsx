// A shortcut as keys.
import { For } from 'solid-js';
import { shownKeys } from '../lib/keys';

export function Kbd(props: { keys: string }) {
  return (
    <span class="kbd" aria-hidden="true">
      <For each={shownKeys(props.keys)}>{(stroke) => <For each={stroke}>{(key) => <kbd>{key}</kbd>}</For>}</For>
    </span>
  );
}
