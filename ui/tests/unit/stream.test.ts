// The event stream: parsing, resuming, waiting, giving up where trying cannot help.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SseParser } from '../../src/api/sse';
import { FIRST_WAIT_MS, NEAR_SILENCE_MS, SILENCE_MS, follow, type LinkState } from '../../src/api/stream';

describe('the parser', () => {
  const feed = (...texts: string[]): { name: string; data: string; id: string | undefined }[] => {
    const parser = new SseParser();
    return texts.flatMap((text) => parser.feed(text));
  };

  it('reads names, ids and data, and joins lines of data', () => {
    expect(feed('event: event\nid: 7\ndata: {"a":1}\ndata: 2\n\n')).toEqual([{ name: 'event', id: '7', data: '{"a":1}\n2' }]);
  });

  it('takes pieces cut anywhere, also between CR and LF', () => {
    const text = ':hello\r\nevent: ping\r\ndata: x\r\n\r\ndata:y\r\n\r\n';
    for (let at = 0; at <= text.length; at += 1) {
      expect(feed(text.slice(0, at), text.slice(at))).toEqual([
        { name: 'ping', data: 'x', id: undefined },
        { name: 'message', data: 'y', id: undefined },
      ]);
    }
  });

  it('gives nothing for comments and for events without data', () => {
    expect(feed(': comment\n\nevent: x\n\nid: 3\n\n')).toEqual([]);
  });
});

describe('following a stream', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  interface Connection {
    url: string;
    lastEventId: string | undefined;
    pingEvery: string | undefined;
    send: (text: string) => void;
    end: () => void;
  }

  /** A follower of a scripted server: `answer` gives a status for each connection. */
  function start(answer: (nth: number) => number, cursor?: string, by = follow) {
    const connections: Connection[] = [];
    const states: LinkState['at'][] = [];
    const events: string[] = [];
    const stop = new AbortController();
    const fake = async (url: unknown, init?: RequestInit): Promise<Response> => {
      const status = answer(connections.length);
      if (status === 0) throw new TypeError('no network');
      let controller!: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) });
      init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
      const encode = new TextEncoder();
      connections.push({
        url: String(url),
        lastEventId: (init?.headers as Record<string, string>)['Last-Event-ID'],
        pingEvery: (init?.headers as Record<string, string>)['Paddock-Ping-Every'],
        send: (text) => controller.enqueue(encode.encode(text)),
        end: () => controller.close(),
      });
      return new Response(status === 200 ? body : null, { status });
    };
    const done = by({
      url: '/events',
      ...(cursor === undefined ? {} : { cursor }),
      signal: stop.signal,
      fetch: fake as typeof fetch,
      random: () => 1,
      onEvents: (list) => events.push(...list.map((one) => `${one.name} ${one.data}`)),
      onState: (state) => states.push(state.at),
    });
    return { connections, states, events, stop, done };
  }
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

  it('resumes after the last event that it saw', async () => {
    const { connections, events, stop } = start(() => 200);
    await settle();
    connections[0]?.send('event: event\nid: 5\ndata: a\n\nevent: delta\ndata: b\n\n');
    await settle();
    connections[0]?.end();
    await vi.advanceTimersByTimeAsync(FIRST_WAIT_MS);
    expect(connections.map((one) => one.lastEventId)).toEqual([undefined, '5']);
    expect(events).toEqual(['event a', 'delta b']);
    stop.abort();
  });

  it('begins where it is told to, and anew after a reset', async () => {
    const { connections, stop } = start(() => 200, '41');
    await settle();
    connections[0]?.send('event: reset\ndata: {}\n\n');
    await settle();
    connections[0]?.end();
    await vi.advanceTimersByTimeAsync(FIRST_WAIT_MS);
    expect(connections.map((one) => one.lastEventId)).toEqual(['41', undefined]);
    stop.abort();
  });

  it('waits twice as long after each failure, and says so', async () => {
    const { connections, states, stop } = start((nth) => (nth < 0 ? 200 : 503));
    await settle();
    await vi.advanceTimersByTimeAsync(FIRST_WAIT_MS);
    expect(connections).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(FIRST_WAIT_MS);
    expect(connections).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(FIRST_WAIT_MS);
    expect(connections).toHaveLength(3);
    expect(states.slice(0, 3)).toEqual(['connecting', 'waiting', 'connecting']);
    stop.abort();
  });

  it('takes a silent connection for dead', async () => {
    const { connections, states, stop } = start(() => 200);
    await settle();
    connections[0]?.send('event: ping\ndata: {}\n\n');
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 1);
    expect(states.at(-1)).toBe('open');
    await vi.advanceTimersByTimeAsync(1 + FIRST_WAIT_MS);
    expect(connections.map(({ pingEvery }) => pingEvery)).toEqual([undefined, undefined]);
    stop.abort();
  });

  it('of a server on the same machine is to say less often that it is there, and may be silent longer', async () => {
    vi.resetModules();
    const near = await import('../../src/api/stream');
    near.serverIsNear();
    const { connections, states, stop } = start(() => 200, undefined, near.follow);
    await settle();
    const asked = Number(connections[0]?.pingEvery) * 1000;
    expect(asked).toBeGreaterThan(SILENCE_MS);
    expect(asked).toBeLessThan(NEAR_SILENCE_MS / 2);
    await vi.advanceTimersByTimeAsync(NEAR_SILENCE_MS - 1);
    expect(states.at(-1)).toBe('open');
    await vi.advanceTimersByTimeAsync(1 + FIRST_WAIT_MS);
    expect(connections).toHaveLength(2);
    stop.abort();
  });

  it('stops where trying again cannot help', async () => {
    for (const [status, state] of [[401, 'signed_out'], [404, 'gone']] as const) {
      const { done, states, connections } = start(() => status);
      await done;
      expect(states.at(-1)).toBe(state);
      expect(connections).toHaveLength(1);
    }
  });

  it('tries at once when the network is back', async () => {
    let online = false;
    const { connections, stop } = start(() => (online ? 200 : 0));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connections).toHaveLength(0);
    online = true;
    globalThis.dispatchEvent(new Event('online'));
    await settle();
    expect(connections).toHaveLength(1);
    stop.abort();
  });
});
