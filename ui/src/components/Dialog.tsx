// A dialog on the platform's own <dialog>: it traps focus, closes by Esc and by a click beside it, and
// gives focus back to where it was.
import { Show, onCleanup, onMount, type JSX } from 'solid-js';
import { t } from '../i18n';
import { newElementId } from '../lib/ids';
import { Button, IconButton } from './Button';

interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: JSX.Element;
  /** What it is there to do; the way out stands before it. */
  act?: JSX.Element;
  /** All that can be done, where that is more, or the way out has another name. */
  actions?: JSX.Element;
}

export function Dialog(props: DialogProps) {
  const id = newElementId('dialog');
  let element!: HTMLDialogElement;
  onMount(() => openModal(element));
  return (
    <dialog ref={element} class="dialog" data-wide={props.wide ? '' : undefined} aria-labelledby={id} onCancel={(event) => cancel(event, props.onClose)} onClick={(event) => closeBeside(event, props.onClose)}>
      <div class="dialog-frame">
        <header>
          <h2 id={id}>{props.title}</h2>
          <IconButton icon="cross" label={t().app.close} onClick={() => props.onClose()} />
        </header>
        <div class="dialog-body" tabindex="0" role="group" aria-labelledby={id}>{props.children}</div>
        {props.actions && <footer>{props.actions}</footer>}
        <Show when={props.act}>
          {(act) => (
            <footer>
              <Button onClick={() => props.onClose()}>{t().app.cancel}</Button>
              {act()}
            </footer>
          )}
        </Show>
      </div>
    </dialog>
  );
}

/** Shows `element` above everything for as long as its owner lives. */
export function openModal(element: HTMLDialogElement): void {
  const before = document.activeElement;
  element.showModal?.();
  element.tabIndex = -1;
  // Not the button that closes it, which stands first.
  (element.querySelector<HTMLElement>('[autofocus]') ?? element).focus();
  onCleanup(() => {
    element.close?.();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
}

/** Lets the owner close it, so that what is shown and what is known never differ. */
export function cancel(event: Event, close: () => void): void {
  event.preventDefault();
  close();
}

/** Closes on a click on the backdrop, which counts as one on the dialog itself. */
export function closeBeside(event: MouseEvent & { currentTarget: HTMLDialogElement }, close: () => void): void {
  if (event.target !== event.currentTarget) return;
  const box = event.currentTarget.getBoundingClientRect();
  const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  if (!inside) close();
}
