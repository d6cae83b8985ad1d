// A run of calls that only look: one line that counts them, each of them one line inside.
import { For, createMemo } from 'solid-js';
import type { Task } from '../../api/types';
import { t } from '../../i18n';
import { basename, span } from '../../lib/format';
import type { ToolCall } from '../../state/rows';
import { Fold } from './Fold';
import { Tool } from './Tool';

const NAMED = 3;

export function Reads(props: { calls: ToolCall[]; task: Task }) {
  const read = createMemo(() => props.calls.filter((call) => call.tool === 'read'));
  const names = createMemo(() => [...new Set(read().map((call) => basename(call.path ?? '')))].filter(Boolean));
  const failures = (): number => props.calls.filter((call) => call.end?.failed).length;
  const ms = (): number => props.calls.reduce((sum, call) => sum + (call.end?.ms ?? 0), 0);
  const shown = (): string => names().slice(0, NAMED).join(', ') + (names().length > NAMED ? ', …' : '');
  return (
    <Fold
      icon="file"
      name={`${props.task.task_id} ${props.calls[0]?.seq} reads`}
      open={props.calls.some((call) => call.end?.images?.length)}
      head={
        <>
          <span class="verb">{t().task.row.reads(read().length, props.calls.length - read().length)}</span> <code class="truncate faint">{shown()}</code>
        </>
      }
      tail={
        <>
          {failures() > 0 && <span class="failed">✗ {failures()}</span>}
          {ms() > 0 && <span class="numbers">{span(ms())}</span>}
        </>
      }
    >
      <div class="nested">
        <For each={props.calls}>{(call) => <Tool call={call} task={props.task} />}</For>
      </div>
    </Fold>
  );
}
