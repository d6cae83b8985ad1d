// Pairing this browser: by a one-time code in the address, or by one that is typed.
import { createSignal } from 'solid-js';
import { api } from '../../api/client';
import { ApiError } from '../../api/error';
import { Button } from '../../components/Button';
import { Field, Input } from '../../components/Field';
import { t } from '../../i18n';
import { messageOf } from '../../lib/message';
import { setSignedIn } from '../../state/link';
import './session.css';

/** Exchanges the code in the address for a cookie, and takes the code out of the address. */
export async function exchangeFromAddress(): Promise<void> {
  const found = new URLSearchParams(location.hash.slice(1)).get('code') ?? new URLSearchParams(location.search).get('code');
  if (found === null) return;
  history.replaceState(null, '', location.pathname);
  try {
    await api.exchange(found);
  } catch {
    // The code may have been used by this very browser before: the cookie decides.
  }
}

export function SignIn() {
  const [code, setCode] = createSignal('');
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  const pair = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await api.exchange(code().trim());
      setSignedIn(true);
    } catch (error) {
      setProblem(error instanceof ApiError && error.status === 401 ? t().session.wrong : messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main class="signin" id="main">
      <form onSubmit={(event) => void pair(event)}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>{t().session.title}</h1>
        <p>{t().session.text}</p>
        <p class="faint">
          {t().session.how} <code>paddock pair</code>
        </p>
        <Field label={t().session.code} hint={t().session.codeHint} problem={problem()}>
          {(ids) => <Input {...ids} class="code" value={code()} onInput={(event) => setCode(event.currentTarget.value)} autofocus required />}
        </Field>
        <Button type="submit" look="main" disabled={busy() || code().trim() === ''}>
          {busy() ? t().session.working : t().session.enter}
        </Button>
      </form>
    </main>
  );
}
