// That a list which is chosen from could not be read, why, and another try; nothing where it could. Without it a list
// that is not known looks like one that is empty.
import { Show } from 'solid-js';
import { t } from '../i18n';
import type { Asked } from '../lib/asked';
import { causeOf } from '../lib/message';
import { Callout } from './Bits';
import { Button } from './Button';

export function Unread(props: { list: Asked<unknown>; what: string }) {
  return (
    <Show when={props.list.error}>
      {(error) => (
        <Callout tone="failure" role="status">
          {t().app.unread(props.what)}: {causeOf(error())}{' '}
          <Button look="bare" disabled={props.list.loading} onClick={() => props.list.again()}>
            {t().app.retry}
          </Button>
        </Callout>
      )}
    </Show>
  );
}
