// How high a row will be, roughly: near enough that the scrollbar hardly moves when rows are measured.
import type { Row } from '../../state/rows';

const LINE = 20;
const COLUMNS = 96;

export function guessHeight(row: Row | undefined): number {
  switch (row?.kind) {
    case undefined:
    case 'nothing':
      return 0;
    case 'agent':
      return 16 + LINE * lines(row.text);
    case 'user':
      return 52 + LINE * Math.min(12, lines(row.text));
    case 'tool':
      return row.call.end?.failed ? 28 + Math.min(12, lines(row.call.end.output ?? '')) * 18 : row.call.end?.patch ? 60 + 20 * lines(row.call.end.patch) : 28;
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

function lines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return Math.max(count, Math.ceil(text.length / COLUMNS));
}
