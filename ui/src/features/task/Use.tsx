// What the box uses, with a line of the last minutes for each; and the way to what runs in it.
import { For, Show, createEffect, on, type JSX } from 'solid-js';
import type { Statistics, Task } from '../../api/types';
import { Sparkline } from '../../components/Sparkline';
import { t } from '../../i18n';
import { within } from '../../lib/clock';
import { bytes, cpu, figure } from '../../lib/format';
import { FRESH_MS, HISTORY_MAX, loadHistory, useOf, type BoxUse } from '../../state/statistics';

/** Looks that a line shows: the last five minutes, of a young box as many as there are. */
const SLOTS = HISTORY_MAX / 2;
const SLOTS_MIN = 12;

export function Use(props: { task: Task; onProcesses: () => void }) {
  createEffect(on(() => props.task.task_id, (id) => void loadHistory(id)));
  const use = (): BoxUse | undefined => useOf(props.task.task_id);
  const stale = (): boolean => !within(use()?.latest.sampled_at ?? '', FRESH_MS);
  return (
    <Show when={use()}>
      {(one) => (
        <div class="use" data-stale={stale() ? '' : undefined}>
          <Show when={stale()}>
            <p class="faint">{t().box.use.stale}</p>
          </Show>
          <Trend use={one()} what={t().box.use.cpu} of={(look) => look.cpu_percent} full={(one().limits?.cpus ?? 1) * 100} words={cpu} hint={cores(one())} />
          <Trend use={one()} what={t().box.use.memory} of={(look) => look.memory_bytes} full={one().limits?.memory_bytes ?? 0} words={bytes} hint={memory(one())} />
          <dl>
            <For each={facts(one().latest)}>
              {([label, value]) => (
                <div>
                  <dt>{label}</dt>
                  <dd class="numbers">{value}</dd>
                </div>
              )}
            </For>
            <Show when={!stale() && one().latest.processes !== undefined}>
              <div>
                <dt>{t().box.use.processes}</dt>
                <dd class="numbers">
                  <button type="button" class="ref" aria-label={`${t().box.use.processes}: ${one().latest.processes}`} onClick={() => props.onProcesses()}>
                    {one().latest.processes}
                  </button>
                </dd>
              </div>
            </Show>
          </dl>
        </div>
      )}
    </Show>
  );
}

interface TrendProps {
  use: BoxUse;
  what: string;
  of: (look: Statistics) => number | undefined;
  full: number;
  words: (value: number) => string;
  hint: string;
}

function Trend(props: TrendProps) {
  const latest = (): number | undefined => props.of(props.use.latest);
  const values = (): (number | undefined)[] => props.use.history.map(props.of);
  /** Twice what was seen, so that a line has room; the limit where that is less. */
  const full = (): number => Math.min(props.full || Infinity, 2 * Math.max(1, ...values().map((value) => value ?? 0)));
  return (
    <Show when={latest() !== undefined}>
      <div class="trend" title={props.hint}>
        <span class="soft">{props.what}</span>
        <Sparkline values={values()} full={full()} slots={Math.max(SLOTS_MIN, Math.min(SLOTS, values().length))} label={t().box.use.trend(props.what, props.words(latest() ?? 0))} />
        <span class="numbers">{props.words(latest() ?? 0)}</span>
      </div>
    </Show>
  );
}

function cores({ limits }: BoxUse): string {
  if (limits?.cpus === undefined) return '';
  return [t().box.use.cores(figure(limits.cpus)), limits.enforced === false ? t().box.use.whole : ''].filter(Boolean).join(' ');
}

function memory({ latest, limits }: BoxUse): string {
  const words = t().box.use;
  const limit = limits?.memory_bytes === undefined ? '' : words.of(bytes(latest.memory_bytes ?? 0), bytes(limits.memory_bytes));
  const peak = latest.memory_peak_bytes === undefined ? '' : words.peak(bytes(latest.memory_peak_bytes));
  return [limit, limits?.enforced === false ? words.whole : '', peak].filter(Boolean).join(' · ');
}

function facts({ network, block_io: blocks, disk }: Statistics): [string, JSX.Element][] {
  const words = t().box.use;
  return [
    ...(network ? [[words.network, words.flow(bytes(Math.round(network.in_per_s)), bytes(Math.round(network.out_per_s)))] as [string, string]] : []),
    ...(blocks ? [[words.blocks, words.flow(bytes(Math.round(blocks.in_per_s)), bytes(Math.round(blocks.out_per_s)))] as [string, string]] : []),
    ...(disk ? [[words.disk, disk.at_least ? words.atLeast(bytes(disk.bytes)) : bytes(disk.bytes)] as [string, string]] : []),
  ];
}
