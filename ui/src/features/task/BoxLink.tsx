// Whether the box is reached: nothing while it is; a calm line while Paddock connects again, with what was
// heard last and since when; a louder one when that takes long.
import { Match, Show, Switch } from 'solid-js';
import type { Link, Task } from '../../api/types';
import { Callout } from '../../components/Bits';
import { locale, t } from '../../i18n';
import { now } from '../../lib/clock';
import { clockTime, elapsed, moment } from '../../lib/format';
import { sentences } from '../../lib/message';

/** A hiccup shorter than this is no news. */
const NEWS_AFTER_MS = 1500;

export function BoxLink(props: { task: Task }) {
  const link = (): Link | undefined => props.task.link;
  const away = (): number => now() - Date.parse(link()?.since_at ?? '');
  const is = (state: Link['state']): boolean => link()?.state === state;
  return (
    <Switch>
      <Match when={is('reconnecting') && away() >= NEWS_AFTER_MS}>
        <Callout tone="quiet" icon="sync" role="status">
          <b class="numbers">{t().box.link.reconnectingFor(elapsed(away()))}</b> · <Details task={props.task} />
        </Callout>
      </Match>
      <Match when={is('lost')}>
        <Callout tone="attention" role="status">
          <p>
            <b class="numbers">{t().box.link.lostSince(elapsed(away()))}</b> · <Details task={props.task} />
          </p>
          <Show when={link()?.reason}>{(reason) => <p>{sentences(reason())}</p>}</Show>
        </Callout>
      </Match>
      <Match when={is('ended') && props.task.state !== 'stopped' && props.task.state !== 'crashed'}>
        <Callout tone="quiet" icon="box">
          {t().box.link.ended}
        </Callout>
      </Match>
      <Match when={is('gone')}>
        <Callout tone="attention">
          <p>{t().box.link.gone}</p>
          <Show when={link()?.reason}>{(reason) => <p class="soft">{sentences(reason())}</p>}</Show>
        </Callout>
      </Match>
    </Switch>
  );
}

/** What was heard last, how often it was tried, and when next. */
function Details(props: { task: Task }) {
  const parts = (): string[] => {
    const { link, last_seq, updated_at } = props.task;
    const next = link?.next_try_at;
    return [
      t().box.link.lastHeard(link?.last_seq ?? last_seq, clockTime(updated_at, locale())),
      ...(link?.attempt ? [t().box.link.attempt(link.attempt)] : []),
      next === undefined ? t().box.link.trying : t().box.link.nextTry(elapsed(Math.max(0, Date.parse(next) - now()))),
    ];
  };
  return (
    <span class="soft numbers" title={[moment(props.task.updated_at, locale()), props.task.link?.reason, t().box.link.keeps].filter(Boolean).join('\n')}>
      {parts().join(' · ')}
    </span>
  );
}
