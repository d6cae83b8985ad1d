// The texts around terminals in English.
type Exit = { how: 'code'; code: number } | { how: 'signal'; signal: number } | { how: 'not_started' } | { how: 'lost' };

export const enTerminal = {
  tab: 'Terminal',
  title: 'Terminals',
  shell: 'New shell',
  agent: (harness: string) => `Open ${harness} itself`,
  agentBusy: 'The agent has the session: stop the task first.',
  show: (name: string) => `Show ${name}`,
  noFolder: 'The folder of this box is not on this machine.',
  close: (name: string) => `Close ${name}`,
  none: 'No terminal is open',
  noneText: 'A shell runs in the box, beside the agent. It goes on when this page is closed.',
  screen: (name: string) => `Terminal ${name}`,
  reconnecting: 'Reconnecting. The terminal goes on; its screen comes back.',
  leave: 'Shift+Esc leaves the terminal. Tab belongs to the program.',
  keys: 'Keys',
  ended: (exit: Exit) => (exit.how === 'code' ? `ended, ${exit.code}` : exit.how === 'signal' ? `ended by signal ${exit.signal}` : exit.how === 'lost' ? 'lost' : 'not started'),
  copyPath: 'Copy the folder’s path',
  openEditor: 'Open in editor',
  openFolder: 'Open folder',
};
