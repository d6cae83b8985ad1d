// What is kept longer than the settings want, and what nothing refers to any more: looked for when it is asked,
// shown, and removed when it is asked once more.
import { For, Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { ExpiredList } from '../../api/types';
import { Ago, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { t } from '../../i18n';
import { bytes } from '../../lib/format';
import { createAttempt } from '../../state/attempt';

export function KeptSettings() {
  const [found, setFound] = createSignal<ExpiredList>();
  const [removed, setRemoved] = createSignal<ExpiredList>();
  const tried = createAttempt();
  const words = (): ReturnType<typeof t>['journal']['kept'] => t().journal.kept;
  const look = (): Promise<boolean> =>
    tried.run(async () => {
      setRemoved(undefined);
      setFound(await api.expired());
    });
  const remove = (): Promise<boolean> =>
    tried.run(async () => {
      setRemoved(await api.letGo());
      setFound(undefined);
    });
  return (
    <>
      <p class="faint">{words().hint}</p>
      <Show when={found()}>
        {(list) => (
          <Show when={list().items.length > 0} fallback={<p role="status">{words().none}</p>}>
            <table class="keylist">
              <tbody>
                <For each={list().items}>
                  {(one) => (
                    <tr>
                      <th scope="row">
                        {one.title} <span class="faint">{words().what[one.what]}</span>
                      </th>
                      <td class="soft">
                        {words().since} <Ago at={one.since} /> · <span class="numbers">{bytes(one.bytes)}</span>
                      </td>
                    </tr>
                  )}
                </For>
              </tbody>
            </table>
          </Show>
        )}
      </Show>
      <Show when={removed()}>{(gone) => <p role="status">{words().removed(gone().items.length, bytes(gone().bytes))}</p>}</Show>
      <div class="lineactions">
        <Button disabled={tried.busy()} onClick={() => void look()}>
          {tried.busy() ? words().looking : words().look}
        </Button>
        <Show when={(found()?.items.length ?? 0) > 0 && found()}>
          {(list) => (
            <Button look="danger" icon="trash" disabled={tried.busy()} onClick={() => void remove()}>
              {words().remove(list().items.length, bytes(list().bytes))}
            </Button>
          )}
        </Show>
      </div>
      <Problem text={tried.problem()} />
    </>
  );
}
