// This browser's session, and a way to let another browser in: an address, and the code in it, good once.
import { Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { PairingCode } from '../../api/types';
import { Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Field, Input } from '../../components/Field';
import { locale, t } from '../../i18n';
import { clockTime } from '../../lib/format';
import { createAttempt } from '../../state/attempt';
import { copyText } from '../../state/copy';
import { setSignedIn } from '../../state/link';

export function SessionSettings() {
  const [pairing, setPairing] = createSignal<PairingCode>();
  const making = createAttempt();
  const make = (): Promise<boolean> => making.run(async () => setPairing(await api.pairingCode()));
  const address = (made: PairingCode): string => new URL(made.path, location.origin).href;
  const leaving = createAttempt();
  const signOut = (): Promise<boolean> =>
    leaving.run(async () => {
      await api.signOut();
      setSignedIn(false);
    });
  const words = (): ReturnType<typeof t>['journal']['pair'] => t().journal.pair;
  return (
    <>
      <Show when={pairing()}>
        {(made) => (
          <div class="pairing">
            <Field label={words().hint} hint={`${words().until(clockTime(made().expires_at, locale()))} ${words().code}: ${made().code}`}>
              {(ids) => <Input {...ids} class="code" readonly value={address(made())} onFocus={(event) => event.currentTarget.select()} />}
            </Field>
            <Button icon="copy" onClick={() => void copyText(address(made()))}>
              {words().copy}
            </Button>
          </div>
        )}
      </Show>
      <div class="lineactions">
        <Button disabled={making.busy()} onClick={() => void make()}>
          {words().make}
        </Button>
        <Button disabled={leaving.busy()} onClick={() => void signOut()}>{t().session.signOut}</Button>
      </div>
      <Problem text={making.problem() ?? leaving.problem()} />
    </>
  );
}
