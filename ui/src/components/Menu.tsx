// A menu behind a button: arrows, Home, End and letters move, Enter takes, Esc and a click beside close.
import { Index, Show, createSignal, onCleanup, type JSX } from 'solid-js';
import { newElementId } from '../lib/ids';
import { Icon, type IconName } from './Icon';
import { Kbd } from './Kbd';

export interface MenuItem {
  label: string;
  icon?: IconName;
  keys?: string | undefined;
  danger?: boolean;
  /** A line before it. */
  apart?: boolean;
  run: () => void;
}

interface MenuProps {
  items: MenuItem[];
  label: string;
  trigger: (props: {
    ref: (element: HTMLButtonElement) => void;
    'aria-haspopup': 'menu';
    'aria-expanded': boolean;
    'aria-controls': string;
    onClick: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
  }) => JSX.Element;
}

const EDGE = 8;

export function Menu(props: MenuProps) {
  const id = newElementId('menu');
  const [open, setOpen] = createSignal(false);
  let button!: HTMLButtonElement;

  const close = (): void => {
    setOpen(false);
    button.focus();
  };
  return (
    <>
      {props.trigger({
        ref: (element) => (button = element),
        'aria-haspopup': 'menu',
        get 'aria-expanded'() {
          return open();
        },
        'aria-controls': id,
        onClick: () => setOpen(!open()),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        },
      })}
      <Show when={open()}>
        <MenuPanel id={id} label={props.label} items={props.items} over={button} onClose={close} onLeave={() => setOpen(false)} />
      </Show>
    </>
  );
}

interface PanelProps {
  id: string;
  label: string;
  items: MenuItem[];
  over: HTMLElement;
  onClose: () => void;
  onLeave: () => void;
}

/** A menu by itself, for as long as it is mounted, under what it is about. */
export function MenuPanel(props: PanelProps) {
  let panel!: HTMLDivElement;
  const items = (): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const move = (to: number): void => {
    const all = items();
    all[(to + all.length) % all.length]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const letter = event.key.length === 1 ? event.key.toLowerCase() : '';
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(-1);
    else if (event.key === 'Escape') props.onClose();
    else if (event.key === 'Tab') return props.onLeave();
    else if (/\S/.test(letter)) {
      const found = [...all.slice(at + 1), ...all].find((one) => one.textContent?.trim().toLowerCase().startsWith(letter));
      if (!found) return;
      found.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerDown = (event: PointerEvent): void => {
    const target = event.target as Node;
    if (!panel.contains(target) && !props.over.contains(target)) props.onLeave();
  };
  document.addEventListener('pointerdown', onPointerDown, true);
  onCleanup(() => document.removeEventListener('pointerdown', onPointerDown, true));
  const show = (element: HTMLDivElement): void => {
    panel = element;
    queueMicrotask(() => {
      if (!element.isConnected) return;
      element.showPopover?.();
      placeUnder(element, props.over);
      move(0);
    });
  };
  // A pointer that rests where the menu appears chooses nothing.
  const hover = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    if ((event.movementX !== 0 || event.movementY !== 0) && document.activeElement !== event.currentTarget) event.currentTarget.focus();
  };
  const take = (item: MenuItem): void => {
    props.onClose();
    item.run();
  };
  return (
    <div ref={show} id={props.id} class="menu" role="menu" aria-label={props.label} popover="manual" onKeyDown={onKeyDown}>
      <Index each={props.items}>
        {(item) => (
          <>
            <Show when={item().apart}>
              <hr />
            </Show>
            <button type="button" role="menuitem" tabindex="-1" data-danger={item().danger ? '' : undefined} onClick={() => take(item())} onPointerMove={hover}>
              <Show when={item().icon}>{(name) => <Icon name={name()} />}</Show>
              <span class="words">{item().label}</span>
              <Show when={item().keys}>{(keys) => <Kbd keys={keys()} />}</Show>
            </button>
          </>
        )}
      </Index>
    </div>
  );
}

/** Puts `element` under (or over) `anchor`, inside the window. */
export function placeUnder(element: HTMLElement, anchor: HTMLElement): void {
  const around = anchor.getBoundingClientRect();
  const own = element.getBoundingClientRect();
  const left = around.left + own.width + EDGE > innerWidth ? around.right - own.width : around.left;
  const below = around.bottom + own.height + EDGE < innerHeight || around.top < own.height;
  element.style.left = `${Math.max(EDGE, left)}px`;
  element.style.top = `${below ? around.bottom + 4 : around.top - own.height - 4}px`;
}
