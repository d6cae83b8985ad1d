// What a call was given, drawn: before and after, things to do, named fields.
import { For, Show, createMemo } from 'solid-js';
import { CodeBlock } from '../../components/CodeBlock';
import { DiffLines } from '../../components/DiffLines';
import { createColours } from '../../components/diffColours';
import { t } from '../../i18n';
import type { FileDiff } from '../../lib/diff';
import type { ToolCall } from '../../state/rows';
import { givenOf } from './given';
import './given.css';

const MARKS = { completed: '✓', in_progress: '◐', pending: '○' } as const;

export function GivenView(props: { call: ToolCall }) {
  const given = createMemo(() => givenOf(props.call));
  return (
    <>
      <Show when={given().todos.length > 0}>
        <ul role="list" class="giventodos">
          <For each={given().todos}>
            {(one) => (
              <li data-status={one.status}>
                <span role="img" aria-label={t().task.aside.status[one.status]}>
                  {MARKS[one.status]}
                </span>{' '}
                {one.text}
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={given().fields.length > 0}>
        <dl class="given">
          <For each={given().fields}>
            {(one) => (
              <div data-long={one.lang === undefined ? undefined : ''}>
                <dt>{nameOf(one.name)}</dt>
                <dd>
                  <Show when={one.lang !== undefined} fallback={<code>{one.text}</code>}>
                    <CodeBlock code={one.text} lang={one.lang} capped linked />
                  </Show>
                </dd>
              </div>
            )}
          </For>
        </dl>
      </Show>
      <Show when={given().edit}>{(file) => <Edit file={file()} applied={props.call.end?.failed === false} />}</Show>
    </>
  );
}

/** What an agent wanted to replace, where it did not tell what became of the file; its place is not known. */
function Edit(props: { file: FileDiff; applied: boolean }) {
  const colours = createColours(() => props.file);
  return (
    <div class="patch" data-unplaced="">
      <Show when={!props.applied}>
        <p class="faint">{t().task.row.wanted}</p>
      </Show>
      <DiffLines hunks={props.file.hunks} colours={colours()} gapTitle={t().review.hunk} label={props.file.path} />
    </div>
  );
}

/** The name of a field in the reader's words; one that is not known is shown as the agent names it. */
function nameOf(name: string): string {
  const words: Partial<Record<string, string>> = t().task.row.field;
  const key = name.replace(/[^a-z]/gi, '').toLowerCase();
  return (Object.hasOwn(words, key) ? words[key] : undefined) ?? name.replace(/_/g, ' ');
}
