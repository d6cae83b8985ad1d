// Short messages that appear below and leave by themselves; failures stay until they are dismissed.
import { For, Show, createEffect, createSignal } from 'solid-js';
import { Button, IconButton } from './Button';

interface Toast {
  id: number;
  text: string;
  tone: 'quiet' | 'failure';
  action?: { label: string; run: () => void } | undefined;
}

const STAY_MS = 6000;
const TOASTS_MAX = 3;
const [toasts, setToasts] = createSignal<Toast[]>([]);
let count = 0;

function drop(id: number): void {
  setToasts((all) => all.filter((one) => one.id !== id));
}

/** Says something; with an action, something that can be taken back. */
export function toast(text: string, action?: Toast['action']): void {
  show({ text, tone: 'quiet', action });
}

/** Says that something went wrong. */
export function toastFailure(text: string, action?: Toast['action']): void {
  show({ text, tone: 'failure', action });
}

function show(toast: Omit<Toast, 'id'>): void {
  count += 1;
  const id = count;
  setToasts((all) => [...all, { ...toast, id }].slice(-TOASTS_MAX));
  if (toast.tone === 'quiet') setTimeout(() => drop(id), toast.action ? 2 * STAY_MS : STAY_MS);
}

/** Where toasts are drawn; stands once in the page, above dialogs too. */
export function ToastLayer(props: { dismissLabel: string }) {
  let layer!: HTMLDivElement;
  createEffect(() => {
    const some = toasts().length > 0;
    if (!layer.showPopover) return;
    if (layer.matches(':popover-open')) layer.hidePopover();
    if (some) layer.showPopover();
  });
  return (
    <div ref={layer} class="toasts" popover="manual" role="status" aria-live="polite">
      <For each={toasts()}>
        {(one) => (
          <div class="toast" data-tone={one.tone}>
            <span class="text">{one.text}</span>
            <Show when={one.action}>
              {(action) => (
                <Button look="bare" onClick={() => (drop(one.id), action().run())}>
                  {action().label}
                </Button>
              )}
            </Show>
            <IconButton icon="cross" label={props.dismissLabel} onClick={() => drop(one.id)} />
          </div>
        )}
      </For>
    </div>
  );
}
