// Tasks by their titles, in one line; each leads to its page.
import { A } from '@solidjs/router';
import { For } from 'solid-js';

interface Mention {
  task_id: string;
  title: string;
}

export function Mentions(props: { list: readonly Mention[] }) {
  return (
    <For each={props.list}>
      {(one, nth) => (
        <>
          {nth() > 0 ? ', ' : ''}
          <A href={`/tasks/${one.task_id}`}>{one.title}</A>
        </>
      )}
    </For>
  );
}
