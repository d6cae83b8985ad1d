// A permission that the agent asks for: what it would do, and how far a yes reaches.
import { For, Show, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Approval, ApprovalScope, Decision, KeepRule as Kept, Task } from '../../api/types';
import { Button } from '../../components/Button';
import { CodeBlock } from '../../components/CodeBlock';
import { Checkbox } from '../../components/Field';
import { t } from '../../i18n';
import { keysOf, useCommands, type Command } from '../../lib/commands';
import { newElementId } from '../../lib/ids';
import { isTyping } from '../../lib/keys';
import { harnessOf } from '../../state/harnesses';
import { EditInput } from './EditInput';
import { KeepRule } from './KeepRule';
import { cardDoes, cardKey, isObject, once } from './requests';

export function ApprovalCard(props: { task: Task; approval: Approval }) {
  const id = newElementId('approval');
  const [denying, setDenying] = createSignal(false);
  const [reason, setReason] = createSignal('');
  const [denyAlways, setDenyAlways] = createSignal(false);
  const [keeping, setKeeping] = createSignal<Exclude<ApprovalScope, 'once'>>();
  const [editing, setEditing] = createSignal(false);
  const sending = once(props.task.task_id);
  const decide = (decision: Decision, keep?: Kept): void => {
    sending.run(() => api.decide(props.task.task_id, props.approval.approval_id, decision, keep));
  };
  const offered = (): boolean => (props.approval.offers ?? []).length > 0;
  const allow = (scope: ApprovalScope): void => {
    // What is kept is shown before it is.
    if (scope !== 'once' && offered()) return void setKeeping(scope);
    decide({ verdict: 'allow', scope });
  };
  const deny = (): void => {
    const message = reason().trim();
    const keep: Kept | undefined = denyAlways() && offered() ? { scope: denyScope() } : undefined;
    decide({ verdict: 'deny', ...(message === '' ? {} : { message }) }, keep);
  };
  const denyScope = (): ApprovalScope => (props.approval.scopes.includes('repository') ? 'repository' : 'task');
  /** Nothing while it is not known. */
  const edits = (): boolean | undefined => {
    const has = harnessOf(props.task.spec.harness);
    return isObject(props.approval.input) ? has && has.abilities.edited_input === true : false;
  };
  const editable = (): boolean => edits() === true;
  const plain = (): boolean => !denying() && keeping() === undefined && !editing();
  const keys = createMemo((): Command[] => [
    ...props.approval.scopes.map((scope) => cardKey(`card-${scope}`, t().policy.scopes[scope], () => allow(scope))),
    ...(editable() ? [cardKey('card-edit', t().policy.keep.edit, () => setEditing(true))] : []),
    cardKey('card-deny', t().task.request.deny, () => setDenying(true)),
  ]);
  useCommands(keys);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (denying() && event.key === 'Escape') setDenying(false);
    else if (denying() && event.key === 'Enter' && isTyping(event.target)) deny();
    else if (!plain() || !cardDoes(event, keys())) return;
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
      <Show when={keeping()}>
        {(scope) => (
          <KeepRule approval={props.approval} scope={scope()} onCancel={() => setKeeping(undefined)} onKeep={(keep) => decide({ verdict: 'allow', scope: 'once' }, keep)} />
        )}
      </Show>
      <Show when={editing()}>
        <EditInput approval={props.approval} onCancel={() => setEditing(false)} onAllow={(input) => decide({ verdict: 'allow', scope: 'once', input })} />
      </Show>
      <footer hidden={keeping() !== undefined || editing()}>
        <Show
          when={denying()}
          fallback={
            <>
              <For each={props.approval.scopes}>
                {(scope, nth) => (
                  <Button look={nth() === 0 ? 'main' : undefined} keys={keysOf({ id: `card-${scope}` })} onClick={() => allow(scope)}>
                    {t().policy.scopes[scope]}
                  </Button>
                )}
              </For>
              {/* Its place is kept until it is known, so that no other answer moves under the pointer. */}
              <Show when={edits() !== false}>
                <Button style={{ visibility: editable() ? undefined : 'hidden' }} keys={keysOf({ id: 'card-edit' })} onClick={() => setEditing(true)}>
                  {t().policy.keep.edit}
                </Button>
              </Show>
              <span class="spring" />
              <Button keys={keysOf({ id: 'card-deny' })} onClick={() => setDenying(true)}>
                {t().task.request.deny}
              </Button>
            </>
          }
        >
          <input class="input" type="text" ref={(element) => queueMicrotask(() => element.focus())} aria-label={t().task.request.denyReason} placeholder={t().task.request.denyReason} value={reason()} onInput={(event) => setReason(event.currentTarget.value)} />
          <Show when={offered()}>
            <Checkbox label={t().policy.keep.deny} checked={denyAlways()} onChange={setDenyAlways} />
          </Show>
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
