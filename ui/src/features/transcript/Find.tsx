// Find in a conversation: rows that hold the words, one after the other.
import { createEffect, createMemo, createSignal, on, onMount } from 'solid-js';
import { IconButton } from '../../components/Button';
import { t } from '../../i18n';
import { searchText } from '../../state/export';
import type { Row } from '../../state/rows';

interface FindProps {
  rows: readonly Row[];
  onShow: (index: number | undefined) => void;
  onClose: () => void;
}

export function Find(props: FindProps) {
  const [words, setWords] = createSignal('');
  const [at, setAt] = createSignal(0);
  let input!: HTMLInputElement;
  onMount(() => input.focus());
  const matches = createMemo(() => {
    const wanted = words().trim().toLowerCase();
    if (wanted === '') return [];
    return props.rows.flatMap((row, index) => (searchText(row).toLowerCase().includes(wanted) ? [index] : []));
  });
  createEffect(on(words, () => setAt(Math.max(0, matches().length - 1)), { defer: true }));
  createEffect(on([at, () => words()], () => props.onShow(matches()[at()]), { defer: true }));
  const step = (by: number): void => {
    const count = matches().length;
    if (count > 0) setAt((at() + by + count) % count);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') props.onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const count = (): string => {
    if (words().trim() === '') return '';
    return matches().length === 0 ? t().task.list.none : t().task.list.found(at() + 1, matches().length);
  };
  return (
    <div class="find" role="search">
      <input ref={input} class="input" type="text" aria-label={t().task.list.find} placeholder={t().task.list.find} value={words()} onInput={(event) => setWords(event.currentTarget.value)} onKeyDown={onKeyDown} />
      <span class="faint numbers" role="status">
        {count()}
      </span>
      <IconButton icon="up" label={t().task.list.findPrevious} onClick={() => step(-1)} />
      <IconButton icon="down" label={t().task.list.findNext} onClick={() => step(1)} />
      <IconButton icon="cross" label={t().app.close} onClick={() => props.onClose()} />
    </div>
  );
}
