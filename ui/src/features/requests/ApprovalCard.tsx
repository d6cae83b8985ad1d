// A permission that the agent asks for: what it would do, and how far a yes reaches.
import { For, Show, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Approval, ApprovalScope, Decision, Task } from '../../api/types';
import { Button } from '../../components/Button';
import { CodeBlock } from '../../components/CodeBlock';
import { t } from '../../i18n';
import { newElementId } from '../../lib/ids';
import { isTyping } from '../../lib/keys';
import { once } from './requests';

const KEYS: Record<ApprovalScope, string> = { once: 'y', task: 't', repository: 'r' };

export function ApprovalCard(props: { task: Task; approval: Approval }) {
  const id = newElementId('approval');
  const [denying, setDenying] = createSignal(false);
  const [reason, setReason] = createSignal('');
  const sending = once(props.task.task_id);
  const decide = (decision: Decision): void => {
    sending.run(() => api.decide(props.task.task_id, props.approval.approval_id, decision));
  };
  const allow = (scope: ApprovalScope): void => decide({ verdict: 'allow', scope });
  const deny = (): void => decide({ verdict: 'deny', ...(reason().trim() === '' ? {} : { message: reason().trim() }) });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (event.key === 'Enter') deny();
      else if (event.key === 'Escape') setDenying(false);
      else return;
    } else {
      const scope = props.approval.scopes.find((one) => KEYS[one] === event.key);
      if (scope) allow(scope);
      else if (event.key === 'n') setDenying(true);
      else return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const detail = createMemo(() => detailOf(props.approval));
  return (
    <section class="card" tabindex="-1" aria-labelledby={id} onKeyDown={onKeyDown}>
      <header id={id}>
        <span class="kind">{t().task.request.wants(props.approval.tool_name)}</span>
        <code class="summary">{props.approval.summary}</code>
        <Show when={props.approval.reason}>
          <p class="soft">{props.approval.reason}</p>
        </Show>
      </header>
      <Show when={detail()}>{(text) => <CodeBlock code={text()} lang="json" capped />}</Show>
      <footer>
        <Show
          when={denying()}
          fallback={
            <>
              <For each={props.approval.scopes}>
                {(scope, nth) => (
                  <Button look={nth() === 0 ? 'main' : undefined} keys={KEYS[scope]} onClick={() => allow(scope)}>
                    {t().task.request.scopes[scope]}
                  </Button>
                )}
              </For>
              <span class="spring" />
              <Button keys="n" onClick={() => setDenying(true)}>
                {t().task.request.deny}
              </Button>
            </>
          }
        >
          <input class="input" type="text" ref={(element) => queueMicrotask(() => element.focus())} aria-label={t().task.request.denyReason} placeholder={t().task.request.denyReason} value={reason()} onInput={(event) => setReason(event.currentTarget.value)} />
          <Button look="danger" keys="enter" onClick={deny}>
            {reason().trim() === '' ? t().task.request.deny : t().task.request.denySend}
          </Button>
          <Button look="bare" onClick={() => setDenying(false)}>
            {t().app.cancel}
          </Button>
        </Show>
      </footer>
    </section>
  );
}

/** The whole input, where the summary does not say it all. */
function detailOf(approval: Approval): string | undefined {
  const { input, summary } = approval;
  if (input === null || typeof input !== 'object') return undefined;
  const values = Object.values(input);
  if (values.length <= 1 && summary.includes(String(values[0] ?? ''))) return undefined;
  const told = values.every((value) => typeof value === 'string' && summary.includes(value));
  return told ? undefined : JSON.stringify(input, null, 2);
}
