// Something that is asked for and comes later. Unlike a resource of Solid's, reading it never takes the page
// around it away while it is on its way: what was there stays, also its place in a list that scrolls.
import { createEffect, createRoot, createSignal, on, onCleanup, untrack, type Accessor } from 'solid-js';

export interface Asked<T> {
  /** The last answer; nothing before the first, and nothing after a failure. */
  (): T | undefined;
  /** Why there is none. */
  error: unknown;
  loading: boolean;
  /** Asks once more; what is there stays until the answer comes. */
  again: () => void;
}

/** Asks now, and again whenever `about` changes; not while that is `undefined` or `false`. */
export function createAsked<T>(ask: () => Promise<T>): Asked<T>;
export function createAsked<S, T>(about: Accessor<S | undefined | false>, ask: (about: S) => Promise<T>): Asked<T>;
export function createAsked<S, T>(first: Accessor<S | undefined | false> | (() => Promise<T>), second?: (about: S) => Promise<T>): Asked<T> {
  const about = (second ? first : () => true) as Accessor<S | undefined | false>;
  const ask = (second ?? first) as (about: S) => Promise<T>;
  const [answer, setAnswer] = createSignal<T>();
  const [error, setError] = createSignal<unknown>();
  const [loading, setLoading] = createSignal(Boolean(untrack(about)));
  const [round, setRound] = createSignal(0);
  createEffect(
    on([about, round], ([now]) => {
      if (now === undefined || now === false) return void setLoading(false);
      let live = true;
      onCleanup(() => (live = false));
      setLoading(true);
      const done = (value: T | undefined, problem: unknown): void => {
        if (!live) return;
        setAnswer(() => value);
        setError(() => problem);
        setLoading(false);
      };
      void ask(now as S).then((value) => done(value, undefined), (problem: unknown) => done(undefined, problem));
    }),
  );
  const asked = (): T | undefined => answer();
  return Object.defineProperties(asked, {
    error: { get: error },
    loading: { get: loading },
    again: { value: () => setRound((nth) => nth + 1) },
  }) as Asked<T>;
}

/** Waits until an answer or a failure is there. */
export function answered(asked: Asked<unknown>): Promise<void> {
  return new Promise((done) => createRoot((end) => createEffect(() => !asked.loading && (end(), done()))));
}
