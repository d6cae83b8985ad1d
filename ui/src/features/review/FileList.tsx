// The changed files, each a link to its diff.
import { For, Show } from 'solid-js';
import { PlusMinus } from '../../components/Bits';
import { Icon } from '../../components/Icon';
import { t } from '../../i18n';
import type { FileDiff } from '../../lib/diff';
import { splitPath } from '../../lib/format';
import { fileId } from './FileView';

export function FileList(props: { files: FileDiff[]; isViewed: (file: FileDiff) => boolean }) {
  return (
    <nav class="filelist" aria-label={t().review.files}>
      <ul role="list">
        <For each={props.files}>
          {(file) => (
            <li data-viewed={props.isViewed(file) ? '' : undefined}>
              <button type="button" title={file.path} onClick={() => document.getElementById(fileId(file.path))?.scrollIntoView()}>
                <Show when={props.isViewed(file)} fallback={<span class="mark">{{ added: 'A', removed: 'D', renamed: 'R', changed: 'M' }[file.kind]}</span>}>
                  <Icon name="check" />
                </Show>
                <span class="truncate">
                  {splitPath(file.path).name} <span class="faint">{splitPath(file.path).dir}</span>
                </span>
                <PlusMinus added={file.added} removed={file.removed} />
              </button>
            </li>
          )}
        </For>
      </ul>
    </nav>
  );
}
