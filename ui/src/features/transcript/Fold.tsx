// One line that opens: how tool calls, thoughts and everything else of which a line is enough are shown.
// What was opened stays open while the list scrolls it out and in again.
import { Show, createSignal, type JSX } from 'solid-js';
import { Icon, type IconName } from '../../components/Icon';

interface FoldProps {
  icon: IconName;
  head: JSX.Element;
  /** At the right end of the line. */
  tail?: JSX.Element;
  /** By this name it is remembered whether the user opened or closed it. */
  name?: string;
  /** Open unless the user closed it. */
  open?: boolean;
  disabled?: boolean;
  quiet?: boolean;
  failed?: boolean;
  children: JSX.Element;
}

/** Choices of the user, by name; bounded, the oldest go. */
const chosen = new Map<string, boolean>();
const CHOSEN_MAX = 1000;

export function Fold(props: FoldProps) {
  const [choice, setChoice] = createSignal(props.name === undefined ? undefined : chosen.get(props.name));
  const open = (): boolean => !props.disabled && (choice() ?? props.open ?? false);
  const toggle = (): void => {
    const next = !open();
    setChoice(next);
    if (props.name === undefined) return;
    chosen.delete(props.name);
    chosen.set(props.name, next);
    const oldest = chosen.keys().next().value;
    if (chosen.size > CHOSEN_MAX && oldest !== undefined) chosen.delete(oldest);
  };
  return (
    <div class="fold" data-quiet={props.quiet ? '' : undefined} data-failed={props.failed ? '' : undefined}>
      <button type="button" class="foldhead" aria-expanded={props.disabled ? undefined : open()} aria-disabled={props.disabled ? 'true' : undefined} onClick={() => !props.disabled && toggle()}>
        <Icon class="turner" name={props.disabled ? props.icon : open() ? 'down' : props.icon} />
        <span class="foldwords">{props.head}</span>
        <span class="foldtail">{props.tail}</span>
      </button>
      <Show when={open()}>
        <div class="foldbody">{props.children}</div>
      </Show>
    </div>
  );
}
