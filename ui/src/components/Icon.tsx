// The one set of icons: 16 px grid, 1.5 px strokes, in the colour of the text. An icon never stands
// alone for a meaning: its button has a name.
import { For } from 'solid-js';

const PATHS = {
  inbox: ['M2.5 9.5 4 3.5h8l1.5 6v3h-11z', 'M2.5 9.5h3l1 1.5h3l1-1.5h3'],
  plus: ['M8 3v10M3 8h10'],
  search: ['M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2'],
  host: ['M2.5 3h11v4h-11zM2.5 9h11v4h-11z', 'M5 5h.01M5 11h.01'],
  settings: ['M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6', 'M10.25 6.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM5.75 12.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z'],
  more: ['M3.5 8h.01M8 8h.01M12.5 8h.01'],
  down: ['M4 6l4 4 4-4'],
  right: ['M6 4l4 4-4 4'],
  left: ['M10 4L6 8l4 4'],
  up: ['M4 10l4-4 4 4'],
  check: ['M3 8.5l3.2 3.2L13 4.8'],
  cross: ['M4 4l8 8M12 4l-8 8'],
  pause: ['M5.5 3.5v9M10.5 3.5v9'],
  stop: ['M4 4h8v8H4z'],
  play: ['M5 3.2v9.6l7.5-4.8z'],
  fork: ['M4.5 5.5v5M4.5 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4.5 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11.5 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11.5 5.5c0 3-7 2-7 5'],
  trash: ['M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 8.5h6l.5-8.5'],
  undo: ['M6 3.5L3 6.5l3 3', 'M3 6.5h6a3.5 3.5 0 0 1 0 7H6.5'],
  send: ['M8 13V3.5M4 7.5l4-4 4 4'],
  file: ['M4 2.5h5l3 3v8H4zM9 2.5v3h3'],
  edit: ['M3 13l.6-2.9 7.2-7.2 2.3 2.3-7.2 7.2z'],
  terminal: ['M2.5 3.5h11v9h-11z', 'M5 6.5l2 1.5-2 1.5M8.5 10h2.5'],
  globe: ['M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM2.5 8h11M8 2.5c2.5 3 2.5 8 0 11-2.5-3-2.5-8 0-11z'],
  plug: ['M6 2.5v3M10 2.5v3M4.5 5.5h7V8a3.5 3.5 0 0 1-7 0zM8 11.5v2'],
  people: ['M8 7.5A2.5 2.5 0 1 0 8 2.5a2.5 2.5 0 0 0 0 5zM3 13.5c0-2.5 2.2-4 5-4s5 1.5 5 4'],
  list: ['M6 4h7.5M6 8h7.5M6 12h7.5M2.5 4h.5M2.5 8h.5M2.5 12h.5'],
  thought: ['M8 2.5c3.3 0 5.5 1.8 5.5 4.2S11.3 11 8 11c-.6 0-1.2 0-1.7-.1L3.5 13l.5-2.9C3 9.3 2.5 8.1 2.5 6.7 2.5 4.3 4.7 2.5 8 2.5z'],
  commit: ['M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 8h4M10.5 8h4'],
  branch: ['M4.5 2.5v11M11.5 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM11.5 6.5c0 3-7 1.5-7 5'],
  box: ['M2.5 5L8 2.5 13.5 5v6L8 13.5 2.5 11zM2.5 5L8 7.5 13.5 5M8 7.5v6'],
  copy: ['M5.5 5.5h8v8h-8z', 'M10.5 5.5v-3h-8v8h3'],
  comment: ['M2.5 3.5h11v8h-6l-3 2.5v-2.5h-2z'],
  clock: ['M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 5v3l2 1.5'],
  warning: ['M8 2.5l6 10.5H2zM8 6.5v3M8 11.3v.01'],
  sidebar: ['M2.5 3h11v10h-11zM6.5 3v10'],
  end: ['M8 2.5v8M4.5 7L8 10.5 11.5 7M3.5 13.5h9'],
  download: ['M8 2.5v7.5M4.5 6.5L8 10l3.5-3.5M2.5 13.5h11'],
  sync: ['M13 6.5A5.2 5.2 0 0 0 3.5 5M3 2.5V5h2.5M3 9.5a5.2 5.2 0 0 0 9.5 1.5M13 13.5V11h-2.5'],
  archive: ['M2.5 3h11v3h-11zM3.5 6v7h9V6', 'M6.5 9h3'],
  later: ['M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM5.5 8h5M8.5 6l2 2-2 2'],
  columns: ['M2.5 3h11v10h-11zM8 3v10'],
  rows: ['M2.5 3h11v10h-11zM2.5 8h11'],
} as const;

export type IconName = keyof typeof PATHS;

export function Icon(props: { name: IconName; class?: string | undefined }) {
  return (
    <svg class={`icon ${props.class ?? ''}`} width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width={props.name === 'more' ? 2 : 1.4} stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <For each={PATHS[props.name]}>{(path) => <path d={path} />}</For>
    </svg>
  );
}
