// Rules in words, the same everywhere.
import type { Rule, RuleReach, RuleSubject } from '../api/types';
import { t } from '../i18n';

/** The pattern of a subject. */
export function subjectText(subject: RuleSubject): string {
  switch (subject.on) {
    case 'command':
      return subject.command;
    case 'edit':
    case 'read':
      return subject.paths;
    case 'web':
      return subject.domain;
    case 'tool':
      return subject.tool;
  }
}

/** A subject of this kind with this pattern. */
export function subjectOf(on: RuleSubject['on'], text: string): RuleSubject {
  switch (on) {
    case 'command':
      return { on, command: text };
    case 'edit':
    case 'read':
      return { on, paths: text };
    case 'web':
      return { on, domain: text };
    case 'tool':
      return { on, tool: text };
  }
}

export function reachText(reach: RuleReach): string {
  switch (reach.scope) {
    case 'task':
      return `${t().policy.reach.task} ${reach.task_id}`;
    case 'repository':
      return `${t().policy.reach.repository} ${reach.path}`;
    case 'everywhere':
      return t().policy.reach.everywhere;
  }
}

export function ruleText(rule: Rule): string {
  return `${t().policy.verdict[rule.verdict]} ${t().policy.on[rule.subject.on]} ${subjectText(rule.subject)} ${reachText(rule.reach)}`;
}
