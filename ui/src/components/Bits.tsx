// Small parts without a file of their own: empty states, callouts, failures, problems, meters, counts of lines, ages.
import { Show, createMemo, type JSX } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { since } from '../lib/clock';
import { age, moment, splitPath } from '../lib/format';
import { causeOf, messageOf } from '../lib/message';
import { locale, t } from '../i18n';
import { Icon, type IconName } from './Icon';
import type { StatusTone } from './Status';

/** Nothing here, and what to do next; `main` where the page has no other heading. */
export function Empty(props: { title: string; text?: string; main?: boolean; children?: JSX.Element }) {
  return (
    <div class="empty">
      <Dynamic component={props.main ? 'h1' : 'h2'}>{props.title}</Dynamic>
      <Show when={props.text}>
        <p>{props.text}</p>
      </Show>
      {props.children}
    </div>
  );
}

export function Callout(props: { tone: StatusTone; icon?: IconName; children: JSX.Element; role?: 'alert' | 'status' }) {
  return (
    <div class="callout" data-tone={props.tone} role={props.role}>
      <Icon name={props.icon ?? 'warning'} />
      <div style={{ 'min-width': 0, flex: 1 }}>{props.children}</div>
    </div>
  );
}

/** Why something that was asked for is not there, and what that was; nothing where nothing failed. */
export function Failed(props: { of: unknown; what?: string }) {
  return (
    <Show when={props.of}>
      {(error) => (
        <Callout tone="failure">
          {props.what === undefined ? '' : `${props.what}: `}
          {props.what === undefined ? messageOf(error()) : causeOf(error())}
        </Callout>
      )}
    </Show>
  );
}

/** What went wrong with what the user has just done; nothing where nothing did. */
export function Problem(props: { text: string | undefined }) {
  return (
    <Show when={props.text}>
      {(text) => (
        <Callout tone="failure" role="alert">
          {text()}
        </Callout>
      )}
    </Show>
  );
}

/** The parts of a path in one line, in an element of the class `pathcut`: its end stays in view, and what has no room is
    cut from its directory. */
export function PathParts(props: { path: string; name?: (name: string) => JSX.Element }) {
  const parts = createMemo(() => splitPath(props.path));
  return (
    <>
      <Show when={parts().dir}>{(dir) => <span class="pathdir">{dir()}</span>}</Show>
      {props.name?.(parts().name) ?? <span>{parts().name}</span>}
    </>
  );
}

/** A share from 0 to 1; high shares stand out. */
export function Meter(props: { share: number; label: string }) {
  const whole = (): number => Math.round(Math.min(1, Math.max(0, props.share)) * 100);
  return (
    <span class="meter" role="meter" aria-label={props.label} aria-valuemin="0" aria-valuemax="100" aria-valuenow={whole()} data-high={whole() >= 80 ? '' : undefined}>
      <i style={{ width: `${whole()}%` }} />
    </span>
  );
}

/** Lines added and removed. */
export function PlusMinus(props: { added: number; removed: number }) {
  return (
    <Show when={props.added + props.removed > 0}>
      <span class="plusminus">
        <span class="plus" aria-label={t().review.added(props.added)} role="img">
          +{props.added}
        </span>
        <span class="minus" aria-label={t().review.removed(props.removed)} role="img">
          −{props.removed}
        </span>
      </span>
    </Show>
  );
}

/** How long ago, with the point in time on hover. */
export function Ago(props: { at: string }) {
  return (
    <time class="numbers" datetime={props.at} title={moment(props.at, locale())}>
      {age(since(props.at), t().app.now)}
    </time>
  );
}
