// The shared worker: its switchboard follows the stream of all tasks for every tab of this browser.
import { follow } from './stream';
import { Switchboard } from './switchboard';

const boards = new Map<string, Switchboard>();

/** What a tab asks for; a second question of the same tab ends the first. */
export interface Asks {
  /** Address of the stream; empty when the tab goes. */
  url: string;
}

self.addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  let joined: Switchboard | undefined;
  port.onmessage = ({ data }: MessageEvent<Asks>) => {
    joined?.leave(port);
    joined = undefined;
    if (data.url === '') return;
    joined = boards.get(data.url) ?? new Switchboard(data.url, follow);
    boards.set(data.url, joined);
    joined.join(port);
  };
});
