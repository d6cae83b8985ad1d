// Following the stream of all tasks together with the other tabs of this browser; by oneself where there
// are no shared workers, or no tabs: a worker may cost a process.
import type { Asks } from './shared.worker';
import { follow, type Follow } from './stream';
import type { Told } from './switchboard';

/** Follows until `signal` aborts; by itself when there can be no other tab. */
export function followShared(options: Pick<Follow, 'url' | 'onEvents' | 'onState' | 'signal'>, alone: boolean): void {
  const worker = alone ? undefined : start();
  if (!worker) return void follow(options);
  const { port } = worker;
  const ask = (url: string): void => port.postMessage({ url } satisfies Asks);
  // Addresses are the page's: a worker's own is that of its script.
  const url = new URL(options.url, location.href).href;
  const part = (): void => ask('');
  // A page that the browser keeps for going back is none that listens.
  const back = (event: PageTransitionEvent): void => void (event.persisted && ask(url));
  const leave = (): void => {
    part();
    removeEventListener('pagehide', part);
    removeEventListener('pageshow', back);
    port.close();
  };
  port.onmessage = ({ data }: MessageEvent<Told>) => {
    if (options.signal.aborted) return;
    if ('state' in data) options.onState(data.state);
    else options.onEvents(data.events);
  };
  worker.onerror = () => {
    if (options.signal.aborted) return;
    options.signal.removeEventListener('abort', leave);
    leave();
    void follow(options);
  };
  options.signal.addEventListener('abort', leave);
  addEventListener('pagehide', part);
  addEventListener('pageshow', back);
  ask(url);
}

function start(): SharedWorker | undefined {
  if (typeof SharedWorker === 'undefined') return undefined;
  try {
    return new SharedWorker(new URL('./shared.worker.ts', import.meta.url), { type: 'module', name: 'paddock-events' });
  } catch {
    return undefined;
  }
}
