//! What the user types while something else goes on.
//!
//! A line cannot be read without waiting for it, so one thread reads all of them, from the first question on.

use std::io::IsTerminal as _;

use tokio::sync::mpsc;

/// Lines that may be typed ahead.
const AHEAD: usize = 16;

/// The user's keyboard.
pub(crate) struct Keyboard {
    lines: Option<mpsc::Receiver<String>>,
}

impl Keyboard {
    pub(crate) fn new() -> Self {
        Self { lines: None }
    }

    /// Whether a person sits there.
    pub(crate) fn is_there(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// The next line without its end; nothing when there will be none.
    pub(crate) async fn line(&mut self) -> Option<String> {
        self.lines.get_or_insert_with(read_all).recv().await
    }
}

fn read_all() -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel(AHEAD);
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            let Ok(line) = line else { return };
            if send.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receive
}
