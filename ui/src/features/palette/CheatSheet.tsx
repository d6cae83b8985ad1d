// All shortcuts there are, by what they belong to; what works here and now stands out.
import { For } from 'solid-js';
import { Dialog } from '../../components/Dialog';
import { Kbd } from '../../components/Kbd';
import { t } from '../../i18n';
import { keysOf } from '../../lib/commands';
import { spokenKeys } from '../../lib/keys';
import { isHere, shortcutGroups, shortcutTitle } from '../../state/shortcuts';
import './palette.css';

export default function CheatSheet(props: { onClose: () => void }) {
  // As it was when it was opened: what the page has does not change below it.
  const groups = shortcutGroups().map((group) => ({
    ...group,
    ids: group.ids.filter((id) => keysOf({ id }) !== undefined).map((id) => ({ id, here: isHere(id) })),
  }));
  const shown = groups.filter((group) => group.ids.length > 0).sort((a, b) => Number(b.ids.some((one) => one.here)) - Number(a.ids.some((one) => one.here)));
  return (
    <Dialog title={t().keys.title} wide onClose={props.onClose}>
      <div class="cheats">
        <For each={shown}>
          {(group) => (
            <section>
              <h3>{group.heading}</h3>
              <dl>
                <For each={group.ids}>
                  {(one) => (
                    <div data-here={one.here ? '' : undefined}>
                      <dt>{shortcutTitle(one.id)}</dt>
                      <dd>
                        <Kbd keys={keysOf(one) ?? ''} />
                        <span class="unseen">{spokenKeys(keysOf(one) ?? '', t().spoken)}</span>
                      </dd>
                    </div>
                  )}
                </For>
              </dl>
            </section>
          )}
        </For>
      </div>
      <p class="faint">{t().keys.hint}</p>
    </Dialog>
  );
}
