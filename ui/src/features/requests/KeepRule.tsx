// How far a permission reaches: which rule is kept, said exactly, before it is.
import { For, createSignal } from 'solid-js';
import type { Approval, ApprovalScope, KeepRule as Kept, RuleOffer } from '../../api/types';
import { Button } from '../../components/Button';
import { t } from '../../i18n';
import { newElementId } from '../../lib/ids';
import { subjectText } from '../../state/rules';

interface KeepProps {
  approval: Approval;
  scope: Exclude<ApprovalScope, 'once'>;
  onKeep: (keep: Kept) => void;
  onCancel: () => void;
}

export function KeepRule(props: KeepProps) {
  const name = newElementId('offer');
  const [nth, setNth] = createSignal(0);
  const offers = (): RuleOffer[] => props.approval.offers ?? [];
  const keep = (): void => props.onKeep({ scope: props.scope, subjects: offers()[nth()]?.subjects ?? [] });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') keep();
    else if (event.key === 'Escape') props.onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // No fieldset: WebKit lays a flexible one out without its legend first, and what is pressed then moves away.
    <div class="keeprule" role="radiogroup" aria-labelledby={name} onKeyDown={onKeyDown}>
      <p id={name}>{t().policy.keep.title[props.scope]}</p>
      <For each={offers()}>
        {(offer, at) => (
          <label class="offer">
            <input type="radio" name={name} checked={at() === nth()} ref={(element) => at() === 0 && queueMicrotask(() => element.focus())} onChange={() => setNth(at())} />
            <span>
              <For each={offer.subjects}>
                {(subject) => (
                  <span class="subject">
                    <span class="faint">{t().policy.on[subject.on]}</span> <code>{subjectText(subject)}</code>
                  </span>
                )}
              </For>
            </span>
          </label>
        )}
      </For>
      <div class="keepactions">
        <Button look="main" keys="enter" onClick={keep}>
          {t().policy.keep.confirm}
        </Button>
        <Button look="bare" onClick={() => props.onCancel()}>
          {t().app.cancel}
        </Button>
      </div>
    </div>
  );
}
