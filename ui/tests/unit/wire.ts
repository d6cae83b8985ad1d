// A WebSocket of the tests' own: nothing goes anywhere, what is sent is kept, what comes is said by the test.
import type { TerminalTell } from '../../src/api/types';

export class Wire {
  static readonly OPEN = 1;
  static all: Wire[] = [];
  readyState = 0;
  binaryType = '';
  sent: (string | Uint8Array)[] = [];
  onopen: (() => void) | undefined;
  onclose: (() => void) | undefined;
  onmessage: ((event: { data: unknown }) => void) | undefined;

  constructor() {
    Wire.all.push(this);
  }
  send(message: string | Uint8Array): void {
    this.sent.push(message);
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  tell(told: TerminalTell): void {
    this.onmessage?.({ data: JSON.stringify(told) });
  }
  show(channel: number, text: string): void {
    this.onmessage?.({ data: Uint8Array.from([channel, ...new TextEncoder().encode(text)]).buffer });
  }
  said(): unknown[] {
    return this.sent.filter((one) => typeof one === 'string').map((one) => JSON.parse(one as string) as unknown);
  }
}
