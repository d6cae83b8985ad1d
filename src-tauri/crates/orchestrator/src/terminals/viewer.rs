//! One who looks at a terminal, as both sides see it.
//!
//! Invariant: nobody waits for a viewer. What it has not taken is bounded by [`AHEAD`] pieces; one that falls
//! behind misses what was between and is given the screen as it is when it has room again.

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use paddock_domain::{RunExit, Terminal, TerminalSize};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// Pieces that may wait for a viewer: at most as many times 64 KiB.
pub(super) const AHEAD: usize = 16;

/// What is typed that may wait for the program, in messages.
pub(super) const TYPED_AHEAD: usize = 64;

/// A terminal that is looked at. Dropping this ends nothing but the look.
#[derive(Debug)]
pub struct Viewing {
    /// The terminal as it was when the look began.
    pub terminal: Terminal,
    /// What it shows; ends after [`Shown::Ended`] and [`Shown::Lost`].
    pub shown: mpsc::Receiver<Shown>,
    /// What is typed on it; full while the program does not read.
    pub typed: mpsc::Sender<Typed>,
}

/// What a terminal shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Forget what was shown: this makes an empty terminal of this size show what it shows now.
    Screen {
        /// Its size.
        size: TerminalSize,
        /// Bytes for an empty screen.
        bytes: Bytes,
    },
    /// More bytes.
    Bytes(Bytes),
    /// It has this size from here on.
    Resized(TerminalSize),
    /// The box cannot be reached; it is tried again.
    Reconnecting,
    /// Its program has ended.
    Ended(RunExit),
    /// It cannot be looked at any more.
    Lost(String),
}

/// What is done at a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Keys, as bytes.
    Bytes(Bytes),
    /// Another size.
    Resize(TerminalSize),
}

/// Our end of a look.
pub(super) struct Viewer {
    to: mpsc::Sender<Shown>,
    behind: bool,
}

/// A place that has become free for a viewer that was behind.
pub(super) type Room = Result<mpsc::OwnedPermit<Shown>, mpsc::error::SendError<()>>;

impl Viewer {
    pub(super) fn new(to: mpsc::Sender<Shown>) -> Self {
        Self { to, behind: false }
    }

    /// Shows it; gives what to wait for when there is no room. False when nobody looks any more.
    pub(super) fn show(&mut self, shown: Shown) -> (bool, Option<BoxFuture<'static, Room>>) {
        if self.behind {
            return (!self.to.is_closed(), None);
        }
        match self.to.try_send(shown) {
            Ok(()) => (true, None),
            Err(TrySendError::Closed(_)) => (false, None),
            Err(TrySendError::Full(_)) => {
                self.behind = true;
                (true, Some(self.to.clone().reserve_owned().boxed()))
            }
        }
    }

    /// It has room again, and gets the screen.
    pub(super) fn catch_up(&mut self, room: mpsc::OwnedPermit<Shown>, screen: Shown) {
        self.behind = false;
        drop(room.send(screen));
    }

    /// Whether it has missed something.
    pub(super) fn is_behind(&self) -> bool {
        self.behind
    }

    /// Whether nobody looks any more.
    pub(super) fn is_gone(&self) -> bool {
        self.to.is_closed()
    }

    /// The last that it is shown and told, when it comes to it. One that has gone away is no matter.
    pub(super) async fn end(self, screen: Option<Shown>, last: Shown) {
        if let Some(screen) = screen {
            let _ = self.to.send(screen).await;
        }
        let _ = self.to.send(last).await;
    }
}
