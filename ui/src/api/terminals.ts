// The one WebSocket of this page through which all its terminals are seen and typed on. It connects when the
// first is looked at, again and again when it is lost, and not at all when none is. A terminal that is looked
// at again is given its screen, so nothing is remembered here.
import { BASE } from './http';
import type { ErrorDetail, RunExit, Terminal, TerminalSay, TerminalSize, TerminalTell } from './types';

const PAUSE_FIRST_MS = 250;
const PAUSE_LAST_MS = 5_000;
/** Bytes dealt with that are told in one go, and how long smaller ones wait. */
const ACK_BYTES = 32 << 10;
const ACK_MS = 100;
/** Keys in one message. */
const KEYS = 16 << 10;
const CHANNELS = 16;
/** Presses that wait for a terminal to be there. */
const EARLY = 1024;

/** What somebody who looks at a terminal is told. */
export interface Onlooker {
  opened: (terminal: Terminal) => void;
  /** Forget what was shown: the bytes that follow draw an empty terminal of this size. */
  screen: (size: TerminalSize) => void;
  /** Output; `done` says that it is drawn. */
  output: (bytes: Uint8Array, done: () => void) => void;
  resized: (size: TerminalSize) => void;
  exit: (exit: RunExit) => void;
  /** Something is refused; unless it is `overloaded`, no more comes. */
  refused: (error: ErrorDetail) => void;
  /** Whether what is typed arrives just now. */
  connected: (is: boolean) => void;
}

/** A look at a terminal. */
export interface Look {
  type: (keys: Uint8Array) => void;
  resize: (size: TerminalSize) => void;
  end: () => void;
}

interface Channel {
  task: string;
  terminal: string;
  onlooker: Onlooker;
  unsaid: number;
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** What was typed before the terminal was there for the first time; nothing afterwards. */
  early?: Uint8Array[] | undefined;
}

export class TerminalSocket {
  #socket: WebSocket | undefined;
  #channels = new Map<number, Channel>();
  #pause = PAUSE_FIRST_MS;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly connect: () => WebSocket = dial) {}

  /** Looks at a terminal until the look is ended or the terminal is over. */
  look(task: string, terminal: string, onlooker: Onlooker): Look {
    const number = this.#free();
    const channel: Channel = { task, terminal, onlooker, unsaid: 0, early: [] };
    this.#channels.set(number, channel);
    if (this.#isOpen()) this.#say({ type: 'open', channel: number, task, terminal });
    else this.#dial();
    return {
      type: (keys) => this.#type(number, channel, keys),
      resize: (size) => {
        if (this.#channels.get(number) === channel) this.#say({ type: 'resize', channel: number, size });
      },
      end: () => {
        if (this.#channels.get(number) !== channel) return;
        this.#say({ type: 'close', channel: number });
        this.#forget(number);
      },
    };
  }

  #free(): number {
    for (let number = 1; number <= CHANNELS; number += 1) if (!this.#channels.has(number)) return number;
    throw new Error('too many terminals are shown');
  }

  #forget(number: number): void {
    clearTimeout(this.#channels.get(number)?.timer);
    this.#channels.delete(number);
    if (this.#channels.size > 0) return;
    clearTimeout(this.#again);
    this.#socket?.close();
    this.#socket = undefined;
  }

  #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #dial(): void {
    if (this.#socket) return;
    const socket = this.connect();
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.onopen = () => {
      for (const [number, { task, terminal }] of this.#channels) this.#say({ type: 'open', channel: number, task, terminal });
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') this.#told(JSON.parse(data) as TerminalTell);
      else this.#output(new Uint8Array(data));
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      for (const { onlooker } of this.#channels.values()) onlooker.connected(false);
      if (this.#channels.size === 0) return;
      this.#again = setTimeout(() => this.#dial(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, PAUSE_LAST_MS);
    };
  }

  #told(told: TerminalTell): void {
    const channel = this.#channels.get(told.channel);
    if (!channel) return;
    const { onlooker } = channel;
    switch (told.type) {
      case 'opened':
        this.#pause = PAUSE_FIRST_MS;
        onlooker.connected(true);
        onlooker.opened(told.terminal);
        return this.#catchUp(told.channel, channel);
      case 'screen':
        onlooker.connected(true);
        return onlooker.screen(told.size);
      case 'resized':
        return onlooker.resized(told.size);
      case 'reconnecting':
        return onlooker.connected(false);
      case 'exit':
        this.#forget(told.channel);
        return onlooker.exit(told.exit);
      case 'error':
        if (told.error.code !== 'overloaded') this.#forget(told.channel);
        return onlooker.refused(told.error);
    }
  }

  #output(message: Uint8Array): void {
    const number = message[0] ?? 0;
    const channel = this.#channels.get(number);
    const bytes = message.subarray(1);
    channel?.onlooker.output(bytes, () => this.#drawn(number, channel, bytes.length));
  }

  #drawn(number: number, channel: Channel, bytes: number): void {
    if (this.#channels.get(number) !== channel) return;
    channel.unsaid += bytes;
    const tell = (): void => {
      clearTimeout(channel.timer);
      channel.timer = undefined;
      if (channel.unsaid > 0) this.#say({ type: 'ack', channel: number, bytes: channel.unsaid });
      channel.unsaid = 0;
    };
    if (channel.unsaid >= ACK_BYTES) tell();
    else channel.timer ??= setTimeout(tell, ACK_MS);
  }

  /** What is typed before the terminal is there waits for it. What is typed while the connection is lost goes
      with it, as the terminal says that it is not connected. */
  #type(number: number, channel: Channel, keys: Uint8Array): void {
    if (this.#channels.get(number) !== channel) return;
    if (channel.early) {
      if (channel.early.length < EARLY) channel.early.push(keys);
      return;
    }
    if (!this.#isOpen()) return;
    for (let at = 0; at < keys.length; at += KEYS) {
      const piece = keys.subarray(at, at + KEYS);
      const message = new Uint8Array(piece.length + 1);
      message[0] = number;
      message.set(piece, 1);
      this.#socket?.send(message);
    }
  }

  #catchUp(number: number, channel: Channel): void {
    const { early } = channel;
    channel.early = undefined;
    for (const keys of early ?? []) this.#type(number, channel, keys);
  }

  #say(say: TerminalSay): void {
    if (this.#isOpen()) this.#socket?.send(JSON.stringify(say));
  }
}

function dial(): WebSocket {
  const url = new URL(`${BASE}/terminals`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url);
}

/** The socket of this page. */
export const terminalSocket = new TerminalSocket();
