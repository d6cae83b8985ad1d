// A jump to the event that the address names (`?at=<number>`): shown as soon as its row is told.
import { useSearchParams } from '@solidjs/router';
import { createEffect, createMemo, createSignal, on } from 'solid-js';
import { t } from '../../i18n';
import type { Row } from '../../state/rows';
import type { OpenTranscript } from '../../state/transcripts';
import { toast } from '../../state/toasts';

export function useJump(open: OpenTranscript, show: (index: number) => void): void {
  const [params] = useSearchParams<{ at?: string }>();
  const wanted = createMemo(() => {
    const seq = Number(params.at);
    return Number.isInteger(seq) && seq > 0 ? seq : undefined;
  });
  const [done, setDone] = createSignal<number>();
  createEffect(
    on([wanted, open.ready, open.whole, () => open.transcript().rows], ([seq, ready, whole, rows]) => {
      if (seq === undefined || done() === seq || !ready || rows.length === 0) return;
      const isTold = whole || (rows[0]?.seq ?? Infinity) <= seq;
      if (!isTold) return;
      setDone(seq);
      const index = rowOf(rows, seq);
      if (index === undefined) toast(t().around.search.notThere);
      // The list is laid out first.
      else requestAnimationFrame(() => show(index));
    }),
  );
}

/** The row that shows event `seq`: the one that began with it, or the last before it. */
export function rowOf(rows: readonly Row[], seq: number): number | undefined {
  let last: number | undefined;
  for (const [index, row] of rows.entries()) {
    if (seqsOf(row).includes(seq)) return index;
    if (row.kind !== 'nothing' && row.seq <= seq) last = index;
  }
  return last;
}

function seqsOf(row: Row): number[] {
  if (row.kind === 'tool') return [row.seq, row.call.seq, ...row.call.children.flatMap(seqsOf)];
  if (row.kind === 'reads') return row.calls.map((call) => call.seq);
  return row.kind === 'nothing' ? [] : [row.seq];
}
