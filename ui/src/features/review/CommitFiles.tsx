// The files of a commit to be made: all of them unless some are left out. Of very many, not all are listed. One stop for the keyboard: arrows go
// from file to file, space takes one in or leaves it out.
import { For, Show, createEffect, createSignal } from 'solid-js';
import type { FileStat } from '../../api/types';
import { PathParts, PlusMinus } from '../../components/Bits';
import { t } from '../../i18n';

interface CommitFilesProps {
  files: readonly FileStat[];
  /** How many more there are, which are not listed: they go in where none of those listed stays out. */
  more: number;
  /** Paths that stay out. */
  out: ReadonlySet<string>;
  onChange: (out: ReadonlySet<string>) => void;
}

export function CommitFiles(props: CommitFilesProps) {
  const [last, setAt] = createSignal(0);
  /** The one that Tab comes to; the files may have become fewer. */
  const at = (): number => Math.min(last(), props.files.length - 1);
  let list!: HTMLUListElement;
  const listed = (): number => props.files.filter((file) => !props.out.has(file.path)).length;
  const isAll = (): boolean => listed() === props.files.length;
  const chosen = (): number => listed() + (isAll() ? props.more : 0);
  const boxes = (): HTMLInputElement[] => [...list.querySelectorAll('input')];
  const go = (to: number): void => boxes()[Math.max(0, Math.min(props.files.length - 1, to))]?.focus();
  const put = (path: string, isIn: boolean): void => {
    const out = new Set(props.out);
    if (isIn) out.delete(path);
    else out.add(path);
    props.onChange(out);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const ways: Record<string, number> = { ArrowDown: at() + 1, ArrowUp: at() - 1, Home: 0, End: props.files.length - 1 };
    const to = ways[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return (
    <fieldset class="commitchoice">
      <legend class="unseen">{t().review.files}</legend>
      <p class="commithead">
        <label class="checkbox">
          <input
            ref={(box) => createEffect(() => (box.indeterminate = listed() > 0 && !isAll()))}
            type="checkbox"
            checked={isAll()}
            onChange={(event) => props.onChange(new Set(event.currentTarget.checked ? [] : props.files.map((file) => file.path)))}
          />
          <span>{t().review.commitAll}</span>
        </label>
        <span class="soft" role="status">{chosen() === 0 ? t().review.commitNone : t().review.commitFiles(chosen(), props.files.length + props.more)}</span>
      </p>
      <ul ref={list} role="list" class="commitfiles" onKeyDown={onKeyDown}>
        <For each={props.files}>
          {(file, nth) => (
            <li data-out={props.out.has(file.path) ? '' : undefined}>
              <label class="checkbox">
                <input type="checkbox" tabindex={nth() === at() ? 0 : -1} checked={!props.out.has(file.path)} onFocus={() => setAt(nth())} onChange={(event) => put(file.path, event.currentTarget.checked)} />
                <code class="pathcut" title={file.path}><PathParts path={file.path} /></code>
              </label>
              <PlusMinus added={file.added} removed={file.removed} />
            </li>
          )}
        </For>
      </ul>
      <Show when={props.more > 0}>
        <p class="soft">{t().review.commitMore(props.more, isAll())}</p>
      </Show>
    </fieldset>
  );
}
