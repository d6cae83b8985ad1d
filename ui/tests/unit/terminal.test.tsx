// The view of a task's terminals, with a socket, a screen and an API of the tests' own.
import { render } from 'solid-js/web';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Task, Terminal, TerminalList } from '../../src/api/types';
import { Wire } from './wire';

const at = vi.hoisted(() => ({ list: { items: [], agent: false } as TerminalList, fit: { cols: 80, rows: 24 }, screens: [] as Screen[], observers: [] as (() => void)[], held: undefined as ((answer: (list: TerminalList) => void) => void) | undefined }));

interface Screen {
  written: string;
  size: { cols: number; rows: number };
  resets: number;
  gone: boolean;
  options: Record<string, unknown>;
  typed: (text: string) => void;
}

vi.mock('../../src/api/client', () => ({
  api: {
    terminals: () => (at.held ? new Promise(at.held) : Promise.resolve(structuredClone(at.list))),
    openTerminal: (_: string, { what }: { what: Terminal['what'] }) => {
      const opened: Terminal = { name: `${what}-${at.list.items.length + 1}`, what, program: '/bin/sh', size: { rows: 24, cols: 80 }, opened_at: '2026-11-22T00:00:00.000Z' };
      at.list.items.push(opened);
      return Promise.resolve(opened);
    },
    closeTerminal: (_: string, name: string) => {
      at.list.items = at.list.items.filter((one) => one.name !== name);
      return Promise.resolve({ exit: { how: 'signal', signal: 1 } });
    },
  },
}));
vi.mock('@xterm/addon-fit', () => ({ FitAddon: class { fit = (): void => undefined; proposeDimensions = () => at.fit; } }));
vi.mock('@xterm/addon-unicode11', () => ({ Unicode11Addon: class {} }));
vi.mock('@xterm/addon-web-links', () => ({ WebLinksAddon: class {} }));
vi.mock('@xterm/xterm', () => ({
  Terminal: class implements Screen {
    written = '';
    size = { cols: 0, rows: 0 };
    resets = 0;
    gone = false;
    unicode = { activeVersion: '' };
    textarea = document.createElement('textarea');
    typed: (text: string) => void = () => undefined;
    constructor(public options: Record<string, unknown>) {
      at.screens.push(this);
    }
    open = (element: HTMLElement): void => element.append(this.textarea);
    loadAddon = (): void => undefined;
    attachCustomKeyEventHandler = (): void => undefined;
    onData = (heard: (text: string) => void): void => void (this.typed = heard);
    onBinary = (): void => undefined;
    focus = (): void => this.textarea.focus();
    reset = (): void => void ((this.resets += 1), (this.written = ''));
    resize = (cols: number, rows: number): void => void (this.size = { cols, rows });
    write = (bytes: Uint8Array, done: () => void): void => {
      this.written += new TextDecoder().decode(bytes);
      done();
    };
    dispose = (): void => void (this.gone = true);
  },
}));

const task = { task_id: 't1', allowed: ['revive'], spec: { harness: 'claude' } } as unknown as Task;
const SIZE = { rows: 24, cols: 80 };
const terminal = (name: string): Terminal => ({ name, what: 'shell', program: '/bin/sh', size: SIZE, opened_at: '2026-11-22T00:00:00.000Z' });
const wire = (): Wire => Wire.all.at(-1)!;
const screen = (): Screen => at.screens.at(-1)!;
const text = (): string => document.body.textContent ?? '';
const button = (name: string): HTMLButtonElement => [...document.querySelectorAll('button')].find((one) => (one.getAttribute('aria-label') ?? one.textContent)?.trim() === name)!;
const sent = (): string => wire().sent.filter((one) => typeof one !== 'string').map((one) => new TextDecoder().decode((one as Uint8Array).subarray(1))).join('');

let dispose: (() => void) | undefined;

/** The view, its list read. */
async function shown(items: Terminal[] = [], agent = false): Promise<void> {
  at.list = { items, agent };
  const { default: Terminals } = await import('../../src/features/terminal/Terminals');
  dispose = render(() => <Terminals task={task} />, document.body);
  await vi.advanceTimersByTimeAsync(0);
}

/** The socket is there, and the terminal with what it shows. */
function connect(name: string, screenful = ''): void {
  wire().open();
  wire().tell({ type: 'opened', channel: 1, terminal: terminal(name) });
  wire().tell({ type: 'screen', channel: 1, size: SIZE, bytes: screenful.length });
  wire().show(1, screenful);
}

