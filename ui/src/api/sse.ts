// Server-sent events out of bytes, after the WHATWG specification: lines end with CR, LF or both, a
// blank line ends an event, lines that begin with a colon are comments. Feed it text as it arrives.

export interface ServerEvent {
  /** Its name; `message` where none was given. */
  name: string;
  data: string;
  /** The cursor that it moves to, where it moves it. */
  id: string | undefined;
}

/** Longest event taken, in characters; a longer one breaks the stream. */
export const EVENT_MAX = 32 * 1024 * 1024;

export class SseParser {
  private rest = '';
  private name = '';
  private data: string[] = [];
  private size = 0;
  private id: string | undefined;

  /** The events that `text` completes. */
  feed(text: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    const all = this.rest + text;
    const hasCr = all.includes('\r');
    let from = 0;
    for (;;) {
      const end = lineEnd(all, from, hasCr);
      if (!end) break;
      this.line(all.slice(from, end.at), events);
      from = end.next;
    }
    this.rest = all.slice(from);
    if (this.rest.length + this.size > EVENT_MAX) throw new Error('an event is too long');
    return events;
  }

  private line(line: string, events: ServerEvent[]): void {
    if (line === '') return this.dispatch(events);
    if (line.startsWith(':')) return;
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const raw = colon === -1 ? '' : line.slice(colon + 1);
    const value = raw.startsWith(' ') ? raw.slice(1) : raw;
    if (field === 'event') this.name = value;
    else if (field === 'data') {
      this.data.push(value);
      this.size += value.length;
    } else if (field === 'id' && !value.includes('\0')) this.id = value;
  }

  private dispatch(events: ServerEvent[]): void {
    if (this.data.length > 0) {
      events.push({ name: this.name === '' ? 'message' : this.name, data: this.data.join('\n'), id: this.id });
    }
    this.name = '';
    this.data = [];
    this.size = 0;
    this.id = undefined;
  }
}

/** The next complete line; a CR at the very end may be half of CRLF and waits for more. */
function lineEnd(text: string, from: number, hasCr: boolean): { at: number; next: number } | undefined {
  const lf = text.indexOf('\n', from);
  const cr = hasCr ? text.indexOf('\r', from) : -1;
  if (cr === -1 || (lf !== -1 && lf < cr)) return lf === -1 ? undefined : { at: lf, next: lf + 1 };
  if (cr === text.length - 1) return undefined;
  return { at: cr, next: text[cr + 1] === '\n' ? cr + 2 : cr + 1 };
}
