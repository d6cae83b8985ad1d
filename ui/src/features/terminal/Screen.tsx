// One terminal on the page. What it shows comes from the socket; a look that was lost is taken up again with
// the screen as it is. Tab belongs to the program, so Shift+Esc gives the keyboard back, and says so.
import { FitAddon } from '@xterm/addon-fit';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal as Xterm } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { For, Show, createEffect, createSignal, on, onCleanup, onMount } from 'solid-js';
import { terminalSocket, type Look } from '../../api/terminals';
import type { RunExit, Terminal, TerminalSize } from '../../api/types';
import { Callout } from '../../components/Bits';
import { t } from '../../i18n';
import { sentences } from '../../lib/message';
import { theme } from '../../state/theme';
import { themeAt } from './theme';

const SCROLLBACK = 5_000;
const FIT_AFTER_MS = 60;
/** Keys that a touch keyboard lacks, as what they send. */
const TOUCH_KEYS = [
  ['Esc', '\u001b'],
  ['Tab', '\t'],
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
  ['↑', '\u001b[A'],
  ['↓', '\u001b[B'],
] as const;

interface ScreenProps {
  task: string;
  terminal: Terminal;
  onExit: (exit: RunExit) => void;
  /** Takes the keyboard when the user leaves. */
  onLeave: () => void;
}

export function Screen(props: ScreenProps) {
  let at!: HTMLDivElement;
  const [connected, setConnected] = createSignal<boolean>();
  const [problem, setProblem] = createSignal<string>();
  let type: (text: string) => void = () => undefined;
  onMount(() => {
    const screen = new Xterm({
      scrollback: SCROLLBACK,
      allowProposedApi: true,
      cursorBlink: false,
      fontFamily: getComputedStyle(at).fontFamily,
      fontSize: 13,
      theme: themeAt(at),
      screenReaderMode: false,
      minimumContrastRatio: 4.5,
    });
    const fit = new FitAddon();
    screen.loadAddon(fit);
    screen.loadAddon(new WebLinksAddon((_, uri) => follow(uri)));
    screen.loadAddon(new Unicode11Addon());
    screen.unicode.activeVersion = '11';
    screen.open(at);
    screen.textarea?.setAttribute('aria-label', t().terminal.screen(props.terminal.name));
    screen.attachCustomKeyEventHandler((event) => keep(event, props.onLeave));
    const look = watch(screen, fit);
    const sender = new TextEncoder();
    type = (text) => look.type(sender.encode(text));
    screen.onData(type);
    screen.onBinary((text) => look.type(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    let waiting: ReturnType<typeof setTimeout>;
    const fitted = (): void => {
      clearTimeout(waiting);
      waiting = setTimeout(() => fitTo(screen, fit, look), FIT_AFTER_MS);
    };
    const size = new ResizeObserver(fitted);
    size.observe(at);
    // Another page may have given it its own size; who types decides.
    screen.textarea?.addEventListener('focus', fitted);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const paint = (): void => void (screen.options.theme = themeAt(at));
    scheme.addEventListener('change', paint);
    createEffect(on(theme, () => requestAnimationFrame(paint), { defer: true }));
    fit.fit();
    screen.focus();
    onCleanup(() => {
      clearTimeout(waiting);
      size.disconnect();
      scheme.removeEventListener('change', paint);
      look.end();
      screen.dispose();
    });
  });

  function watch(screen: Xterm, fit: FitAddon): Look {
    const take = (size: TerminalSize): void => screen.resize(Math.max(2, size.cols), Math.max(1, size.rows));
    const look: Look = terminalSocket.look(props.task, props.terminal.name, {
      opened: () => fitTo(screen, fit, look),
      screen: (size) => {
        screen.reset();
        take(size);
      },
      output: (bytes, done) => screen.write(bytes, done),
      resized: take,
      exit: (exit) => {
        screen.options.disableStdin = true;
        setConnected(true);
        props.onExit(exit);
      },
      refused: (error) => setProblem(sentences(error.message)),
      connected: setConnected,
    });
    return look;
  }

  return (
    <div class="terminal">
      <Show when={connected() === false}>
        <Callout tone="attention" role="status">
          {t().terminal.reconnecting}
        </Callout>
      </Show>
      <Show when={problem()}>
        {(text) => (
          <Callout tone="attention" role="alert">
            {text()}
          </Callout>
        )}
      </Show>
      <div ref={at} class="terminalscreen" onKeyDown={(event) => event.stopPropagation()} />
      <div class="terminalfoot">
        <span class="faint">{t().terminal.leave}</span>
        <span class="touchkeys" role="group" aria-label={t().terminal.keys}>
          <For each={TOUCH_KEYS}>
            {([name, keys]) => (
              <button type="button" class="button" data-look="bare" onClick={() => type(keys)}>
                {name}
              </button>
            )}
          </For>
        </span>
      </div>
    </div>
  );
}

/** Whether the terminal gets a key; ours are the one that leaves, and the ones to copy and paste. */
function keep(event: KeyboardEvent, leave: () => void): boolean {
  if (event.key === 'Escape' && event.shiftKey) {
    if (event.type === 'keydown') leave();
    event.preventDefault();
    return false;
  }
  const clipboard = event.ctrlKey && event.shiftKey && ['c', 'v'].includes(event.key.toLowerCase());
  if (clipboard && event.key.toLowerCase() === 'c' && event.type === 'keydown') {
    document.execCommand('copy');
    event.preventDefault();
  }
  return !clipboard;
}

/** Gives the terminal the size of its place. */
function fitTo(screen: Xterm, fit: FitAddon, look: Look): void {
  const size = fit.proposeDimensions();
  if (!size || !(size.cols > 1) || !(size.rows > 0)) return;
  screen.resize(size.cols, size.rows);
  look.resize({ rows: size.rows, cols: size.cols });
}

/** A link in a terminal is a link of the page, in a new tab that knows nothing of us. */
function follow(uri: string): void {
  const link = document.createElement('a');
  link.href = uri;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.click();
}
