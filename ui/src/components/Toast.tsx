// Short messages that appear below the page.
import { For, Show, createEffect } from 'solid-js';
import { Button, IconButton } from './Button';

interface ToastLayerProps {
  toasts: { id: number; text: string; tone: 'quiet' | 'failure'; action?: { label: string; run: () => void } | undefined }[];
  onDrop: (id: number) => void;
  dismissLabel: string;
}

/** Where toasts are drawn; stands once in the page, above dialogs too. */
export function ToastLayer(props: ToastLayerProps) {
  let layer!: HTMLDivElement;
  createEffect(() => {
    const some = props.toasts.length > 0;
    if (!layer.showPopover) return;
    if (layer.matches(':popover-open')) layer.hidePopover();
    if (some) layer.showPopover();
  });
  return (
    <div ref={layer} class="toasts" popover="manual" role="status" aria-live="polite">
      <For each={props.toasts}>
        {(one) => (
          <div class="toast" data-tone={one.tone}>
            <span class="text">{one.text}</span>
            <Show when={one.action}>
              {(action) => (
                <Button look="bare" onClick={() => (props.onDrop(one.id), action().run())}>
                  {action().label}
                </Button>
              )}
            </Show>
            <IconButton icon="cross" label={props.dismissLabel} onClick={() => props.onDrop(one.id)} />
          </div>
        )}
      </For>
    </div>
  );
}
