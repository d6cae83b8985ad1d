// Shortcuts, each of which can be changed by pressing other keys.
import { For, Show, createSignal } from 'solid-js';
import { Button } from '../../components/Button';
import { Kbd } from '../../components/Kbd';
import { t } from '../../i18n';
import { commands, keysOf, rebind, type Command } from '../../lib/commands';
import { strokeOf } from '../../lib/keys';

const ONLY_MODIFIER = /^(?:.*\+)?(?:control|shift|alt|meta)$/;

export function KeySettings() {
  const [changing, setChanging] = createSignal<string>();
  const list = (): Command[] => commands().filter((one) => !one.hidden);
  const onKeyDown = (event: KeyboardEvent, id: string): void => {
    if (changing() !== id) return;
    event.preventDefault();
    event.stopPropagation();
    const stroke = strokeOf(event);
    if (ONLY_MODIFIER.test(stroke)) return;
    if (stroke !== 'escape') rebind(id, stroke === 'backspace' ? '' : stroke);
    setChanging(undefined);
  };
  return (
    <table class="keylist">
      <tbody>
        <For each={list()}>
          {(command) => (
            <tr>
              <th scope="row">{command.title}</th>
              <td>
                <Show when={changing() !== command.id} fallback={<span class="faint">{t().keys.press} </span>}>
                  <Show when={keysOf(command)} fallback={<span class="faint">{t().keys.none} </span>}>
                    {(keys) => <Kbd keys={keys()} />}
                  </Show>
                </Show>
                <Button look="bare" aria-label={`${t().keys.change}: ${command.title}`} onClick={() => setChanging(command.id)} onKeyDown={(event) => onKeyDown(event, command.id)} onBlur={() => changing() === command.id && setChanging(undefined)}>
                  {t().keys.change}
                </Button>
                <Show when={keysOf(command) !== command.keys}>
                  <Button look="bare" onClick={() => rebind(command.id, undefined)}>
                    {t().keys.reset}
                  </Button>
                </Show>
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
