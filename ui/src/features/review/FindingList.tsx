// What the scan found, each with a way to let it pass where there is one.
import { For, Show } from 'solid-js';
import type { RepositoryFinding } from '../../api/types';
import { Callout } from '../../components/Bits';
import { Checkbox } from '../../components/Field';
import { t } from '../../i18n';

interface FindingListProps {
  findings: RepositoryFinding[];
  allowed?: string[];
  onAllow?: (id: string, allowed: boolean) => void;
}

export function FindingList(props: FindingListProps) {
  return (
    <Show when={props.findings.length > 0}>
      <Callout tone="attention">
        <p>
          <b>{t().review.findings}</b>
        </p>
        <p>{t().review.findingsText}</p>
        <ul role="list" class="findings">
          <For each={props.findings}>
            {(finding) => (
              <li>
                <p>
                  <b>{finding.rule}</b>{' '}
                  <code>
                    {finding.path}
                    {finding.line == null ? '' : `:${finding.line}`}
                  </code>
                </p>
                <code class="soft">{finding.excerpt}</code>
                <Show when={props.onAllow}>
                  {(allow) => <Checkbox label={t().review.letPass} checked={props.allowed?.includes(finding.id) ?? false} onChange={(is) => allow()(finding.id, is)} />}
                </Show>
              </li>
            )}
          </For>
        </ul>
      </Callout>
    </Show>
  );
}
