// Form fields: a label, a control, a hint or what is wrong; and a choice of a few as segments.
import { For, Index, Show, splitProps, type JSX } from 'solid-js';
import { newElementId } from '../lib/ids';

interface FieldProps {
  label: string;
  hint?: JSX.Element;
  problem?: string | undefined;
  /** Gets the ids that tie it to its label and its hint. */
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': 'true' | undefined }) => JSX.Element;
}

export function Field(props: FieldProps) {
  const id = newElementId('field');
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children({
        id,
        'aria-describedby': `${id}-hint`,
        get 'aria-invalid'() {
          return props.problem ? 'true' : undefined;
        },
      })}
      <div id={`${id}-hint`} hidden={!props.problem && !props.hint}>
        <Show when={props.problem} fallback={<span class="hint">{props.hint}</span>}>
          <span class="problem" role="alert">
            {props.problem}
          </span>
        </Show>
      </div>
    </div>
  );
}

export function Input(props: JSX.InputHTMLAttributes<HTMLInputElement>) {
  const [own, rest] = splitProps(props, ['class']);
  return <input spellcheck={false} autocomplete="off" autocapitalize="off" {...rest} class={`input ${own.class ?? ''}`} />;
}

/** A proposal, with words that say what it is. */
export interface Suggestion {
  value: string;
  label: string;
}

/** A field in which anything can be typed and some things are proposed. */
export function Suggesting(props: JSX.InputHTMLAttributes<HTMLInputElement> & { suggestions: readonly (string | Suggestion)[] }) {
  const list = newElementId('suggestions');
  const [own, rest] = splitProps(props, ['suggestions']);
  return (
    <>
      <Input {...rest} list={list} />
      <datalist id={list}>
        <Index each={own.suggestions}>
          {(one) => {
            const told = (): Suggestion => suggestion(one());
            return <option value={told().value}>{told().label}</option>;
          }}
        </Index>
      </datalist>
    </>
  );
}

function suggestion(one: string | Suggestion): Suggestion {
  return typeof one === 'string' ? { value: one, label: '' } : one;
}

export function Select(props: JSX.SelectHTMLAttributes<HTMLSelectElement>) {
  return <select {...props} class="input" />;
}

interface SegmentsProps<T extends string> {
  label: string;
  hideLabel?: boolean;
  hint?: JSX.Element | undefined;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** One of a few, all of them in view; arrows move as in any group of radio buttons. What is pressed is chosen, also
    where it stood there already. */
export function Segments<T extends string>(props: SegmentsProps<T>) {
  const name = newElementId('segments');
  return (
    <fieldset class="field" role="radiogroup" aria-label={props.label}>
      <Show when={!props.hideLabel}>
        <span class="label" aria-hidden="true">
          {props.label}
        </span>
      </Show>
      <div>
        <span class="segments">
          <For each={props.options}>
            {(option) => (
              <label>
                <input type="radio" name={name} value={option.value} checked={option.value === props.value} onClick={() => option.value === props.value && props.onChange(option.value)} onChange={() => props.onChange(option.value)} />
                {option.label}
              </label>
            )}
          </For>
        </span>
      </div>
      <Show when={props.hint}>
        <span class="hint">{props.hint}</span>
      </Show>
    </fieldset>
  );
}

/** On or off, at once or with what else is saved; its label stands elsewhere. */
export function Switch(props: { id: string; describedBy?: string; disabled?: boolean; checked: boolean; onChange: (on: boolean) => void }) {
  return <input id={props.id} type="checkbox" role="switch" class="switch" aria-describedby={props.describedBy} disabled={props.disabled} checked={props.checked} onChange={(event) => props.onChange(event.currentTarget.checked)} />;
}

export function Checkbox(props: { label: JSX.Element; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label class="checkbox">
      <input type="checkbox" checked={props.checked} onChange={(event) => props.onChange(event.currentTarget.checked)} />
      <span>{props.label}</span>
    </label>
  );
}
