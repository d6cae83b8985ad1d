import { A } from '@solidjs/router';
import { For } from 'solid-js';
import type { TaskMention } from '../api/types';

/** Tasks by their titles, in one line; each leads to its page. */
export function Mentions(props: { list: TaskMention[] }) {
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
