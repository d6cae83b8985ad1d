// The frame of every page: what needs the user on the left, the page beside it. On narrow windows the
// left side is a sheet, on a phone a bar at the bottom goes to the main places.
import { A, useLocation } from '@solidjs/router';
import { Show, createEffect, createSignal, on, type JSX } from 'solid-js';
import { cancel, closeBeside } from '../../components/Dialog';
import { Icon, type IconName } from '../../components/Icon';
import { t } from '../../i18n';
import { grouped } from '../../state/tasks';
import { HealthBar } from './HealthBar';
import { LinkBar } from './LinkState';
import { Sidebar } from './Sidebar';
import './frame.css';

export function Frame(props: { onSearch: () => void; children: JSX.Element }) {
  const location = useLocation();
  const [sheet, setSheet] = createSignal(false);
  createEffect(on(() => location.pathname, () => setSheet(false)));
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById('main')?.focus())}>
        {t().app.skip}
      </a>
      <div class="side">
        <Sidebar onSearch={props.onSearch} />
      </div>
      <div class="page">
        <LinkBar />
        <HealthBar />
        {props.children}
      </div>
      <nav class="bottombar" aria-label={t().nav.main}>
        <Place href="/" icon="inbox" label={t().nav.inbox} count={grouped().needs_you.length} />
        <button type="button" onClick={() => setSheet(true)} aria-expanded={sheet()}>
          <Icon name="list" />
          <span>{t().nav.menu}</span>
        </button>
        <Place href="/new" icon="plus" label={t().nav.newTask} />
        <Place href="/settings" icon="settings" label={t().nav.settings} />
      </nav>
      <button type="button" class="sheetbutton button" data-look="bare" data-icon="" aria-label={t().nav.menu} aria-expanded={sheet()} onClick={() => setSheet(true)}>
        <Icon name="sidebar" />
      </button>
      <Show when={sheet()}>
        <Sheet onClose={() => setSheet(false)} onSearch={props.onSearch} />
      </Show>
    </div>
  );
}

function Place(props: { href: string; icon: IconName; label: string; count?: number }) {
  return (
    <A href={props.href} end={props.href !== '/settings'} activeClass="here">
      <Icon name={props.icon} />
      <span>{props.label}</span>
      <Show when={props.count}>
        <span class="badge">{props.count}</span>
      </Show>
    </A>
  );
}

function Sheet(props: { onClose: () => void; onSearch: () => void }) {
  const search = (): void => {
    props.onClose();
    props.onSearch();
  };
  return (
    <dialog class="sheet" aria-label={t().nav.menu} ref={(element) => queueMicrotask(() => element.isConnected && element.showModal())} onCancel={(event) => cancel(event, props.onClose)} onClick={(event) => closeBeside(event, props.onClose)}>
      <Sidebar onSearch={search} onClose={props.onClose} />
    </dialog>
  );
}

