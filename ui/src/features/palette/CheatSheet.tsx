// All shortcuts that work here and now, by group.
import { For, createMemo } from 'solid-js';
import { Dialog } from '../../components/Dialog';
import { Kbd } from '../../components/Kbd';
import { t } from '../../i18n';
import { commands, keysOf, type Command } from '../../lib/commands';
import './palette.css';

export default function CheatSheet(props: { onClose: () => void }) {
  const groups = createMemo(() => {
    const found = new Map<string, Command[]>();
    for (const one of commands()) if (keysOf(one)) found.set(one.group, [...(found.get(one.group) ?? []), one]);
    return [...found];
  });
  return (
    <Dialog title={t().keys.title} wide onClose={props.onClose}>
      <div class="cheats">
        <For each={groups()}>
          {([group, list]) => (
            <section>
              <h3>{group}</h3>
              <dl>
                <For each={list}>
                  {(one) => (
                    <div>
                      <dt>{one.title}</dt>
                      <dd>
                        <Kbd keys={keysOf(one) ?? ''} />
                        <span class="unseen">{keysOf(one)}</span>
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
