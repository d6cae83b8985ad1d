// A list of any length of which only what is in view is drawn. Rows have heights of their own, measured
// before they are painted. Who reads at the end stays at the end; who reads above is never moved: rows that
// turn out higher or lower above the view, and rows put before the first, move the scroll position along.
//
// Where the view stands is noted, not asked for, but where the page is laid out anyway: asking makes the browser
// lay out everything at once. Rows
// are known by keys, from `first` upwards; a list that grows at its start counts `first` down.
import { For, Show, createEffect, createSignal, on, onCleanup, onMount, untrack, type JSX } from 'solid-js';
import { Heights } from '../lib/heights';
import { ListRow } from './ListRow';

/** Rows are drawn this far beyond the view, in pixels. */
const OVER = 240;
/** Within this distance of the end, one reads at the end. */
const END = 24;
/** At first and after a leap only what is in view is drawn; what is beyond, when no leap came for this long. */
const SETTLED_MS = 60;
/** A leap is drawn in these shares of the view, until it took so long that the rest comes with the next frame. */
const SHARES = [0.4, 0.7, 1];
const LEAP_MS = 10;
/** Leaps that follow each other so soon are a flight: what comes into view is drawn in plain words. */
const FLIGHT_MS = 400;
/** Rows that are drawn in full at a stretch when the view has landed. */
const LANDED = 6;
/** Rows that turn out lower than guessed leave room for more, this many times at most. */
const ROUNDS = 4;

export interface VirtualListHandle {
  toEnd: () => void;
  toRow: (key: number) => void;
  /** The first row in view. */
  firstRow: () => number;
}

interface ListProps {
  count: number;
  /** The key of the first row; 0 unless rows were put before others. */
  first?: number;
  /** A guess at a row's height, in pixels. */
  guess: (key: number) => number;
  row: (key: number) => JSX.Element;
  /** What a row says, for while the view flies past it; without it every row is drawn in full at once. */
  plain?: (key: number) => string;
  /** Drawn after the last row. */
  footer?: JSX.Element;
  label: string;
  newBelow: string;
  toEndLabel: string;
  handle?: (handle: VirtualListHandle) => void;
}

