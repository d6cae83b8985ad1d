// A part of the page that may break without breaking the rest: what went wrong is said in its place.
import { ErrorBoundary, type JSX } from 'solid-js';
import { t } from '../i18n';
import { causeOf } from '../lib/message';
import { Callout } from './Bits';
import { Button } from './Button';

export function Safe(props: { children: JSX.Element; again?: boolean }) {
  return (
    <ErrorBoundary
      fallback={(error: unknown, reset) => (
        <Callout tone="failure" role="alert">
          {t().app.failed}: {causeOf(error)}{' '}
          {props.again && <Button onClick={reset}>{t().app.retry}</Button>}
        </Callout>
      )}
    >
      {props.children}
    </ErrorBoundary>
  );
}
