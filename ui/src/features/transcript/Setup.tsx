// How the branch, the box and the agent came to be: one line when it went well, all steps while it goes
// on or when it failed.
import { For, Show } from 'solid-js';
import type { Task } from '../../api/types';
import { t } from '../../i18n';
import { now } from '../../lib/clock';
import { basename, elapsed, span } from '../../lib/format';
import type { RowOf, SetupStep } from '../../state/rows';
import { summary } from '../../state/tasks';
import { Fold } from './Fold';

export function Setup(props: { row: RowOf<'setup'>; task: Task }) {
  const began = (): number => Date.parse(props.row.ts);
  const took = (): string => span(Date.parse(props.row.endedAt ?? props.row.ts) - began());
  /** Nothing is set up for a task that stands in line. */
  const waits = (): boolean => props.task.state === 'pending' && summary(props.task.task_id)?.place !== undefined;
  const words = (): string => {
    if (props.row.failed) return t().task.row.setupFailed;
    if (props.row.endedAt === undefined) return waits() ? t().box.place.waits : t().task.row.setupUnderWay;
    return props.row.again ? t().task.row.setupAgain(took()) : t().task.row.setupDone(took());
  };
  const places = (): string => props.row.steps.flatMap(({ text }) => (text.is === 'branch' ? [text.branch] : text.is === 'box' ? [t().compose.boxes[text.kind]] : [])).join(' · ');
  return (
    <Fold
      icon="box"
      quiet={!props.row.failed}
      disabled={props.row.steps.length === 0}
      failed={props.row.failed}
      name={`${props.task.task_id} ${props.row.seq} setup`}
      open={props.row.failed || props.row.endedAt === undefined}
      head={
        <>
          <span class="verb">{words()}</span> <span class="truncate faint">{places()}</span>
        </>
      }
      tail={<Show when={props.row.endedAt === undefined && !props.row.failed}><span class="numbers running">{elapsed(now() - began())}</span></Show>}
    >
      <ol role="list" class="steps">
        <For each={props.row.steps}>
          {(step) => (
            <li data-level={step.level}>
              <span class="numbers faint">{span(Math.max(0, Date.parse(step.ts) - began()))}</span>
              <span>{stepWords(step)}</span>
            </li>
          )}
        </For>
      </ol>
    </Fold>
  );
}

function stepWords({ text }: SetupStep): string {
  const words = t().task.row.step;
  switch (text.is) {
    case 'state':
      return text.cause ?? t().state[text.state];
    case 'branch':
      return `${basename(text.repository)}: ${text.adopted ? words.adopted(text.branch) : words.branch(text.branch, text.base)}`;
    case 'box':
      return `${words[text.kind](text.name)}${text.image ? ` · ${text.image}` : ''}`;
    case 'run':
      return (text.resumed ? words.resumed : words.run)(text.harness, text.version);
    case 'words':
      return text.text;
  }
}
