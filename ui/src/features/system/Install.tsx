// A button that installs an agent program and says how far it is.
import { Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import { Button } from '../../components/Button';
import { toastFailure } from '../../state/toasts';
import { t } from '../../i18n';
import { messageOf } from '../../lib/message';

export function Install(props: { harness: string; onDone: () => void }) {
  const [step, setStep] = createSignal<string>();
  const install = async (): Promise<void> => {
    setStep(t().hosts.installing);
    try {
      await api.install(props.harness, setStep);
      props.onDone();
    } catch (error) {
      toastFailure(messageOf(error));
    } finally {
      setStep(undefined);
    }
  };
  return (
    <span class="install">
      <Show when={step()}>
        <span class="faint" role="status">
          {step()}
        </span>
      </Show>
      <Button disabled={step() !== undefined} onClick={() => void install()}>
        {t().hosts.install}
      </Button>
    </span>
  );
}
