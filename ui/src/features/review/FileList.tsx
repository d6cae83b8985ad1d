// The changed files, each a link to its diff; found by a part of their paths.
import { For, Show, createMemo, createSignal } from 'solid-js';
import { PlusMinus } from '../../components/Bits';
import { Input } from '../../components/Field';
import { Icon } from '../../components/Icon';
import { t } from '../../i18n';
import type { FileDiff } from '../../lib/diff';
import { splitPath } from '../../lib/format';

interface FileListProps {
  files: FileDiff[];
  isViewed: (file: FileDiff) => boolean;
  current: string | undefined;
  onGo: (file: FileDiff) => void;
  /** Gets the field in which a part of a path is typed. */
  field: (input: HTMLInputElement) => void;
}

export function FileList(props: FileListProps) {
  const [words, setWords] = createSignal('');
  const shown = createMemo(() => {
    const parts = words().toLowerCase().split(/\s+/).filter(Boolean);
    return props.files.filter((file) => parts.every((part) => file.path.toLowerCase().includes(part)));
  });
  let list!: HTMLUListElement;
  const step = (event: KeyboardEvent, by: 1 | -1): void => {
    const all = [...list.querySelectorAll('button')];
    const at = all.findIndex((one) => one === document.activeElement);
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') step(event, 1);
    else if (event.key === 'ArrowUp') step(event, -1);
  };
  const onFieldKey = (event: KeyboardEvent): void => {
    const first = shown()[0];
    if (event.key === 'Enter' && first) props.onGo(first);
    else if (event.key === 'Escape' && words() !== '') setWords('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <nav class="filelist" aria-label={t().review.files} onKeyDown={onKeyDown}>
      <Input ref={props.field} aria-label={t().review.filter} placeholder={t().review.filter} value={words()} onInput={(event) => setWords(event.currentTarget.value)} onKeyDown={onFieldKey} />
      <Show when={shown().length === 0}>
        <p class="faint" role="status">
          {t().review.noMatch}
        </p>
      </Show>
      <ul ref={list} role="list">
        <For each={shown()}>
          {(file) => (
            <li data-viewed={props.isViewed(file) ? '' : undefined}>
              <button type="button" title={file.path} aria-current={file.path === props.current ? 'true' : undefined} onClick={() => props.onGo(file)}>
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
