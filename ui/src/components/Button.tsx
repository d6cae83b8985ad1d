// A button with words, or an icon with a name; both can show their shortcut.
import { Show, splitProps, type JSX } from 'solid-js';
import { Icon, type IconName } from './Icon';
import { Kbd } from './Kbd';
import { tip } from './Tooltip';

type Native = JSX.ButtonHTMLAttributes<HTMLButtonElement>;

interface ButtonProps extends Native {
  look?: 'main' | 'danger' | 'bare' | undefined;
  icon?: IconName | undefined;
  keys?: string | undefined;
}

export function Button(props: ButtonProps) {
  const [own, rest] = splitProps(props, ['look', 'icon', 'keys', 'children', 'class']);
  return (
    <button type="button" {...rest} class={`button ${own.class ?? ''}`} data-look={own.look}>
      <Show when={own.icon}>{(name) => <Icon name={name()} />}</Show>
      {own.children}
      <Show when={own.keys}>{(keys) => <Kbd keys={keys()} />}</Show>
    </button>
  );
}

interface IconButtonProps extends Native {
  icon: IconName;
  /** Its name, read out and shown as a tooltip. */
  label: string;
  keys?: string | undefined;
}

export function IconButton(props: IconButtonProps) {
  const [own, rest] = splitProps(props, ['icon', 'label', 'keys', 'class']);
  return (
    <button type="button" {...rest} class={`button ${own.class ?? ''}`} data-look="bare" data-icon="" aria-label={own.label} {...tip(() => own.label, () => own.keys)}>
      <Icon name={own.icon} />
    </button>
  );
}
