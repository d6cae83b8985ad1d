// A list of any length of which only what is in view is drawn. Rows have heights of their own, measured
// as they appear. Who reads at the end stays at the end; who reads above is never moved: rows that turn
// out higher or lower above the view move the scroll position along with them.
import { For, Show, createEffect, createSignal, on, onCleanup, onMount, untrack, type JSX } from 'solid-js';
import { Heights } from '../lib/heights';

/** Rows are drawn this far beyond the view, in pixels. */
const OVER = 240;
/** Within this distance of the end, one reads at the end. */
const END = 24;

export interface VirtualListHandle {
  toEnd: () => void;
  toRow: (index: number) => void;
  /** The first row in view. */
  firstRow: () => number;
}

interface ListProps {
  count: number;
  /** A guess at a row's height, in pixels. */
  guess: (index: number) => number;
  row: (index: number) => JSX.Element;
  /** Drawn after the last row. */
  footer?: JSX.Element;
  label: string;
  newBelow: string;
  toEndLabel: string;
  handle?: (handle: VirtualListHandle) => void;
  /** Whether one reads at the end now. */
  onEnd?: (atEnd: boolean) => void;
}

export function VirtualList(props: ListProps) {
  const heights = new Heights();
  let frame!: HTMLDivElement;
  let inner!: HTMLDivElement;
  let atEnd = true;
  let wanted: number | undefined;
  let lastTop = 0;
  const [range, setRange] = createSignal<{ from: number; to: number }>({ from: 0, to: -1 }, { equals: (a, b) => a.from === b.from && a.to === b.to });
  const [size, setSize] = createSignal({ total: 0, top: 0 }, { equals: (a, b) => a.total === b.total && a.top === b.top });
  const [pill, setPill] = createSignal<'none' | 'end' | 'new'>('none');

  const draw = (): void => {
    const top = frame.scrollTop - OVER;
    const from = heights.length === 0 ? 0 : heights.at(Math.max(0, top));
    const to = heights.length === 0 ? -1 : heights.at(frame.scrollTop + frame.clientHeight + OVER);
    setSize({ total: heights.top(heights.length), top: heights.top(from) });
    setRange({ from, to });
  };
  const follow = (): void => {
    if (wanted !== undefined) frame.scrollTop = heights.top(wanted);
    else if (atEnd) frame.scrollTop = frame.scrollHeight;
  };
  const note = (): void => {
    // Rows may have grown since the scroll that this tells of: only moving up leaves the end.
    const near = frame.scrollHeight - frame.clientHeight - frame.scrollTop < END;
    atEnd = near || (atEnd && frame.scrollTop >= lastTop);
    lastTop = frame.scrollTop;
    if (atEnd) setPill('none');
    else if (pill() === 'none') setPill('end');
    props.onEnd?.(atEnd);
  };
  const measured = (entries: ResizeObserverEntry[]): void => {
    let above = 0;
    for (const entry of entries) {
      const element = entry.target as HTMLElement;
      const index = Number(element.dataset['row']);
      if (!element.isConnected || index >= heights.length) continue;
      const before = heights.top(index) + heights.get(index);
      const grown = heights.set(index, entry.borderBoxSize[0]?.blockSize ?? element.offsetHeight);
      if (before <= frame.scrollTop) above += grown;
    }
    draw();
    if (!atEnd && wanted === undefined && above !== 0) frame.scrollTop += above;
    follow();
  };
  const rows = new ResizeObserver(measured);
  const frameSize = new ResizeObserver(() => {
    draw();
    follow();
  });

  createEffect(
    on(
      () => props.count,
      (count, before) => {
        heights.resize(count, (index) => untrack(() => props.guess(index)));
        if (!atEnd && before !== undefined && count > before) setPill('new');
        draw();
        follow();
      },
    ),
  );
  onMount(() => {
    frameSize.observe(frame);
    frameSize.observe(inner);
    props.handle?.({
      toEnd: () => {
        wanted = undefined;
        atEnd = true;
        follow();
      },
      toRow: (index) => {
        atEnd = false;
        wanted = index;
        follow();
        draw();
      },
      firstRow: () => heights.at(frame.scrollTop + 1),
    });
  });
  onCleanup(() => {
    rows.disconnect();
    frameSize.disconnect();
  });

  const onScroll = (): void => {
    note();
    draw();
  };
  const release = (): void => {
    wanted = undefined;
  };
  const indices = (): number[] => {
    const { from, to } = range();
    return Array.from({ length: Math.max(0, Math.min(to, props.count - 1) - from + 1) }, (_, nth) => from + nth);
  };
  return (
    <div class="vlist">
      <div ref={frame} class="vlist-frame" tabindex="0" role="log" aria-live="off" aria-label={props.label} onScroll={onScroll} onWheel={release} onTouchMove={release} onPointerDown={release} onKeyDown={release}>
        <div ref={inner} class="vlist-inner">
          <div style={{ height: `${size().total}px`, position: 'relative' }}>
            <div style={{ transform: `translateY(${size().top}px)`, position: 'absolute', inset: '0 0 auto 0' }}>
              <For each={indices()}>
                {(index) => (
                  <div
                    class="vlist-row"
                    data-row={index}
                    ref={(element) => {
                      rows.observe(element);
                      onCleanup(() => rows.unobserve(element));
                    }}
                  >
                    {props.row(index)}
                  </div>
                )}
              </For>
            </div>
          </div>
          {props.footer}
        </div>
      </div>
      <Show when={pill() !== 'none'}>
        <button
          type="button"
          class="vlist-pill"
          onClick={() => {
            wanted = undefined;
            atEnd = true;
            follow();
          }}
        >
          {pill() === 'new' ? props.newBelow : props.toEndLabel} ↓
        </button>
      </Show>
    </div>
  );
}
