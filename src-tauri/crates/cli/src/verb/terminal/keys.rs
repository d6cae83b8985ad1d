//! The terminal that we run in: its keys as they are pressed, its size, and its state as we found it.
//!
//! Invariant: however we end, but by a signal that cannot be caught, the terminal is given back as it was.

use std::io::{IsTerminal as _, Read as _, Write as _};

use anyhow::{Context as _, Result};
use bytes::Bytes;
use paddock_domain::TerminalSize;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

/// Leaves the terminal: Ctrl-].
const LEAVE: u8 = 0x1d;

/// What ends the input of a program that reads lines: Ctrl-D.
const END: &[u8] = b"\x04";

/// Keys in one piece, in bytes.
const PIECE: usize = 4096;

/// Pieces that may wait.
const AHEAD: usize = 16;

/// What comes from the user.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    /// Keys for the program.
    Keys(Bytes),
    /// The terminal has another size.
    Resized(TerminalSize),
    /// The user leaves.
    Leave,
}

/// See the head of this file.
pub(super) struct Keys {
    before: Option<Termios>,
    pieces: mpsc::Receiver<Bytes>,
    resized: Signal,
    left: bool,
    ended: bool,
}

impl Keys {
    /// Takes the keys of a terminal as they are pressed, or standard input as it comes.
    pub(super) fn take() -> Result<Self> {
        let stdin = std::io::stdin();
        let before = if stdin.is_terminal() && std::io::stdout().is_terminal() {
            let before = tcgetattr(&stdin).context("the terminal's state cannot be read")?;
            let mut raw = before.clone();
            raw.make_raw();
            tcsetattr(&stdin, OptionalActions::Now, &raw)
                .context("the terminal cannot be made raw")?;
            Some(before)
        } else {
            None
        };
        Ok(Self {
            before,
            pieces: read_all(),
            resized: signal(SignalKind::window_change())?,
            left: false,
            ended: false,
        })
    }

    /// Whether a person sits there.
    pub(super) fn is_person(&self) -> bool {
        self.before.is_some()
    }

    /// The size of the terminal, where there is one.
    pub(super) fn size(&self) -> Option<TerminalSize> {
        let size = tcgetwinsize(std::io::stdout()).ok()?;
        let size = TerminalSize {
            rows: size.ws_row,
            cols: size.ws_col,
        };
        (size.rows > 0 && size.cols > 0).then(|| size.bounded())
    }

    /// What comes next. Cancel safe.
    pub(super) async fn next(&mut self) -> Pressed {
        if self.left {
            return Pressed::Leave;
        }
        loop {
            let piece = tokio::select! {
                piece = self.pieces.recv(), if !self.ended => piece,
                Some(()) = self.resized.recv() => match self.size() {
                    Some(size) => return Pressed::Resized(size),
                    None => continue,
                },
            };
            match piece {
                Some(piece) if self.is_person() => return self.pressed(piece),
                Some(piece) => return Pressed::Keys(piece),
                None => {
                    self.ended = true;
                    if self.is_person() {
                        return Pressed::Leave;
                    }
                    return Pressed::Keys(Bytes::from_static(END));
                }
            }
        }
    }

    fn pressed(&mut self, piece: Bytes) -> Pressed {
        match piece.iter().position(|key| *key == LEAVE) {
            Some(0) => Pressed::Leave,
            Some(at) => {
                self.left = true;
                Pressed::Keys(piece.slice(..at))
            }
            None => Pressed::Keys(piece),
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let Some(before) = &self.before else { return };
        // What the program set and did not get to set back: pages, colours, keys, mouse, paste.
        let plain = b"\x1b[?1049l\x1b[m\x1b[?25h\x1b[?1l\x1b>\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[0 q\r\n";
        let mut out = std::io::stdout();
        // There is nobody else to tell.
        let _ = out.write_all(plain).and_then(|()| out.flush());
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
    }
}

/// Reads standard input on a thread of its own, which ends with the program.
fn read_all() -> mpsc::Receiver<Bytes> {
    let (send, receive) = mpsc::channel(AHEAD);
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        let mut buffer = [0; PIECE];
        while let Ok(len @ 1..) = stdin.read(&mut buffer) {
            let piece = Bytes::copy_from_slice(&buffer[..len]);
            if send.blocking_send(piece).is_err() {
                return;
            }
        }
    });
    receive
}
