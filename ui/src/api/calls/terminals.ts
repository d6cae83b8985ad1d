// Calls around terminals in boxes. What is seen and typed goes through their socket.
import { get, post, send, taskPath } from '../http';
import type * as wire from '../types';

export const terminalCalls = {
  terminals: (id: string) => get<wire.TerminalList>(taskPath(id, '/terminals')),
  openTerminal: (id: string, request: wire.TerminalRequest) => post<wire.Terminal>(taskPath(id, '/terminals'), request),
  closeTerminal: (id: string, name: string) => send<wire.TerminalClosed>('DELETE', taskPath(id, `/terminals/${encodeURIComponent(name)}`)),
};
