//! The answer to the header of a stream: what was asked for, or why not.

use serde::{Deserialize, Serialize};

/// The first thing that comes back on a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply<T> {
    /// Granted.
    Ok(T),
    /// Not possible, or it broke.
    Error(Refusal),
}

impl<T> Reply<T> {
    /// As a result.
    ///
    /// # Errors
    /// The [`Refusal`].
    pub fn into_result(self) -> Result<T, Refusal> {
        match self {
            Self::Ok(granted) => Ok(granted),
            Self::Error(refusal) => Err(refusal),
        }
    }
}

/// Why the relay did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// For programs.
    pub code: RefusalCode,
    /// For people: what happened and what to do.
    pub message: String,
}

impl Refusal {
    /// A refusal with its reason.
    pub fn new(code: RefusalCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// The kinds of refusal that a client may tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// This relay has no such kind of stream.
    UnknownKind,
    /// The header was no JSON of the right shape.
    BadHeader,
    /// The header was longer than allowed.
    HeaderTooLong,
    /// A frame of a kind that this stream does not take.
    UnknownFrame,
    /// A frame or message longer than allowed.
    FrameTooLong,
    /// No run has this id.
    NoSuchRun,
    /// A run with this id was already started.
    RunExists,
    /// The run is over.
    RunEnded,
    /// Another client owns the input of the run.
    OwnedByOther,
    /// The agent closed its stdin.
    StdinClosed,
    /// Too much is waiting already; try again later.
    Busy,
    /// The log is shorter than the offset asked for.
    BeyondEnd,
    /// The program was not found.
    NotFound,
    /// The program is there and cannot be executed.
    CannotExecute,
    /// No such process, or none that may be signalled.
    NoSuchProcess,
    /// The target inside the box did not accept the connection.
    CannotDial,
    /// The name is already forwarded differently, or the port is taken.
    ForwardTaken,
    /// A file or directory could not be read or written.
    Io,
    /// No terminal has this id.
    NoSuchTerminal,
    /// There is a terminal with this id.
    TerminalExists,
    /// The relay is shutting down.
    ShuttingDown,
    /// It did not end in time.
    TimedOut,
    /// A code that this build does not know.
    #[serde(other)]
    Other,
}