export function VirtualList(props: ListProps) {
  const heights = new Heights();
  let frame!: HTMLDivElement;
  let inner!: HTMLDivElement;
  let first = untrack(() => props.first ?? 0);
  let atEnd = true;
  let wanted: number | undefined;
  let top = 0;
  let view = 0;
  /** What stands around the rows: padding and footer. */
  let around = 0;
  let alive = true;
  let settle: ReturnType<typeof setTimeout> | undefined;
  /** How far beyond the view rows are drawn, in pixels: at first not at all. */
  let beyond = 0;
  let flying = false;
  let leaptAt = -Infinity;
  const fresh = new Map<number, HTMLElement>();
  /** Rows in plain words, and how each is drawn in full. */
  const plain = new Map<number, () => void>();
  const [range, setRange] = createSignal<{ from: number; to: number }>({ from: 0, to: -1 }, { equals: (a, b) => a.from === b.from && a.to === b.to });
  const [size, setSize] = createSignal({ total: 0, top: 0 }, { equals: (a, b) => a.total === b.total && a.top === b.top });
  const [pill, setPill] = createSignal<'none' | 'end' | 'new'>('none');

  /** Where the view is to stand. */
  const target = (): number => {
    const last = Math.max(0, heights.sum + around - view);
    if (wanted !== undefined) return Math.min(last, heights.top(wanted - first));
    return atEnd ? last : top;
  };
  /** Measures rows that were just drawn; whether any is not as high as was thought. */
  const measureFresh = (): boolean => {
    let changed = false;
    for (const [key, element] of fresh) {
      const index = key - first;
      if (index < 0 || index >= heights.length || !element.isConnected) continue;
      const end = heights.top(index + 1);
      const grown = heights.set(index, element.getBoundingClientRect().height);
      if (grown === 0) continue;
      changed = true;
      if (!atEnd && wanted === undefined && end <= top) top += grown;
    }
    fresh.clear();
    return changed;
  };
  const draw = (over = beyond, share = 1): void => {
    const before = top;
    for (let round = 0; round < ROUNDS && heights.length > 0; round += 1) {
      const at = target();
      setRange({ from: heights.at(Math.max(0, at - over)) + first, to: heights.at(at + view * share + over) + first });
      if (!measureFresh()) break;
    }
    if (heights.length === 0) setRange({ from: 0, to: -1 });
    setSize({ total: heights.sum, top: heights.top(range().from - first) });
    const at = target();
    if (Math.abs(at - top) >= 1 || top !== before) scrollTo(at);
  };
  /** Scrolls, and notes where that led: setting it lays the page out, so that asking costs nothing here. */
  const scrollTo = (at: number): void => {
    frame.scrollTop = Math.ceil(at);
    top = frame.scrollTop;
  };
  const note = (): void => {
    // What is known may be older than the scroll that this tells of: a view that grew scrolls by itself.
    const now = frame.scrollTop;
    view = frame.clientHeight;
    const near = frame.scrollHeight - view - now < END;
    // Rows may have grown since: only moving up leaves the end.
    atEnd = near || (atEnd && now >= Math.floor(top));
    top = now;
    if (atEnd) setPill('none');
    else if (pill() === 'none') setPill('end');
  };
  const onScroll = (): void => {
    note();
    const drawn = range();
    const leapt = top > heights.top(drawn.to + 1 - first) || top + view < heights.top(drawn.from - first);
    clearTimeout(settle);
    if (leapt) {
      const now = performance.now();
      flying = props.plain !== undefined && now - leaptAt < FLIGHT_MS;
      leaptAt = now;
      if (!flying) return leap();
    }
    draw(flying ? view : beyond);
    if (plain.size > 0) settle = setTimeout(land, SETTLED_MS);
  };
  /** Draws in full what the view flew past, a few rows at a time. */
  const land = (): void => {
    flying = false;
    for (const [key, inFull] of [...plain].slice(0, LANDED)) {
      plain.delete(key);
      inFull();
    }
    draw(0);
    settle = setTimeout(plain.size > 0 ? land : draw, plain.size > 0 ? 0 : SETTLED_MS);
  };
  /** Draws what is in view, in parts where it is much; what is beyond later. */
  const leap = (): void => {
    const began = performance.now();
    for (const share of SHARES) {
      draw(0, share);
      if (share < 1 && performance.now() - began < LEAP_MS) continue;
      settle = setTimeout(share < 1 ? finish : draw, share < 1 ? 0 : SETTLED_MS);
      return;
    }
  };
  const finish = (): void => {
    draw(0);
    settle = setTimeout(draw, SETTLED_MS);
  };
  const rows = new ResizeObserver((entries) => {
    let changed = false;
    for (const entry of entries) {
      const element = entry.target as HTMLElement;
      const index = Number(element.dataset['row']) - first;
      if (!element.isConnected || index < 0 || index >= heights.length) continue;
      const end = heights.top(index + 1);
      const grown = heights.set(index, entry.borderBoxSize[0]?.blockSize ?? element.offsetHeight);
      // A fraction is how the browser rounds, not news.
      if (Math.abs(grown) < 0.02) continue;
      changed = true;
      if (atEnd || wanted !== undefined || end > top) continue;
      scrollTo(top + grown);
    }
    if (changed) draw();
  });
  const sizes = new ResizeObserver((entries) => {
    for (const entry of entries) {
      const height = entry.borderBoxSize[0]?.blockSize ?? 0;
      if (entry.target === frame) {
        view = frame.clientHeight;
        // Taken out of the page and put back, it stands at its start and says nothing of it.
        if (frame.scrollTop !== top) scrollTo(target());
      }
      else around = Math.max(0, height - size().total);
    }
    draw();
  });
  /** Draws outside of Solid's round of updates, so that rows are there when they are measured. */
  const drawSoon = (): void => queueMicrotask(() => alive && draw());

  createEffect(
    on([() => props.count, () => props.first ?? 0], ([count, next], before) => {
      const guess = (index: number): number => untrack(() => props.guess(index + next));
      if (next > first) heights.resize(0, guess);
      if (next < first) {
        const grown = heights.prepend(first - next, guess);
        if (!atEnd) top += grown;
      }
      const moved = next < first && !atEnd;
      first = next;
      heights.resize(count, guess);
      if (!atEnd && before && count + next > before[0] + before[1]) setPill('new');
      if (!moved) return drawSoon();
      const to = top;
      queueMicrotask(() => {
        if (!alive) return;
        setSize({ total: heights.sum, top: heights.top(Math.max(0, range().from - first)) });
        scrollTo(to);
        draw();
      });
    }),
  );
  const begun = setTimeout(() => {
    beyond = OVER;
    draw();
  }, SETTLED_MS);
  onMount(() => {
    view = frame.clientHeight;
    sizes.observe(frame);
    sizes.observe(inner);
    props.handle?.({
      toEnd,
      toRow: (key) => {
        atEnd = false;
        wanted = key;
        setPill('end');
        draw();
      },
      firstRow: () => heights.at(top + 1) + first,
    });
  });
  onCleanup(() => {
    alive = false;
    clearTimeout(begun);
    clearTimeout(settle);
    rows.disconnect();
    sizes.disconnect();
  });

  const toEnd = (): void => {
    wanted = undefined;
    atEnd = true;
    setPill('none');
    draw();
  };
  const release = (): void => {
    wanted = undefined;
  };
  const keys = (): number[] => {
    const { from, to } = range();
    const start = Math.max(from, props.first ?? 0);
    return Array.from({ length: Math.max(0, Math.min(to, (props.first ?? 0) + props.count - 1) - start + 1) }, (_, nth) => start + nth);
  };
  return (
    <div class="vlist">
      <div ref={frame} class="vlist-frame" tabindex="0" role="log" aria-live="off" aria-label={props.label} onScroll={onScroll} onWheel={release} onTouchMove={release} onPointerDown={release} onKeyDown={release}>
        <div ref={inner} class="vlist-inner">
          <div style={{ height: `${size().total}px`, position: 'relative' }}>
            <div style={{ transform: `translateY(${size().top}px)`, position: 'absolute', inset: '0 0 auto 0' }}>
              <For each={keys()}>
                {(key) => (
                  <ListRow
                    at={key}
                    plain={flying ? { words: props.plain?.(key) ?? '', height: heights.get(key - first) } : undefined}
                    row={props.row(key)}
                    onDrawn={(element) => {
                      fresh.set(key, element);
                      rows.observe(element);
                    }}
                    onGone={(element) => {
                      fresh.delete(key);
                      rows.unobserve(element);
                    }}
                    onPlain={(inFull) => void (inFull ? plain.set(key, inFull) : plain.delete(key))}
                  />
                )}
              </For>
            </div>
          </div>
          {props.footer}
        </div>
      </div>
      <Show when={pill() !== 'none'}>
        <button type="button" class="vlist-pill" onClick={toEnd}>
          {pill() === 'new' ? props.newBelow : props.toEndLabel} ↓
        </button>
      </Show>
    </div>
  );
}