beforeEach(() => {
  vi.useFakeTimers();
  // A terminal asks how wide its letters are drawn; nothing is drawn here.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.stubGlobal('WebSocket', Wire);
  vi.stubGlobal('ResizeObserver', class { constructor(changed: () => void) { at.observers.push(changed); } observe = (): void => undefined; disconnect = (): void => undefined; });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  Object.assign(at, { fit: { cols: 80, rows: 24 }, screens: [], observers: [], held: undefined });
  Wire.all = [];
});
afterEach(() => {
  dispose?.();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the terminals of a task', () => {
  it('says that none is open, and opens one that has the keyboard', async () => {
    await shown();
    expect(text()).toContain('No terminal is open');
    expect(Wire.all).toHaveLength(0);
    button('New shell').click();
    await vi.advanceTimersByTimeAsync(0);
    connect('shell-1', '$ ');
    expect(wire().said()[0]).toEqual({ type: 'open', channel: 1, task: 't1', terminal: 'shell-1' });
    expect(screen().written).toBe('$ ');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Terminal shell-1');
  });

  it('sends what is typed, also before the terminal is there', async () => {
    await shown([terminal('shell-1')]);
    screen().typed('l');
    connect('shell-1');
    screen().typed('s\r');
    expect(sent()).toBe('ls\r');
  });

  it('takes the size of its place, once it rests', async () => {
    at.fit = { cols: 100, rows: 30 };
    await shown([terminal('shell-1')]);
    connect('shell-1');
    const sizes = (): unknown[] => wire().said().filter((one) => (one as { type: string }).type === 'resize');
    expect(sizes()).toEqual([{ type: 'resize', channel: 1, size: { cols: 100, rows: 30 } }]);
    for (const cols of [90, 60, 40]) {
      at.fit = { cols, rows: 30 };
      at.observers.forEach((changed) => changed());
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(100);
    expect(sizes().slice(1)).toEqual([{ type: 'resize', channel: 1, size: { cols: 40, rows: 30 } }]);
    expect(screen().size).toEqual({ cols: 40, rows: 30 });
    // Another page gave it another size.
    wire().tell({ type: 'resized', channel: 1, size: { rows: 10, cols: 20 } });
    expect(screen().size).toEqual({ cols: 20, rows: 10 });
  });

  it('says how it ended, and takes no more keys', async () => {
    await shown([terminal('shell-1')]);
    connect('shell-1');
    wire().tell({ type: 'exit', channel: 1, exit: { how: 'code', code: 3 } });
    expect(text()).toContain('ended, 3');
    expect(screen().options['disableStdin']).toBe(true);
    button('Close shell-1').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(text()).toContain('No terminal is open');
    expect(screen().gone).toBe(true);
  });

  it('shows the list that was asked for last, and an end that its screen told of', async () => {
    await shown([terminal('shell-1'), terminal('shell-2'), terminal('shell-3')]);
    connect('shell-3');
    wire().tell({ type: 'exit', channel: 1, exit: { how: 'code', code: 3 } });
    const answers: ((list: TerminalList) => void)[] = [];
    at.held = (answer) => answers.push(answer);
    for (const name of ['shell-2', 'shell-1']) button(`Close ${name}`).click();
    await vi.advanceTimersByTimeAsync(0);
    answers[1]!({ items: [terminal('shell-3')], agent: false });
    await vi.advanceTimersByTimeAsync(0);
    answers[0]!({ items: [terminal('shell-1'), terminal('shell-3')], agent: false });
    await vi.advanceTimersByTimeAsync(0);
    expect([text().includes('shell-1'), text().includes('shell-3 ended, 3')]).toEqual([false, true]);
  });

  it('says that it reconnects, and shows the screen anew', async () => {
    await shown([terminal('shell-1')]);
    connect('shell-1', 'before');
    wire().close();
    expect(text()).toContain('Reconnecting. The terminal goes on');
    screen().typed('lost');
    await vi.advanceTimersByTimeAsync(5000);
    expect(Wire.all).toHaveLength(2);
    connect('shell-1', 'before, and after');
    expect(text()).not.toContain('Reconnecting');
    expect(screen().written).toBe('before, and after');
    expect([screen().resets, sent()]).toEqual([2, '']);
    expect(at.screens).toHaveLength(1);
  });

  it('says why it is refused', async () => {
    await shown([terminal('shell-1')]);
    wire().open();
    wire().tell({ type: 'error', channel: 1, error: { code: 'not_found', message: 'the box is gone' } as never });
    expect(document.querySelector('[role=alert]')?.textContent).toContain('The box is gone');
  });

  it('goes from one terminal to another', async () => {
    await shown([terminal('shell-1'), terminal('shell-2')], true);
    expect(wire().said()).toEqual([]);
    connect('shell-2');
    button('shell-1').click();
    expect(at.screens.map((one) => one.gone)).toEqual([true, false]);
    connect('shell-1');
    expect(wire().said()[0]).toEqual({ type: 'open', channel: 1, task: 't1', terminal: 'shell-1' });
    expect(button('Open Claude Code itself').disabled).toBe(false);
  });
});
