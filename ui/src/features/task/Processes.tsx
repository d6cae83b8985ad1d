// What runs in the box: asked again as long as one looks, with a way to send each a signal.
import { For, Show, createSignal, onCleanup } from 'solid-js';
import { api } from '../../api/client';
import type { BoxProcess, Signal, Task } from '../../api/types';
import { Callout } from '../../components/Bits';
import { IconButton } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Menu, type MenuItem } from '../../components/Menu';
import { t } from '../../i18n';
import { bytes, cpu, elapsed } from '../../lib/format';
import { messageOf } from '../../lib/message';
import { nested } from '../../lib/processes';
import { toast, toastFailure } from '../../state/toasts';

const ASK_AGAIN_MS = 2500;
const OFFERED: readonly Signal[] = ['term', 'int', 'hup', 'stop', 'cont', 'quit', 'kill'];

export function Processes(props: { task: Task; onClose: () => void }) {
  const [list, setList] = createSignal<{ process: BoxProcess; depth: number }[]>();
  const [more, setMore] = createSignal(false);
  const [problem, setProblem] = createSignal<string>();
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  let asked = 0;
  /** Asks now and again and again; an answer that was asked for before another is not shown. */
  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    const nth = (asked += 1);
    try {
      const now = await api.processes(props.task.task_id, stop.signal);
      if (nth !== asked) return;
      setList(nested(now.items));
      setMore(now.more);
      setProblem(undefined);
    } catch (error) {
      if (stop.signal.aborted || nth !== asked) return;
      setProblem(messageOf(error));
    }
    if (!stop.signal.aborted) timer = setTimeout(() => void ask(), ASK_AGAIN_MS);
  };
  void ask();
  onCleanup(() => {
    stop.abort();
    clearTimeout(timer);
  });
  const signal = async (process: BoxProcess, name: Signal): Promise<void> => {
    try {
      await api.signal(props.task.task_id, process, name);
      toast(t().box.process.sent(name, process.pid));
    } catch (error) {
      toastFailure(messageOf(error));
    }
    void ask();
  };
  return (
    <Dialog title={t().box.process.title} wide onClose={props.onClose}>
      <Show when={problem()}>{(text) => <Callout tone="attention">{text()}</Callout>}</Show>
      <Show when={list()} fallback={<Show when={!problem()}><p class="faint">{t().app.loading}</p></Show>}>
        {(all) => (
          <Show when={all().length > 0} fallback={<p class="soft">{t().box.process.none}</p>}>
            <table class="processes">
              <thead>
                <tr>
                  <th class="right">{t().box.process.pid}</th>
                  <th>{t().box.process.command}</th>
                  <th class="right">{t().box.process.cpu}</th>
                  <th class="right">{t().box.process.memory}</th>
                  <th class="right wide">{t().box.process.age}</th>
                  <th>
                    <span class="unseen">{t().box.process.signal}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                <For each={all()}>{(one) => <Row {...one} onSignal={(name) => void signal(one.process, name)} />}</For>
              </tbody>
            </table>
          </Show>
        )}
      </Show>
      <Show when={more()}>
        <p class="faint">{t().box.process.more}</p>
      </Show>
    </Dialog>
  );
}

function Row(props: { process: BoxProcess; depth: number; onSignal: (signal: Signal) => void }) {
  const items = (): MenuItem[] => OFFERED.map((name) => ({ label: t().box.process.signals[name], danger: name === 'kill', apart: name === 'kill', run: () => props.onSignal(name) }));
  return (
    <tr>
      <td class="right numbers faint">{props.process.pid}</td>
      <td class="command">
        <code class="truncate" title={props.process.command} style={{ 'padding-left': `${Math.min(6, props.depth) * 12}px` }}>
          {props.process.command}
        </code>
      </td>
      <td class="right numbers">{cpu(props.process.cpu_percent)}</td>
      <td class="right numbers">{bytes(props.process.memory_bytes)}</td>
      <td class="right numbers wide soft">{elapsed(props.process.age_ms)}</td>
      <td class="right">
        <Show when={!props.process.relay} fallback={<span class="faint">{t().box.process.own}</span>}>
          <Menu label={`${t().box.process.signal}: ${props.process.pid}`} items={items()} trigger={(trigger) => <IconButton icon="more" label={`${t().box.process.signal}: ${props.process.pid}`} {...trigger} />} />
        </Show>
      </td>
    </tr>
  );
}
