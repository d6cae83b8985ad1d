// What each agent can do, and what it cannot, side by side; as the server says it.
import { For, Show } from 'solid-js';
import { api } from '../../api/client';
import type { Abilities } from '../../api/types';
import { Failed } from '../../components/Bits';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { harnessTitle } from '../../state/harness';

type Row = keyof ReturnType<typeof t>['offers']['abilities']['rows'];

/** Every ability, in the order in which a user meets them. */
const ROWS: readonly Row[] = [
  'models', 'model_switch', 'efforts', 'effort_switch', 'permission_modes', 'mode_switch', 'approvals', 'edited_input',
  'questions', 'images', 'interrupt', 'steer', 'compact', 'clear', 'resume', 'adopt',
];

/** How many of it there are, or whether it is there. */
function has(abilities: Abilities, row: Row): number | boolean {
  switch (row) {
    case 'models':
      return abilities.models.choice === 'free';
    case 'approvals':
      return abilities.approvals.length > 0;
    case 'efforts':
    case 'permission_modes':
      return abilities[row].length;
    default:
      return abilities[row] === true;
  }
}

export function AgentAbilities() {
  const agents = createAsked(() => api.harnesses());
  const words = (): ReturnType<typeof t>['offers']['abilities'] => t().offers.abilities;
  const say = (value: number | boolean): string => (typeof value === 'number' && value > 0 ? String(value) : value ? words().yes : words().no);
  return (
    <>
      <Failed of={agents.error} />
      <Show when={agents()}>
        {(all) => (
          <div class="abilities" tabindex="0" role="region" aria-label={words().title}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{words().can}</th>
                  <For each={all()}>{(agent) => <th scope="col">{harnessTitle(agent.name)}</th>}</For>
                </tr>
              </thead>
              <tbody>
                <For each={ROWS}>
                  {(row) => (
                    <tr>
                      <th scope="row">{words().rows[row]}</th>
                      <For each={all()}>{(agent) => <td classList={{ faint: !has(agent.abilities, row) }}>{say(has(agent.abilities, row))}</td>}</For>
                    </tr>
                  )}
                </For>
              </tbody>
            </table>
          </div>
        )}
      </Show>
    </>
  );
}
