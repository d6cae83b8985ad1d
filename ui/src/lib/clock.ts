// One clock for the whole page: a signal that ticks once a second while the page is visible, so that
// elapsed times move together and a hidden page costs nothing.
import { createSignal } from 'solid-js';

const [now, setNow] = createSignal(Date.now());
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  setNow(Date.now());
}

/** Begins to tick; called once by the application. */
export function startClock(): void {
  const follow = (): void => {
    clearInterval(timer);
    timer = undefined;
    if (document.visibilityState === 'hidden') return;
    tick();
    timer = setInterval(tick, 1000);
  };
  document.addEventListener('visibilitychange', follow);
  follow();
}

/** Milliseconds since 1970, to the second. */
export { now };

/** Milliseconds since `iso`. */
export function since(iso: string): number {
  return now() - Date.parse(iso);
}
