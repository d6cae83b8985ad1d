// The terminals of a task: the ones that are open, as tabs of their own, and ways to open another. They go on
// when the page is closed; closing one ends what runs on it.
import { For, Show, createEffect, createMemo, createSignal, onCleanup } from 'solid-js';
import { api } from '../../api/client';
import type { RunExit, Task, Terminal, TerminalKind, TerminalList } from '../../api/types';
import { Callout, Empty } from '../../components/Bits';
import { Button, IconButton } from '../../components/Button';
import { t } from '../../i18n';
import { useCommands } from '../../lib/commands';
import { messageOf } from '../../lib/message';
import { inShell, openBox } from '../../platform/shell';
import { harnessTitle } from '../../state/harness';
import { copyText } from '../../state/copy';
import { toastFailure } from '../../state/toasts';
import { Screen } from './Screen';
import './terminal.css';

type TerminalsProps = {
  task: Task;
  /** A shell is wanted as soon as there is a place for it. */
  asked?: boolean;
  onAsked?: () => void;
};

export default function Terminals(props: TerminalsProps) {
  const [list, setList] = createSignal<TerminalList>();
  const [shown, setShown] = createSignal<string>();
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  let tabs: HTMLDivElement | undefined;
  /** Of the times that the list was asked for, the last, and the last that was answered. */
  let [asked, answered] = [0, 0];
  onCleanup(() => (asked = -1));
  const id = (): string => props.task.task_id;
  const look = async (): Promise<void> => {
    const nth = (asked += 1);
    try {
      const now = await api.terminals(id());
      // What was asked for since knows better.
      if (nth !== asked) return;
      setList((before) => ({ ...now, items: now.items.map((one) => ended(one, before?.items)) }));
      setProblem(undefined);
      if (!now.items.some(({ name }) => name === shown())) setShown(now.items.at(-1)?.name);
    } catch (error) {
      if (nth !== asked) return;
      setProblem(messageOf(error));
    }
    answered = nth;
  };
  void look();
  const open = async (what: TerminalKind): Promise<void> => {
    setBusy(true);
    try {
      const opened = await api.openTerminal(id(), { what });
      setList((all) => all && { ...all, items: [...all.items, opened] });
      setShown(opened.name);
      // A list that is on its way does not know of it.
      if (answered !== asked) void look();
    } catch (error) {
      toastFailure(messageOf(error));
    }
    setBusy(false);
  };
  // What an action elsewhere asks for is opened once.
  createEffect(() => {
    if (!props.asked || list() === undefined) return;
    props.onAsked?.();
    void open('shell');
  });
  const close = async (name: string): Promise<void> => {
    try {
      await api.closeTerminal(id(), name);
    } catch (error) {
      toastFailure(messageOf(error));
    }
    await look();
  };
  const over = (name: string, exit: RunExit): void => {
    setList((all) => all && { ...all, items: all.items.map((one) => (one.name === name ? { ...one, exit } : one)) });
  };
  const items = (): Terminal[] => list()?.items ?? [];
  const one = createMemo(() => items().find(({ name }) => name === shown()));
  // A terminal of the same name is the same screen, whatever else changed in the list.
  const name = createMemo(() => one()?.name);
  const canAgent = (): boolean => (list()?.agent ?? false) && props.task.allowed.includes('revive');
  useCommands(() => [
    ...(canAgent() ? [{ id: 'terminal-agent', title: t().terminal.agent(harnessTitle(props.task.spec.harness)), group: t().terminal.title, run: () => void open('agent') }] : []),
    ...items().map((one) => ({ id: `terminal-show-${one.name}`, title: t().terminal.show(one.name), group: t().terminal.title, run: () => void setShown(one.name) })),
    ...items().map((one) => ({ id: `terminal-close-${one.name}`, title: t().terminal.close(one.name), group: t().terminal.title, run: () => void close(one.name) })),
  ]);
  const leave = (): void => tabs?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  return (
    <section class="terminals" aria-label={t().terminal.title}>
      <div class="terminalbar">
        <div ref={tabs} class="terminaltabs" role="group" aria-label={t().terminal.title}>
          <For each={items()}>
            {(terminal) => (
              <span class="terminaltab" data-current={terminal.name === shown() ? '' : undefined}>
                <button type="button" aria-pressed={terminal.name === shown()} onClick={() => setShown(terminal.name)}>
                  {terminal.name}
                  <Show when={terminal.exit}>{(exit) => <span class="faint"> {t().terminal.ended(exit())}</span>}</Show>
                </button>
                <IconButton icon="cross" label={t().terminal.close(terminal.name)} onClick={() => void close(terminal.name)} />
              </span>
            )}
          </For>
        </div>
        <Show when={items().length > 0}>
          <Button icon="plus" disabled={busy()} onClick={() => void open('shell')}>
            {t().terminal.shell}
          </Button>
        </Show>
        <Show when={list()?.agent}>
          <Button icon="terminal" disabled={busy() || !canAgent()} title={canAgent() ? undefined : t().terminal.agentBusy} onClick={() => void open('agent')}>
            {t().terminal.agent(harnessTitle(props.task.spec.harness))}
          </Button>
        </Show>
        <Show when={list()?.folder}>{(folder) => <Folder task={id()} path={folder()} />}</Show>
      </div>
      <Show when={problem()}>{(text) => <Callout tone="attention">{text()}</Callout>}</Show>
      <Show
        when={name()}
        keyed
        fallback={
          <Show when={list()}>
            <Empty title={t().terminal.none} text={t().terminal.noneText}>
              <Button look="main" icon="plus" disabled={busy()} onClick={() => void open('shell')}>
                {t().terminal.shell}
              </Button>
            </Empty>
          </Show>
        }
      >
        {(name) => <Screen task={id()} terminal={one()!} onExit={(exit) => over(name, exit)} onLeave={leave} />}
      </Show>
    </section>
  );
}

/** A terminal as the list tells it, and that it ended where its screen said so since. */
function ended(one: Terminal, before: readonly Terminal[] = []): Terminal {
  const known = before.find(({ name, opened_at }) => name === one.name && opened_at === one.opened_at);
  return one.exit === undefined && known?.exit ? { ...one, exit: known.exit } : one;
}

/** Where the work tree lies: opened in the window, copied in a browser. */
function Folder(props: { task: string; path: string }) {
  const copy = (): void => void copyText(props.path);
  const open = (how: 'folder' | 'editor'): void => {
    // A window of an older build, or one on another machine, can only give the path.
    openBox(props.task, how).catch(copy);
  };
  return (
    <Show
      when={inShell()}
      fallback={
        <Button icon="copy" title={props.path} onClick={copy}>
          {t().terminal.copyPath}
        </Button>
      }
    >
      <Button icon="edit" title={props.path} onClick={() => open('editor')}>
        {t().terminal.openEditor}
      </Button>
      <Button icon="box" title={props.path} onClick={() => open('folder')}>
        {t().terminal.openFolder}
      </Button>
    </Show>
  );
}
