// Rules: what agents may do without asking, and what not; and a place to try what they make of a command.
import { For, Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Rule, RuleReach, RuleSubject, RuleVerdict } from '../../api/types';
import { Failed, Problem } from '../../components/Bits';
import { Button, IconButton } from '../../components/Button';
import { Field, Input, Select } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { createAttempt } from '../../state/attempt';
import { reachText, subjectOf, subjectText } from '../../state/rules';

const KINDS: readonly RuleSubject['on'][] = ['command', 'edit', 'read', 'web', 'tool'];

export function RuleSettings() {
  const rules = createAsked(() => api.rules());
  const changing = createAttempt();
  const change = async (work: () => Promise<unknown>): Promise<boolean> => {
    const done = await changing.run(work);
    if (done) rules.again();
    return done;
  };
  return (
    <>
      <p class="faint">{t().policy.rules.hint}</p>
      <Failed of={rules.error} />
      <Show when={(rules() ?? []).length > 0} fallback={<p class="soft">{rules() && t().policy.rules.none}</p>}>
        <table class="keylist">
          <tbody>
            <For each={rules()}>{(rule) => <RuleRow rule={rule} onRemove={() => void change(() => api.removeRule(rule.rule_id))} />}</For>
          </tbody>
        </table>
      </Show>
      <AddRule onAdd={(rule) => change(() => api.addRule(rule))} />
      <Problem text={changing.problem()} />
      <TryRule />
    </>
  );
}

function RuleRow(props: { rule: Rule; onRemove: () => void }) {
  return (
    <tr>
      <th scope="row">
        {t().policy.verdict[props.rule.verdict]} <span class="faint">{t().policy.on[props.rule.subject.on]}</span> <code>{subjectText(props.rule.subject)}</code>
      </th>
      <td class="soft">
        {reachText(props.rule.reach)} <IconButton icon="cross" label={`${t().policy.rules.remove}: ${subjectText(props.rule.subject)}`} onClick={() => props.onRemove()} />
      </td>
    </tr>
  );
}

function AddRule(props: { onAdd: (rule: Pick<Rule, 'verdict' | 'reach' | 'subject'>) => Promise<boolean> }) {
  const [verdict, setVerdict] = createSignal<Rule['verdict']>('allow');
  const [on, setOn] = createSignal<RuleSubject['on']>('command');
  const [text, setText] = createSignal('');
  const [repository, setRepository] = createSignal('');
  const reach = (): RuleReach => (repository().trim() === '' ? { scope: 'everywhere' } : { scope: 'repository', path: repository().trim() });
  const add = async (): Promise<void> => {
    if (await props.onAdd({ verdict: verdict(), reach: reach(), subject: subjectOf(on(), text().trim()) })) setText('');
  };
  return (
    <form class="formgrid" onSubmit={(event) => (event.preventDefault(), void add())}>
      <Field label={t().policy.rules.verdict}>
        {(ids) => (
          <Select {...ids} value={verdict()} onChange={(event) => setVerdict(event.currentTarget.value as Rule['verdict'])}>
            <option value="allow">{t().policy.verdict.allow}</option>
            <option value="deny">{t().policy.verdict.deny}</option>
          </Select>
        )}
      </Field>
      <Field label={t().policy.rules.on}>
        {(ids) => (
          <Select {...ids} value={on()} onChange={(event) => setOn(event.currentTarget.value as RuleSubject['on'])}>
            <For each={KINDS}>{(kind) => <option value={kind}>{t().policy.on[kind]}</option>}</For>
          </Select>
        )}
      </Field>
      <Field label={t().policy.rules.text}>{(ids) => <Input {...ids} class="code" placeholder="cargo test *" value={text()} onInput={(event) => setText(event.currentTarget.value)} />}</Field>
      <Field label={t().policy.rules.repository}>
        {(ids) => <Input {...ids} class="code" placeholder={t().policy.reach.everywhere} value={repository()} onInput={(event) => setRepository(event.currentTarget.value)} />}
      </Field>
      <div>
        <Button type="submit" icon="plus" disabled={text().trim() === ''}>
          {t().policy.rules.add}
        </Button>
      </div>
    </form>
  );
}

function TryRule() {
  const [command, setCommand] = createSignal('');
  const [verdict, setVerdict] = createSignal<RuleVerdict>();
  const trying = createAttempt();
  const tryOut = (): Promise<boolean> =>
    trying.run(async () => {
      setVerdict(undefined);
      const tried = command();
      const found = await api.testRules({ to: 'run', command: tried });
      // What was typed since was not tried.
      if (tried === command()) setVerdict(found);
    });
  return (
    <form onSubmit={(event) => (event.preventDefault(), void tryOut())}>
      <Field label={t().policy.rules.test}>
        {(ids) => <Input {...ids} class="code" placeholder={t().policy.rules.testPlaceholder} value={command()} onInput={(event) => (setCommand(event.currentTarget.value), setVerdict(undefined))} />}
      </Field>
      <Show when={verdict()}>
        {(shown) => (
          <div role="status">
            <p>
              <b>{t().policy.rules.tried[shown().verdict]}</b> <span class="faint">{shown().doubt}</span>
            </p>
            <For each={shown().parts}>
              {(part) => (
                <p class="soft">
                  <code>{part.command}</code> {part.rule ? `${t().policy.byRule}: ${subjectText(part.rule.subject)}` : t().policy.rules.noRule}
                </p>
              )}
            </For>
          </div>
        )}
      </Show>
      <Problem text={trying.problem()} />
    </form>
  );
}
