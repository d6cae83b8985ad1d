// An address that leads nowhere.
import { A } from '@solidjs/router';
import { Empty } from '../components/Bits';
import { t } from '../i18n';

export default function NotFoundPage() {
  return (
    <main id="main" class="main" tabindex="-1">
      <Empty main title={t().app.notFound} text={t().app.notFoundText}>
        <A href="/" class="button">
          {t().nav.inbox}
        </A>
      </Empty>
    </main>
  );
}
