//! Terminals: programs on a pseudo-terminal that the relay holds, whoever looks at them.
//!
//! A terminal outlives every connection and ends with its program, with a close, or with the relay. The
//! relay keeps the last [`TERMINAL_KEPT`](crate::limits::TERMINAL_KEPT) bytes of what it showed, and the
//! sizes that it had meanwhile; it does not understand a byte of them. Known from protocol version
//! [`TERMINALS_SINCE`] on.

use serde::{Deserialize, Serialize};

use crate::{Exit, Launch, PtySize, TerminalId};

/// The first protocol version with terminals.
pub const TERMINALS_SINCE: u16 = 2;

/// Opens a terminal; answered with its [`TerminalInfo`]. A program that cannot be executed is a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalOpen {
    /// Its id, which no other terminal of this relay may have.
    pub terminal: TerminalId,
    /// Its program; without one, the user's shell.
    #[serde(flatten)]
    pub launch: Launch,
    /// Its size.
    pub size: PtySize,
    /// What the client wants to be told of it again, at most
    /// [`TERMINAL_NOTE_LEN`](crate::limits::TERMINAL_NOTE_LEN) bytes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Looks at a terminal and types on it: [`TerminalAttached`], then `stdin` and `resize` one way;
/// `stdout`, `resize` and at the end `exit` back. Any number of clients may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalAttach {
    /// The terminal.
    pub terminal: TerminalId,
    /// First byte wanted, counted from all that it ever showed; all that is kept when absent, or when
    /// that byte is not kept any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
}

/// The answer to [`TerminalAttach`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalAttached {
    /// The terminal as it is now.
    pub info: TerminalInfo,
    /// Where what follows begins.
    pub from: u64,
    /// The size that it had there.
    pub size: PtySize,
}

/// What came next is not kept any more: the client was too slow. What follows is all that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalSkipped {
    /// Where what follows begins.
    pub from: u64,
    /// The size that the terminal had there.
    pub size: PtySize,
}

/// Ends a terminal with all its processes and forgets it; answered with its [`Exit`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalClose {
    /// The terminal.
    pub terminal: TerminalId,
    /// How long its processes have to go by themselves after SIGHUP and SIGTERM.
    pub grace_ms: u64,
}

/// The terminals of a relay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terminals {
    /// Oldest first, at most [`TERMINALS`](crate::limits::TERMINALS).
    pub terminals: Vec<TerminalInfo>,
}

/// One terminal, as the relay sees it now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalInfo {
    /// Its id.
    pub terminal: TerminalId,
    /// What the client that opened it wanted to be told again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Its program.
    pub program: String,
    /// The program's process id in the box, while it lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Its size.
    pub size: PtySize,
    /// When it was opened, in Unix milliseconds of the box's clock.
    pub opened_ms: u64,
    /// How many bytes it has shown in all.
    pub shown: u64,
    /// How its program ended; absent while it lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
}
