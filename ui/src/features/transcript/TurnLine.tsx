// The line that ends a turn: how it ended, time, tokens, cost, files.
import { Show } from 'solid-js';
import type { Task } from '../../api/types';
import { PlusMinus } from '../../components/Bits';
import { locale, t } from '../../i18n';
import { moment, span, tokens } from '../../lib/format';
import { costText, costTitle } from '../../state/cost';
import type { RowOf } from '../../state/rows';

export function TurnLine(props: { row: RowOf<'turn'>; task: Task }) {
  return (
    <div class="turnline numbers" data-outcome={props.row.outcome} title={moment(props.row.ts, locale())}>
      <span class="outcome">{t().task.row.outcome[props.row.outcome]}</span>
      <span>{span(props.row.ms)}</span>
      <Show when={props.row.tokens > 0}>
        <span>{t().task.row.tokens(tokens(props.row.tokens))}</span>
      </Show>
      <Show when={props.row.cost}>
        {(cost) => <span title={costTitle(cost())}>{costText(cost())}</span>}
      </Show>
      <Show when={props.row.changes}>
        {(changes) => (
          <a href={`/tasks/${props.task.task_id}/review`}>
            {t().task.row.files(changes().files)} <PlusMinus added={changes().added} removed={changes().removed} />
          </a>
        )}
      </Show>
    </div>
  );
}
