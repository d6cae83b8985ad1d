// Parts of one thing, each with an address of its own.
import { For, Show, type JSX } from 'solid-js';

export interface Tab {
  href: string;
  label: string;
  count?: number | undefined;
  current: boolean;
}

/** `end` stands at the other end of the line. */
export function Tabs(props: { label: string; tabs: Tab[]; end?: JSX.Element }) {
  return (
    <nav class="tabs" aria-label={props.label}>
      <For each={props.tabs}>
        {(tab) => (
          <a href={tab.href} aria-current={tab.current ? 'page' : undefined}>
            {tab.label}
            <Show when={tab.count}>
              <span class="count">{tab.count}</span>
            </Show>
          </a>
        )}
      </For>
      <Show when={props.end}>
        <span class="tabsend">{props.end}</span>
      </Show>
    </nav>
  );
}
