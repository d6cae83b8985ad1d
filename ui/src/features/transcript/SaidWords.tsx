// What the user said: the beginning of a long message, the whole of it on request.
import { Show, createSignal } from 'solid-js';
import { Linked } from '../../components/Linked';
import { t } from '../../i18n';
import { isLong } from './guess';

export function SaidWords(props: { text: string }) {
  const [whole, setWhole] = createSignal(false);
  const clipped = (): boolean => !whole() && isLong(props.text);
  return (
    <>
      <div class="words" data-clipped={clipped() ? '' : undefined}>
        <Linked text={props.text} />
      </div>
      <Show when={clipped()}>
        <button type="button" class="more" onClick={() => setWhole(true)}>
          {t().task.row.wholeMessage}
        </button>
      </Show>
    </>
  );
}
