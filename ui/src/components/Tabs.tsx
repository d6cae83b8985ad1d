// Parts of one thing, each with an address of its own.
import { For, Show } from 'solid-js';

export interface Tab {
  href: string;
  label: string;
  count?: number | undefined;
  current: boolean;
}

export function Tabs(props: { label: string; tabs: Tab[] }) {
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
    </nav>
  );
}
