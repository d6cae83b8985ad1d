// The machines that hold boxes, the agent programs on them, and what is missing.
import { For, Show } from 'solid-js';
import { api } from '../../api/client';
import type { TaskMention } from '../../api/types';
import { Failed, Meter } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Mentions } from '../../components/Mentions';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { Agents } from './Agents';
import { Checks } from './Checks';
import { Orphans } from './Orphans';
import './system.css';

export function Hosts() {
  const hosts = createAsked(() => api.hosts());
  const checks = createAsked(() => api.doctor());
  const harnesses = createAsked(() => api.harnesses());
  const missing = (): number => ((checks() ?? []).filter((check) => !check.ok).length);
  return (
    <main id="main" class="main" tabindex="-1">
      <div class="pagehead">
        <h1>{t().hosts.title}</h1>
      </div>
      <div class="scroll">
        <div class="sheetpage">
          <Failed of={hosts.error} />
          <For each={hosts()}>
            {(host) => (
              <section>
                <h2>{host.name}</h2>
                <p class="soft">
                  {t().hosts.working(host.working, host.parallel_tasks)}
                  <Show when={host.pending > 0}>, {t().hosts.pending(host.pending)}</Show>
                </p>
                <Meter share={host.working / Math.max(1, host.parallel_tasks)} label={host.name} />
                <Named title={t().box.place.holders} list={host.at_work} />
                <Named title={t().hosts.line} list={host.line} />
                <Orphans host={host.name} orphans={host.orphans} onChange={() => hosts.again()} />
              </section>
            )}
          </For>
          <section>
            <h2>{t().hosts.harnesses}</h2>
            <Agents
              harnesses={harnesses}
              onChange={() => {
                harnesses.again();
                checks.again();
              }}
            />
          </section>
          <section>
            <div class="sectionhead">
              <h2>{t().hosts.checks}</h2>
              <Button disabled={checks.loading} onClick={() => checks.again()}>
                {t().hosts.check}
              </Button>
            </div>
            <Failed of={checks.error} />
            <Show when={checks()}>
              {(all) => (
                <>
                  <p class="soft">{missing() === 0 ? t().hosts.allGood : t().hosts.missing(missing())}</p>
                  <Checks checks={all()} />
                </>
              )}
            </Show>
          </section>
        </div>
      </div>
    </main>
  );
}

/** Tasks by name, each the way to it. */
function Named(props: { title: string; list: TaskMention[] }) {
  return (
    <Show when={props.list.length > 0}>
      <p class="soft">
        {props.title}:{' '}
        <Mentions list={props.list} />
      </p>
    </Show>
  );
}
