// A button that installs an agent program and says how far it is; what went wrong stays until it is tried again.
import { Show } from 'solid-js';
import { Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { t } from '../../i18n';
import { harnessTitle } from '../../state/harness';
import { install, installProblem, installStep } from '../../state/install';

export function Install(props: { harness: string; onDone: () => void }) {
  const step = (): string | undefined => installStep(props.harness);
  const problem = (): string | undefined => installProblem(props.harness);
  const word = (): string => (problem() === undefined ? t().hosts.install : t().hosts.installAgain);
  // The button stays one that has the focus: a disabled one would lose it to nobody.
  const start = async (): Promise<void> => {
    if (step() !== undefined) return;
    const done = props.onDone;
    if ((await install(props.harness)) === undefined) done();
  };
  return (
    <span class="install">
      <Show when={step()}>
        {(text) => (
          <span class="faint" role="status">
            {text()}
          </span>
        )}
      </Show>
      <Problem text={problem()} />
      <Button aria-disabled={step() !== undefined ? 'true' : undefined} aria-label={`${word()}: ${harnessTitle(props.harness)}`} onClick={() => void start()}>
        {word()}
      </Button>
    </span>
  );
}
