// A plain text from the server in which `code` stands between backticks, and nothing else is special.
import { For } from 'solid-js';

export function Words(props: { text: string }) {
  return <For each={props.text.split('`')}>{(part, nth) => (nth() % 2 === 1 ? <code>{part}</code> : part)}</For>;
}
