// Questions, permissions and plans where they stand in the conversation: what was asked and what became
// of it. While they are open they are answered below, above the composer.
import { Show, type JSX } from 'solid-js';
import type { Answer } from '../../api/types';
import { Icon, type IconName } from '../../components/Icon';
import { Markdown } from '../../components/Markdown';
import { t } from '../../i18n';
import type { RowOf } from '../../state/rows';
import { ruleText } from '../../state/rules';
import { Fold } from './Fold';

function Asked(props: { icon: IconName; what: JSX.Element; became: JSX.Element }) {
  return (
    <div class="asked">
      <Icon name={props.icon} />
      <div>
        <div>{props.what}</div>
        <p class="became">{props.became}</p>
      </div>
    </div>
  );
}

function answerWords(answer: Answer): string {
  return [...(answer.choices ?? []), ...(answer.text ? [answer.text] : [])].join(', ');
}

export function DecidedQuestion(props: { row: RowOf<'question'> }) {
  const became = (): string => {
    const { answer } = props.row;
    return answer == null ? t().task.request.withdrawn : answerWords(answer);
  };
  return (
    <Show when={props.row.answer !== undefined}>
      <Asked icon="comment" what={props.row.question.text} became={became()} />
    </Show>
  );
}

export function DecidedApproval(props: { row: RowOf<'approval'> }) {
  const became = (): string => {
    const { decision } = props.row;
    if (decision == null) return t().task.request.withdrawn;
    const rules = (props.row.rules ?? []).map(ruleText).join('; ');
    const by = props.row.byRule ? (rules === '' ? t().policy.byMode : `${t().policy.byRule}: ${rules}`) : rules === '' ? '' : `${t().policy.kept}: ${rules}`;
    const verdict = decision.verdict === 'allow' ? t().task.request.allowed : t().task.request.denied;
    const message = decision.verdict === 'deny' && !props.row.byRule ? decision.message : undefined;
    return [verdict, by, message].filter(Boolean).join(' · ');
  };
  return (
    <Show when={props.row.decision !== undefined}>
      <Asked icon="warning" what={<code>{props.row.approval.summary}</code>} became={became()} />
    </Show>
  );
}

export function DecidedPlan(props: { row: RowOf<'plan'> }) {
  const became = (): string => {
    const { decision } = props.row;
    if (decision == null) return t().task.request.withdrawn;
    if (decision.verdict === 'approve') return t().task.request.planApproved;
    return [t().task.request.planRejected, decision.comment].filter(Boolean).join(': ');
  };
  const text = (): string => {
    const { decision, plan } = props.row;
    return (decision?.verdict === 'approve' ? decision.text : undefined) ?? plan.text;
  };
  return (
    <Show when={props.row.decision !== undefined}>
      <Fold icon="list" head={<><span class="verb">{t().task.request.plan}</span> <span class="faint">{became()}</span></>}>
        <Markdown text={text()} />
      </Fold>
    </Show>
  );
}
