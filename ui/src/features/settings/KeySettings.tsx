// Shortcuts, each of which can be changed by pressing other keys: one stroke, or two one after the other. A key
// that something else has where both hold is not taken without a word; who goes away has chosen nothing.
import { For, Show, createSignal } from 'solid-js';
import { Button } from '../../components/Button';
import { Kbd } from '../../components/Kbd';
import { t } from '../../i18n';
import { isChosen, keysOf, rebind } from '../../lib/commands';
import { spokenKeys, strokeOf } from '../../lib/keys';
import type { KeyId } from '../../lib/keytable';
import { inTheWay, shortcutGroups, shortcutTitle } from '../../state/shortcuts';

const ONLY_MODIFIER = /^(?:.*\+)?(?:control|shift|alt|meta)$/;
/** A stroke after which another may come: one that is typed by one finger. */
const BEGINS = /^(?:shift\+)?.$/;

export function KeySettings() {
  return (
    <For each={shortcutGroups()}>
      {(group) => (
        <section class="keygroup">
          <h3>{group.heading}</h3>
          <table class="keylist">
            <tbody>
              <For each={group.ids}>{(id) => <KeyLine id={id} />}</For>
            </tbody>
          </table>
        </section>
      )}
    </For>
  );
}

function KeyLine(props: { id: KeyId }) {
  const [changing, setChanging] = createSignal(false);
  const [begun, setBegun] = createSignal<string>();
  /** What was pressed and stands in the way of something else. */
  const [wanted, setWanted] = createSignal<string>();
  const title = (): string => shortcutTitle(props.id);
  const keys = (): string | undefined => keysOf(props);
  const others = (of: string | undefined): KeyId[] => (of === undefined ? [] : inTheWay(props.id, of));
  const titlesOf = (ids: KeyId[]): string => ids.map(shortcutTitle).join(', ');
  const end = (chosen?: string): void => {
    setChanging(false);
    setBegun(undefined);
    if (chosen === undefined) return;
    if (chosen !== '' && others(chosen).length > 0) setWanted(chosen);
    else rebind(props.id, chosen);
  };
  const begin = (): void => {
    setWanted(undefined);
    setBegun(undefined);
    setChanging(true);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!changing() || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const stroke = strokeOf(event);
    const before = begun();
    if (event.repeat || ONLY_MODIFIER.test(stroke)) return;
    if (stroke === 'escape') end();
    else if (before !== undefined) end(stroke === 'enter' ? before : `${before} ${stroke}`);
    else if (stroke === 'backspace') end('');
    else if (BEGINS.test(stroke)) setBegun(stroke);
    else end(stroke);
  };
  const take = (chosen: string): void => {
    for (const other of others(chosen)) rebind(other, '');
    rebind(props.id, chosen);
    setWanted(undefined);
  };
  return (
    <>
      <tr>
        <th scope="row">{title()}</th>
        <td>
          <Show
            when={!changing()}
            fallback={
              <span class="faint" role="status">
                <Show when={begun()} fallback={t().keys.press}>
                  {(one) => (
                    <>
                      <Kbd keys={one()} /> {t().keys.second}
                    </>
                  )}
                </Show>{' '}
              </span>
            }
          >
            <Show when={keys()} fallback={<span class="faint">{t().keys.none} </span>}>
              {(shown) => (
                <>
                  <Kbd keys={shown()} />
                  <span class="unseen">{spokenKeys(shown(), t().spoken)}</span>
                </>
              )}
            </Show>
          </Show>
          <Button look="bare" aria-label={`${t().keys.change}: ${title()}`} onClick={begin} onKeyDown={onKeyDown} onBlur={() => changing() && end()}>
            {t().keys.change}
          </Button>
          <Show when={isChosen(props.id)}>
            <Button look="bare" aria-label={`${t().keys.reset}: ${title()}`} onClick={() => rebind(props.id, undefined)}>
              {t().keys.reset}
            </Button>
          </Show>
        </td>
      </tr>
      <Show when={wanted()}>
        {(chosen) => (
          <tr>
            <td class="keyclash" colspan="2">
              <span class="problem" role="alert">
                <Kbd keys={chosen()} /> {t().keys.taken(titlesOf(others(chosen())))}
              </span>{' '}
              <Button onClick={() => take(chosen())}>{t().keys.take}</Button>{' '}
              <Button look="bare" onClick={() => setWanted(undefined)}>
                {t().keys.leave}
              </Button>
            </td>
          </tr>
        )}
      </Show>
      <Show when={wanted() === undefined && others(keys()).length > 0}>
        <tr>
          <td class="keyclash" colspan="2">
            <span class="problem">{t().keys.clash(titlesOf(others(keys())))}</span>
          </td>
        </tr>
      </Show>
    </>
  );
}
