// Text for the clipboard; whether it went there is told.
import { t } from '../i18n';
import { toClipboard } from '../lib/clipboard';
import { causeOf } from '../lib/message';
import { toast, toastFailure } from './toasts';

export async function copyText(text: string): Promise<void> {
  try {
    await toClipboard(text);
    toast(t().app.copied);
  } catch (error) {
    toastFailure(`${t().app.failed}: ${causeOf(error)}`);
  }
}
