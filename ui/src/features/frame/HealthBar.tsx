// How the server is, where that matters: what it still reads after its start, and a disk without room.
import { Show } from 'solid-js';
import { t } from '../../i18n';
import { bytes } from '../../lib/format';
import { health, openPhases } from '../../state/health';

export function HealthBar() {
  const disk = () => {
    const now = health()?.disk;
    return now && now.state !== 'ok' ? now : undefined;
  };
  const phases = (): string => openPhases().map((name) => t().box.health.phases[name] ?? name).join(', ');
  return (
    <>
      <Show when={disk()}>
        {(now) => (
          <div class="linkbar" data-tone={now().state === 'full' ? 'failure' : 'attention'} role="alert">
            <b>{now().state === 'full' ? t().box.health.full : t().box.health.low}.</b>{' '}
            {(now().state === 'full' ? t().box.health.fullText : t().box.health.lowText)(bytes(now().free_bytes ?? 0))}
          </div>
        )}
      </Show>
      <Show when={health()?.loading}>
        <div class="linkbar" data-tone="quiet" role="status">
          <b>{t().box.health.loading}</b> <Show when={phases() !== ''}>{phases()} …</Show>
        </div>
      </Show>
    </>
  );
}
