// A shell for journeys with the fake server: what is seen and typed in its terminals goes through their socket,
// which is answered here. It echoes, knows `echo`, `stty size`, `exit N`, and `hang up` of a connection.
const TEXT = new TextDecoder();
const BYTES = new TextEncoder();
const PROMPT = '$ ';

/** Answers the terminals of `page`; what was typed, the sizes it was told, and ways to break it. */
export async function shellOn(page) {
  const shell = { typed: '', sizes: [], sockets: [], opened: 0, away: false, screens: new Map(), hangUp: () => shell.sockets.splice(0).forEach((one) => one.close()) };
  await page.routeWebSocket(/\/terminals$/, (socket) => {
    if (shell.away) return socket.close();
    shell.sockets.push(socket);
    const channels = new Map();
    socket.onMessage((message) => (typeof message === 'string' ? said(shell, socket, channels, JSON.parse(message)) : type(shell, socket, channels, message)));
  });
  return shell;
}

const tell = (socket, told) => socket.send(JSON.stringify(told));
const show = (socket, channel, text) => socket.send(Buffer.from([channel, ...BYTES.encode(text)]));

function said(shell, socket, channels, { type: what, channel, terminal, size }) {
  if (what === 'open') {
    shell.opened += 1;
    const known = shell.screens.get(terminal) ?? { name: terminal, line: '', text: PROMPT, size: { rows: 24, cols: 80 } };
    shell.screens.set(terminal, known);
    channels.set(channel, known);
    tell(socket, { type: 'opened', channel, terminal: { name: terminal, what: 'shell', program: '/bin/bash', size: known.size, opened_at: '2026-11-22T00:00:00.000Z' } });
    tell(socket, { type: 'screen', channel, size: known.size, bytes: known.text.length });
    show(socket, channel, known.text);
  }
  const known = channels.get(channel);
  if (what === 'resize' && known) {
    known.size = size;
    shell.sizes.push(size);
    tell(socket, { type: 'resized', channel, size });
  }
}

function type(shell, socket, channels, message) {
  const known = channels.get(message[0]);
  const text = TEXT.decode(message.subarray(1));
  shell.typed += text;
  const out = (more) => {
    known.text += more;
    show(socket, message[0], more);
  };
  for (const key of text) {
    if (key !== '\r') {
      known.line += key;
      out(key);
      continue;
    }
    const line = known.line;
    known.line = '';
    out(`\r\n${answer(line, known.size)}`);
    const ends = /^exit (\d+)$/.exec(line);
    if (ends) tell(socket, { type: 'exit', channel: message[0], exit: { how: 'code', code: Number(ends[1]) } });
    else out(PROMPT);
  }
}

function answer(line, { rows, cols }) {
  if (line === 'stty size') return `${rows} ${cols}\r\n`;
  return line.startsWith('echo ') ? `${line.slice(5)}\r\n` : '';
}
