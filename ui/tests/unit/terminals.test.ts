// The socket of terminals: it connects when it is needed, takes lost looks up again, acknowledges what is drawn.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TerminalSocket, type Onlooker } from '../../src/api/terminals';
import { Wire } from './wire';

const SIZE = { rows: 24, cols: 80 };
const terminal = { name: 'shell-1', what: 'shell' as const, program: '/bin/sh', size: SIZE, opened_at: '2026-11-22T00:00:00.000Z' };

function onlooker(): Onlooker & { heard: unknown[] } {
  const heard: unknown[] = [];
  return {
    heard,
    opened: ({ name }) => heard.push(`opened ${name}`),
    screen: ({ rows }) => heard.push(`screen ${rows}`),
    output: (bytes, done) => {
      heard.push(new TextDecoder().decode(bytes));
      done();
    },
    resized: ({ rows }) => heard.push(`resized ${rows}`),
    exit: (exit) => heard.push(exit),
    refused: ({ code }) => heard.push(code),
    connected: (is) => heard.push(is),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  Wire.all = [];
});
afterEach(() => void vi.useRealTimers());
const socket = (): TerminalSocket => new TerminalSocket(() => new Wire() as unknown as WebSocket);
const last = (): Wire => Wire.all.at(-1)!;

describe('the socket of terminals', () => {
  it('connects for the first look, opens each once, and closes behind the last', () => {
    const sockets = socket();
    expect(Wire.all).toHaveLength(0);
    const one = sockets.look('t1', 'shell-1', onlooker());
    last().open();
    const two = sockets.look('t1', 'shell-2', onlooker());
    expect(Wire.all).toHaveLength(1);
    expect(last().said()).toEqual([
      { type: 'open', channel: 1, task: 't1', terminal: 'shell-1' },
      { type: 'open', channel: 2, task: 't1', terminal: 'shell-2' },
    ]);
    one.end();
    expect(last().readyState).toBe(1);
    two.end();
    expect(last().readyState).toBe(3);
    vi.runAllTimers();
    expect(Wire.all).toHaveLength(1);
  });

  it('shows what comes, sends keys and sizes, and acknowledges what was drawn in one go', () => {
    const watching = onlooker();
    const look = socket().look('t1', 'shell-1', watching);
    last().open();
    last().tell({ type: 'opened', channel: 1, terminal });
    last().tell({ type: 'screen', channel: 1, size: SIZE, bytes: 2 });
    last().show(1, '$ ');
    last().show(1, 'hello');
    last().show(9, 'not mine');
    expect(watching.heard).toEqual([true, 'opened shell-1', true, 'screen 24', '$ ', 'hello']);
    vi.advanceTimersByTime(1000);
    look.resize({ rows: 30, cols: 90 });
    look.type(new TextEncoder().encode('ls\n'));
    expect(last().said().slice(1)).toEqual([
      { type: 'ack', channel: 1, bytes: 7 },
      { type: 'resize', channel: 1, size: { rows: 30, cols: 90 } },
    ]);
    expect([...(last().sent.at(-1) as Uint8Array)]).toEqual([1, 108, 115, 10]);
  });

  it('keeps what is typed before the terminal is there, and sends it then', () => {
    const look = socket().look('t1', 'shell-1', onlooker());
    look.type(new TextEncoder().encode('l'));
    last().open();
    look.type(new TextEncoder().encode('s'));
    expect(last().sent).toHaveLength(1);
    last().tell({ type: 'opened', channel: 1, terminal });
    look.type(new TextEncoder().encode('\n'));
    expect(last().sent.slice(1).map((one) => [...(one as Uint8Array)])).toEqual([[1, 108], [1, 115], [1, 10]]);
  });

  it('takes a lost look up again, says so meanwhile, and gives the screen anew', () => {
    const watching = onlooker();
    const look = socket().look('t1', 'shell-1', watching);
    last().open();
    last().tell({ type: 'opened', channel: 1, terminal });
    last().close();
    look.type(new Uint8Array([1]));
    expect(watching.heard).toEqual([true, 'opened shell-1', false]);
    vi.advanceTimersByTime(10_000);
    expect(Wire.all).toHaveLength(2);
    last().open();
    expect(last().said()).toEqual([{ type: 'open', channel: 1, task: 't1', terminal: 'shell-1' }]);
    last().tell({ type: 'screen', channel: 1, size: SIZE, bytes: 0 });
    expect(watching.heard.slice(3)).toEqual([true, 'screen 24']);
    expect(Wire.all[0]!.sent).toHaveLength(1);
  });

  it('waits longer from one failure to the next, and no more than some seconds', () => {
    socket().look('t1', 'shell-1', onlooker());
    for (let n = 0; n < 10; n += 1) {
      last().close();
      vi.advanceTimersByTime(5_000);
    }
    expect(Wire.all.length).toBe(11);
  });

  it('ends a look whose terminal is over or refused, but not one that was told to type slower', () => {
    const [over, none, busy] = [onlooker(), onlooker(), onlooker()];
    const sockets = socket();
    for (const [index, one] of [over, none, busy].entries()) sockets.look('t1', `shell-${index}`, one);
    last().open();
    last().tell({ type: 'exit', channel: 1, exit: { how: 'code', code: 3 } });
    last().tell({ type: 'error', channel: 2, error: { code: 'not_found', message: 'gone' } as never });
    last().tell({ type: 'error', channel: 3, error: { code: 'overloaded', message: 'slower' } as never });
    for (const channel of [1, 2, 3]) last().show(channel, 'more');
    expect([over.heard, none.heard, busy.heard]).toEqual([[{ how: 'code', code: 3 }], ['not_found'], ['overloaded', 'more']]);
  });
});
