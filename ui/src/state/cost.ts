// What something cost, as it is said everywhere: an estimate says that it is one, and a part that it is a part.
import type { Cost } from '../api/types';
import { t } from '../i18n';
import { money } from '../lib/format';

/** The figure: `$1.50`, `≈ $1.50`, `≈ at least $1.50`. */
export function costText({ usd, source, partial }: Cost): string {
  const figure = partial === true ? t().task.atLeast(money(usd)) : money(usd);
  return source === 'estimated' ? `≈ ${figure}` : figure;
}

/** Where the figure is from and what it leaves out, for whoever points at it. */
export function costTitle({ source, partial }: Cost): string {
  return partial === true ? `${t().task[source]}. ${t().task.partial}` : t().task[source];
}
