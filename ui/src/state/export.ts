// A conversation as plain text, to paste elsewhere.
import type { Row, ToolCall } from './rows';

export function conversationText(rows: readonly Row[]): string {
  return rows.map(rowText).filter((text) => text !== '').join('\n\n');
}

function rowText(row: Row): string {
  switch (row.kind) {
    case 'user':
      return `> ${row.text.replaceAll('\n', '\n> ')}`;
    case 'agent':
      return row.text;
    case 'past':
      return row.messages.map((one) => (one.by === 'user' ? `> ${one.text.replaceAll('\n', '\n> ')}` : one.by === 'tool' ? `[${one.text}]` : one.text)).join('\n\n');
    case 'tool':
      return `[${callText(row.call)}]`;
    case 'reads':
      return row.calls.map((call) => `[${callText(call)}]`).join('\n');
    case 'plan':
      return row.plan.text;
    case 'question':
      return `? ${row.question.text}`;
    case 'error':
      return `! ${row.message}`;
    default:
      return '';
  }
}

function callText(call: ToolCall): string {
  return `${call.name} ${call.command ?? call.path ?? ''}`.trim();
}

/** Most characters of a row's plain words. */
const PLAIN_MAX = 1200;

/** What a row says in a few plain words, for somebody who leafs through. */
export function plainText(row: Row | undefined): string {
  if (row === undefined) return '';
  if (row.kind === 'user') return row.text.slice(0, PLAIN_MAX);
  return rowText(row).replace(/^\[|\]$/g, '').slice(0, PLAIN_MAX);
}

/** The words of a row that a search looks through. */
export function searchText(row: Row): string {
  if (row.kind === 'tool') return `${callText(row.call)} ${row.call.end?.output ?? ''} ${row.call.end?.patch ?? ''}`;
  if (row.kind === 'reads') return row.calls.map(callText).join(' ');
  if (row.kind === 'thinking') return row.text;
  if (row.kind === 'commit') return `${row.subject} ${row.commit}`;
  if (row.kind === 'notice') return row.text;
  if (row.kind === 'retry') return row.retry.reason;
  return rowText(row);
}
