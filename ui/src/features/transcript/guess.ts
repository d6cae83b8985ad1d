// How high a row will be, roughly: near enough that the scrollbar hardly moves when rows are measured.
import type { Row } from '../../state/rows';

const LINE = 20;
const COLUMNS = 96;
/** Lines of a user's message that are shown at first, as in `transcript.css`. */
const SAID_LINES = 8;

export function guessHeight(row: Row | undefined): number {
  switch (row?.kind) {
    case undefined:
    case 'nothing':
      return 0;
    case 'agent':
      return 16 + LINE * linesOf(row.text);
    case 'user':
      return 52 + LINE * (isLong(row.text) ? SAID_LINES + 1 : linesOf(row.text));
    case 'tool':
      return row.call.end?.failed ? 28 + Math.min(12, linesOf(row.call.end.output ?? '')) * 18 : row.call.end?.patch ? 60 + 20 * linesOf(row.call.end.patch) : 28;
    case 'turn':
      return 44;
    case 'question':
      return row.answer === undefined ? 0 : 50;
    case 'approval':
      return row.decision === undefined ? 0 : 50;
    case 'plan':
      return row.decision === undefined ? 0 : 26;
    case 'error':
      return 84;
    default:
      return 28;
  }
}

/** Whether of a user's message only the beginning is shown at first: two lines more are no reason. */
export function isLong(text: string): boolean {
  return linesOf(text) > SAID_LINES + 2;
}

/** Lines that a text takes, roughly. */
function linesOf(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return Math.max(count, Math.ceil(text.length / COLUMNS));
}
