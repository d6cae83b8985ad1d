// One tooltip for the whole page, shown after a short rest on an element or when it is focused by
// keyboard. Elements ask for it by spreading `tip(...)`; their accessible name is their own.
import { Show, createSignal } from 'solid-js';
import { Kbd } from './Kbd';

const REST_MS = 450;
const EDGE = 6;

interface Shown {
  text: string;
  keys: string | undefined;
  over: Element;
}

const [shown, setShown] = createSignal<Shown>();
let timer: ReturnType<typeof setTimeout> | undefined;

function hide(): void {
  clearTimeout(timer);
  setShown(undefined);
}

/** What an element spreads to have a tooltip. */
export function tip(text: () => string, keys: () => string | undefined = () => undefined) {
  const show = (over: Element): void => {
    setShown({ text: text(), keys: keys(), over });
  };
  return {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType === 'touch') return;
      const over = event.currentTarget as Element;
      clearTimeout(timer);
      timer = setTimeout(() => show(over), REST_MS);
    },
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocus: (event: FocusEvent) => {
      const over = event.currentTarget as Element;
      if (over.matches(':focus-visible')) show(over);
    },
    onBlur: hide,
  };
}

/** Where the tooltip is drawn; stands once in the page. */
export function TooltipLayer() {
  const place = (element: HTMLElement, over: Element): void => {
    queueMicrotask(() => {
      if (!element.isConnected || !over.isConnected) return;
      element.showPopover?.();
      const around = over.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      const left = Math.min(innerWidth - own.width - EDGE, Math.max(EDGE, around.left + (around.width - own.width) / 2));
      const below = around.bottom + EDGE + own.height < innerHeight;
      element.style.left = `${left}px`;
      element.style.top = `${below ? around.bottom + EDGE : around.top - own.height - EDGE}px`;
    });
  };
  return (
    <Show when={shown()} keyed>
      {(now) => (
        <div class="tip" popover="manual" aria-hidden="true" ref={(element) => place(element, now.over)}>
          {now.text}
          <Show when={now.keys}>{(keys) => <Kbd keys={keys()} />}</Show>
        </div>
      )}
    </Show>
  );
}
