// What a purge would take beside files and commits: other branches, stashes, ignored files, and whoever runs
// in the box now.
import { For, Show } from 'solid-js';
import type { PurgePreview, RepositoryLoss } from '../../api/types';
import { Callout } from '../../components/Bits';
import { t } from '../../i18n';
import { basename, bytes } from '../../lib/format';

const SHOWN_MAX = 4;

export function Losses(props: { preview: PurgePreview }) {
  const repositories = (): RepositoryLoss[] => (props.preview.repositories ?? []).filter((one) => words(one).length > 0);
  const running = () => props.preview.processes ?? [];
  return (
    <>
      <Show when={repositories().length > 0}>
        <section>
          <h3>{t().box.loss.title}</h3>
          <ul>
            <For each={repositories()}>
              {(one) => (
                <For each={words(one)}>
                  {(text) => (
                    <li>
                      <Show when={(props.preview.repositories ?? []).length > 1}>
                        <b>{basename(one.path)}</b>{' '}
                      </Show>
                      {text}
                    </li>
                  )}
                </For>
              )}
            </For>
          </ul>
        </section>
      </Show>
      <Show when={running().length > 0}>
        <Callout tone="quiet" icon="terminal">
          <p>{t().box.loss.running(running().length)}</p>
          <ul role="list">
            <For each={running().slice(0, SHOWN_MAX)}>
              {(one) => (
                <li class="code truncate" title={one.command}>
                  {one.command}
                </li>
              )}
            </For>
          </ul>
        </Callout>
      </Show>
      <Show when={props.preview.box_bytes}>{(size) => <p class="soft">{t().box.loss.size(bytes(size()))}</p>}</Show>
    </>
  );
}

/** What of a repository neither the list of files nor the count of commits says. */
function words(loss: RepositoryLoss): string[] {
  const texts = t().box.loss;
  const { branches, stashes, ignored, unknown } = loss;
  return [
    ...loss.commits.slice(0, SHOWN_MAX).map((one) => `${one.commit.slice(0, 7)} ${one.subject}`),
    ...(branches.length > 0 ? [`${texts.branches(branches.length)}: ${branches.slice(0, SHOWN_MAX).map((one) => one.name).join(', ')}`] : []),
    ...(stashes.length > 0 ? [texts.stashes(stashes.length)] : []),
    ...(ignored.files > 0 ? [(ignored.kept ? texts.ignored : texts.ignoredLost)(ignored.files, bytes(ignored.bytes))] : []),
    ...(unknown == null ? [] : [unknown]),
  ];
}
