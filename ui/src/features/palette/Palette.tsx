// The command palette: every task and every action, by a few letters.
import { useNavigate } from '@solidjs/router';
import { For, Show, createEffect, createMemo, createSignal, on, onMount } from 'solid-js';
import { api } from '../../api/client';
import { cancel, closeBeside, openModal } from '../../components/Dialog';
import { Icon } from '../../components/Icon';
import { Kbd } from '../../components/Kbd';
import { Dot } from '../../components/Status';
import { Unread } from '../../components/Unread';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { commands, keysOf } from '../../lib/commands';
import { fit } from '../../lib/fuzzy';
import { harnessTitle } from '../../state/harness';
import { installAside, installStep } from '../../state/install';
import { looks } from '../../state/status';
import { GROUPS } from '../../state/status';
import { grouped } from '../../state/tasks';
import { wordOf } from '../../state/words';
import './palette.css';

interface Entry {
  id: string;
  title: string;
  note: string;
  keys?: string | undefined;
  look?: ReturnType<typeof looks>;
  run: () => void;
}

const SHOWN_MAX = 30;
const TASKS_AT_REST = 6;

export default function Palette(props: { onClose: () => void }) {
  const navigate = useNavigate();
  const [words, setWords] = createSignal('');
  const [at, setAt] = createSignal(0);
  let dialog!: HTMLDialogElement;
  let list!: HTMLUListElement;
  onMount(() => openModal(dialog));

  const templates = createAsked(() => api.templates());
  const harnesses = createAsked(() => api.harnesses());
  const started = (): Entry[] =>
    (templates() ?? []).filter(({ name }) => !commands().some((one) => one.id === `template ${name}`)).map(({ name }) => ({ id: `t ${name}`, title: t().around.templates.from(name), note: t().around.templates.title, run: () => navigate(`/new?template=${encodeURIComponent(name)}`) }));
  const missing = (): Entry[] =>
    (harnesses() ?? [])
      .filter((one) => one.installed.length === 0 && installStep(one.name) === undefined)
      .map(({ name }) => ({ id: `i ${name}`, title: t().hosts.installName(harnessTitle(name)), note: t().hosts.harnesses, run: () => void installAside(name) }));

  const entries = createMemo((): Entry[] => {
    const tasks = GROUPS.flatMap((group) => grouped()[group]).map((task) => ({
      id: task.task_id,
      title: task.title,
      note: wordOf(task),
      look: looks(task),
      run: () => navigate(`/tasks/${task.task_id}`),
    }));
    const all = commands().filter((one) => !one.hidden && !one.local && one.id !== 'palette');
    const actions = all.map((one) => ({ id: `c ${one.id}`, title: one.title, note: one.group, keys: keysOf(one), run: one.run }));
    const of = (group: string): Entry[] => actions.filter((one) => one.note === group);
    const { go, general } = t().keys;
    const here = actions.filter((one) => one.note !== go && one.note !== general);
    const near = words().trim() === '' ? tasks.slice(0, TASKS_AT_REST) : tasks;
    return [...here, ...of(go), ...near, ...of(general), ...started(), ...missing()];
  });
  const shown = createMemo(() => {
    if (words().trim() === '') return entries();
    return entries()
      .flatMap((entry) => {
        const found = fit(words(), entry.title);
        return found ? [{ entry, score: found.score }] : [];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, SHOWN_MAX)
      .map((one) => one.entry);
  });
  createEffect(on(words, () => setAt(0)));
  createEffect(on(at, (nth) => list?.children[nth]?.scrollIntoView({ block: 'nearest' })));
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    props.onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = Math.max(1, shown().length);
    if (event.key === 'ArrowDown') setAt((at() + 1) % count);
    else if (event.key === 'ArrowUp') setAt((at() + count - 1) % count);
    else if (event.key === 'Enter') run(shown()[at()]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label={t().palette.title} onCancel={(event) => cancel(event, props.onClose)} onClick={(event) => closeBeside(event, props.onClose)}>
      <div class="palettetop">
        <Icon name="search" />
        <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant={shown().length > 0 ? `palette-${at()}` : undefined} aria-autocomplete="list" aria-label={t().palette.placeholder} placeholder={t().palette.placeholder} spellcheck={false} value={words()} onInput={(event) => setWords(event.currentTarget.value)} onKeyDown={onKeyDown} autofocus />
      </div>
      <ul ref={list} id="palette-list" role="listbox" aria-label={t().palette.title}>
        <For each={shown()}>
          {(entry, nth) => (
            <li id={`palette-${nth()}`} role="option" aria-selected={nth() === at()} onPointerMove={() => setAt(nth())} onClick={() => run(entry)}>
              <Show when={entry.look} fallback={<Icon name="right" />}>
                {(look) => <Dot tone={look().tone} shape={look().shape} />}
              </Show>
              <span class="truncate">{entry.title}</span>
              <span class="faint note">{entry.note}</span>
              <Show when={entry.keys}>{(keys) => <Kbd keys={keys()} />}</Show>
            </li>
          )}
        </For>
      </ul>
      <Show when={shown().length === 0}>
        <p class="palettenone">{t().palette.none}</p>
      </Show>
      <Unread list={templates} what={t().around.templates.title} />
      <Unread list={harnesses} what={t().hosts.harnesses} />
    </dialog>
  );
}
