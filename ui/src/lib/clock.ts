// One clock for the whole page. It goes off only when words that somebody reads stop being true, so a page at
// rest lets the machine rest, and a hidden page has no clock at all. Start at `now`.
import { createSignal, getListener } from 'solid-js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const [turned, turn] = createSignal(undefined, { equals: false });
let timer: ReturnType<typeof setTimeout> | undefined;
/** When it goes off next. */
let due = Infinity;

/** Begins to follow whether the page is seen; called once by the application. */
export function startClock(): void {
  document.addEventListener('visibilitychange', () => {
    stop();
    if (document.visibilityState !== 'hidden') turn();
  });
}

/** Milliseconds since 1970. What reads it is told anew at every full second. */
export function now(): number {
  const at = Date.now();
  return told(at, at - (at % SECOND) + SECOND);
}

/** Milliseconds since `iso`. What reads it is told anew when `age` has another word for it. */
export function since(iso: string): number {
  const from = Date.parse(iso);
  const ms = Date.now() - from;
  const unit = ms < HOUR ? MINUTE : ms < DAY ? HOUR : DAY;
  return told(from + ms, from + (Math.floor(ms / unit) + 1) * unit) - from;
}

/** Whether `iso` is less than `ms` ago. What reads it is told anew when it is not any more. */
export function within(iso: string, ms: number): boolean {
  const until = Date.parse(iso) + ms;
  const at = Date.now();
  return at < until && told(at, until) < until;
}

/** Gives `at`, and tells whoever reads it anew at `next`. */
function told(at: number, next: number): number {
  if (!getListener()) return at;
  turned();
  if (next >= due || document.visibilityState === 'hidden') return at;
  clearTimeout(timer);
  due = next;
  // A day at most: longer than some two weeks cannot be said to a timer.
  timer = setTimeout(ring, Math.min(next - at, DAY));
  return at;
}

function ring(): void {
  stop();
  turn();
}

function stop(): void {
  clearTimeout(timer);
  timer = undefined;
  due = Infinity;
}
