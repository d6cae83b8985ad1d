// The input of a call, changed before it is allowed.
import { Show, createSignal } from 'solid-js';
import type { Approval } from '../../api/types';
import { Button } from '../../components/Button';
import { t } from '../../i18n';
import { isObject } from './requests';

interface EditProps {
  approval: Approval;
  onAllow: (input: unknown) => void;
  onCancel: () => void;
}

/** A command alone is edited as text, anything else as JSON. */
export function EditInput(props: EditProps) {
  const whole = props.approval.input as Record<string, unknown>;
  const command = props.approval.tool === 'bash' && typeof whole.command === 'string' ? whole.command : undefined;
  const [text, setText] = createSignal(command ?? JSON.stringify(whole, null, 2));
  const [bad, setBad] = createSignal(false);
  const allow = (): void => {
    if (command !== undefined) return props.onAllow({ ...whole, command: text() });
    try {
      const input: unknown = JSON.parse(text());
      if (isObject(input)) props.onAllow(input);
      else setBad(true);
    } catch {
      setBad(true);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') props.onCancel();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) allow();
    else return;
    event.preventDefault();
  };
  return (
    <div class="editinput">
      <textarea
        class="input"
        rows={Math.min(12, text().split('\n').length + 1)}
        aria-label={t().policy.keep.edited}
        aria-invalid={bad() ? 'true' : undefined}
        spellcheck={false}
        ref={(element) => queueMicrotask(() => element.focus())}
        value={text()}
        onInput={(event) => (setText(event.currentTarget.value), setBad(false))}
        onKeyDown={onKeyDown}
      />
      <Show when={bad()}>
        <p class="problem" role="alert">
          {t().policy.keep.badInput}
        </p>
      </Show>
      <div class="keepactions">
        <Button look="main" keys="mod+enter" onClick={allow}>
          {t().policy.keep.allowEdited}
        </Button>
        <Button look="bare" onClick={() => props.onCancel()}>
          {t().app.cancel}
        </Button>
      </div>
    </div>
  );
}
