// Whether the server is there: a quiet line when it is, a bar that nobody overlooks when it is not.
import { Show, createMemo, createSignal, onCleanup, onMount } from 'solid-js';
import { Dot } from '../../components/Status';
import { t } from '../../i18n';
import { now } from '../../lib/clock';
import { span } from '../../lib/format';
import { link } from '../../state/link';

/** A hiccup shorter than this is no news. */
const NEWS_AFTER_MS = 1500;

function awayFor(): number | undefined {
  const state = link();
  return state.at === 'waiting' ? Math.max(0, now() - state.since) : undefined;
}

/** The words for where the connection stands. */
function words(): string {
  const state = link();
  const away = awayFor();
  if (state.at === 'waiting') return t().link.waiting(span(Math.floor((away ?? 0) / 1000) * 1000));
  return t().link[state.at];
}

export function LinkLine() {
  const tone = createMemo(() => (link().at === 'open' ? 'success' : link().at === 'connecting' ? 'quiet' : 'attention'));
  return (
    <div class="linkline" role="status">
      <Dot tone={tone()} shape={link().at === 'open' ? 'full' : 'ring'} />
      <span class="truncate">{words()}</span>
    </div>
  );
}

export function LinkBar() {
  const [began, setBegan] = createSignal(false);
  onMount(() => {
    const timer = setTimeout(() => setBegan(true), NEWS_AFTER_MS);
    onCleanup(() => clearTimeout(timer));
  });
  const shown = (): boolean => {
    const away = awayFor();
    return began() && away !== undefined && away >= NEWS_AFTER_MS;
  };
  return (
    <Show when={shown()}>
      <div class="linkbar">
        <b>{words()}</b>
      </div>
    </Show>
  );
}
