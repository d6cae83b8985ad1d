// What was: journals and comparisons.
import { useParams } from '@solidjs/router';
import { Show, createSignal } from 'solid-js';
import { Groups } from '../features/history/Groups';
import { Journals } from '../features/history/Journals';
import { JournalDialog } from '../features/task/JournalDialog';
import { Tabs } from '../components/Tabs';
import { t } from '../i18n';

export default function HistoryPage() {
  const params = useParams<{ part?: string }>();
  const [looked, setLooked] = createSignal<string>();
  const groups = (): boolean => params.part === 'comparisons';
  return (
    <main id="main" class="main" tabindex="-1">
      <div class="pagehead">
        <h1>{t().history.title}</h1>
      </div>
      <Tabs
        label={t().history.parts}
        tabs={[
          { href: '/history', label: t().history.journals.title, current: !groups() },
          { href: '/history/comparisons', label: t().history.groups.title, current: groups() },
        ]}
      />
      <Show when={groups()} fallback={<Journals onLook={setLooked} looked={looked() !== undefined} />}>
        <Groups />
      </Show>
      <Show when={looked()} keyed>
        {(id) => <JournalDialog id={id} onClose={() => setLooked(undefined)} />}
      </Show>
    </main>
  );
}
