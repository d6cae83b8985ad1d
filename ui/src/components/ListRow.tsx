// A row of a long list. One that comes while the view flies past is drawn in its plain words, as high as it is
// thought to be, which costs a fraction of the whole; it is drawn in full when the view has landed.
import { Show, createSignal, onCleanup, onMount, untrack, type JSX } from 'solid-js';

interface ListRowProps {
  at: number;
  /** Its words, where it is drawn plain at first. */
  plain: { words: string; height: number } | undefined;
  row: JSX.Element;
  /** A row in full stands in the page. */
  onDrawn: (element: HTMLElement) => void;
  onGone: (element: HTMLElement) => void;
  /** Told of a plain row: how to draw it in full, and that it went. */
  onPlain: (inFull: (() => void) | undefined) => void;
}

export function ListRow(props: ListRowProps) {
  const plain = untrack(() => props.plain);
  const [full, setFull] = createSignal(plain === undefined);
  if (plain) {
    onMount(() => props.onPlain(() => setFull(true)));
    onCleanup(() => props.onPlain(undefined));
  }
  return (
    <Show
      when={full()}
      fallback={
        <div class="vlist-row" data-plain="" style={{ height: `${plain?.height ?? 0}px` }}>
          <div class="row">{plain?.words}</div>
        </div>
      }
    >
      <div
        class="vlist-row"
        data-row={props.at}
        ref={(element) => {
          props.onDrawn(element);
          onCleanup(() => props.onGone(element));
        }}
      >
        {props.row}
      </div>
    </Show>
  );
}
