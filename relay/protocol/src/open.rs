//! The header that opens a stream: what it is for.
//!
//! Unknown fields are ignored, so that a newer client can say more; an unknown kind is a typed
//! refusal that names it. Start at [`Open::decode`].

use serde::{Deserialize, Serialize};

use crate::{
    ClientId, DiffRequest, Forward, Forwarded, InputId, Launch, PtySize, Refusal, RefusalCode,
    RelayId, RunId, RunInfo, Stdio, TerminalAttach, TerminalClose, TerminalOpen,
};

/// What a stream is for, with what that needs to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Open {
    /// Answered with [`Done`]. Either side may open it.
    Ping,
    /// Answered with [`Runs`].
    Runs,
    /// Starts a run; answered with its [`RunInfo`], also when the program cannot be executed.
    Spawn(Spawn),
    /// Streams a run's log: [`LogOpened`], then `log` frames, then a `log_end` frame.
    Log(LogFrom),
    /// Delivers a message: its bytes follow as `stdin` frames and `eof`; then [`InputAck`].
    Input(Input),
    /// Takes the ownership of a run's input; answered with [`Claimed`].
    Claim(Claim),
    /// Resizes a run's terminal; answered with [`Done`].
    Resize(Resize),
    /// Ends a run and all its processes; answered with its [`Exit`](crate::Exit) when it is over.
    Stop(Stop),
    /// Signals a run or one process; answered with [`Done`].
    Signal(Signal),
    /// Runs a command: [`Done`], then `stdin`, `eof`, `signal` one way; `stdout`, `stderr`, `exit` back.
    Exec(Exec),
    /// Runs a command on a terminal: as `Exec`, with `resize` and without `stderr`.
    Pty(ExecPty),
    /// Unpacks a tar archive: [`Done`], then `stdin` frames and `eof`; then [`Uploaded`].
    Upload(Upload),
    /// Packs a tar archive: [`Done`], then `stdout` frames and `eof`.
    Download(Download),
    /// Connects inside the box: [`Done`], then bytes both ways.
    Dial(Dial),
    /// Attaches to a forwarded port: [`Listening`](crate::Listening), then open while it is served.
    Forward(Forward),
    /// From the relay: a forwarded connection; answered with [`Done`], then bytes both ways.
    Forwarded(Forwarded),
    /// Diff statistics: [`Done`], then `diff` frames and `eof`.
    Diff(DiffRequest),
    /// Answered with [`Terminals`](crate::Terminals).
    Terminals,
    /// Opens a terminal that outlives its clients; answered with its [`TerminalInfo`](crate::TerminalInfo).
    TerminalOpen(TerminalOpen),
    /// Looks at a terminal and types on it.
    TerminalAttach(TerminalAttach),
    /// Ends a terminal; answered with its [`Exit`](crate::Exit).
    TerminalClose(TerminalClose),
    /// Answered with [`Processes`](crate::Processes).
    Processes,
    /// Stops all runs and ends the relay; answered with [`Done`] before it goes.
    Shutdown(Shutdown),
}

impl Open {
    /// The kinds of this build, as they are written in headers.
    pub const KINDS: [&'static str; 23] = [
        "ping",
        "runs",
        "spawn",
        "log",
        "input",
        "claim",
        "resize",
        "stop",
        "signal",
        "exec",
        "pty",
        "upload",
        "download",
        "dial",
        "forward",
        "forwarded",
        "diff",
        "terminals",
        "terminal_open",
        "terminal_attach",
        "terminal_close",
        "processes",
        "shutdown",
    ];

    /// Reads a header.
    ///
    /// # Errors
    /// A [`Refusal`] to send back: `unknown_kind`, or `bad_header` with what is wrong.
    pub fn decode(json: &[u8]) -> Result<Self, Refusal> {
        #[derive(Deserialize)]
        struct Kind {
            kind: String,
        }
        let bad = |error: serde_json::Error| {
            Refusal::new(
                RefusalCode::BadHeader,
                format!("the stream's header is not valid: {error}"),
            )
        };
        let Kind { kind } = serde_json::from_slice(json).map_err(bad)?;
        if !Self::KINDS.contains(&kind.as_str()) {
            let kind: String = kind.chars().take(64).collect();
            let message =
                format!("this relay has no stream kind `{kind}`; it may be older than its client");
            return Err(Refusal::new(RefusalCode::UnknownKind, message));
        }
        serde_json::from_slice(json).map_err(bad)
    }
}

/// Nothing more to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {}

/// The answer to [`Open::Runs`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// Newest first, at most [`RUNS_LISTED`](crate::limits::RUNS_LISTED).
    pub runs: Vec<RunInfo>,
}

/// Starts a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawn {
    /// The id of the new run.
    pub run: RunId,
    /// The agent program.
    #[serde(flatten)]
    pub launch: Launch,
    /// What its streams are.
    #[serde(default)]
    pub stdio: Stdio,
    /// Who owns its input from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<ClientId>,
}

/// Asks for a run's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogFrom {
    /// The run.
    pub run: RunId,
    /// First byte wanted.
    pub from: u64,
    /// Whether to go on with what is still to come, up to the exit record.
    pub follow: bool,
}

/// The answer to [`LogFrom`], and the payload of a `log_end` frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogOpened {
    /// Length of the log at that moment, in bytes.
    pub len: u64,
    /// Whether the run is over, so that this length is final.
    pub ended: bool,
    /// The relay that began the log. Offsets are good for that log alone; absent of older relays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relay: Option<RelayId>,
}

/// A message to the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The run.
    pub run: RunId,
    /// The message's own id: a second message with it is acknowledged and not delivered.
    pub id: InputId,
    /// Who writes. The first writer of a run without an owner becomes it.
    pub owner: ClientId,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivered {
    /// The agent's stdin has taken it.
    Written,
    /// It is in the log and in the queue of an agent that does not read just now.
    Queued,
    /// It had been accepted before.
    Repeat,
}

/// The answer to [`Input`]: the message is durable in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputAck {
    /// What became of it.
    pub delivered: Delivered,
}

/// Takes the ownership of a run's input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The run.
    pub run: RunId,
    /// Who wants it. The owner itself always gets it again.
    pub owner: ClientId,
    /// Whether to take it from another owner.
    #[serde(default)]
    pub take_over: bool,
}

/// The answer to [`Claim`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// Who owned it before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ClientId>,
}

/// A new size for the terminal of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resize {
    /// The run.
    pub run: RunId,
    /// The size.
    pub size: PtySize,
}

/// Ends a run: interrupt, then stdin closed and SIGINT, after the grace SIGTERM, then SIGKILL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// The run.
    pub run: RunId,
    /// How long it has to end by itself after SIGINT, and again after SIGTERM.
    pub grace_ms: u64,
    /// Text written to its stdin first, to interrupt a turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupt: Option<String>,
}

/// Sends a signal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// To whom.
    pub target: Target,
    /// The signal's number, 1 to 31.
    pub signal: i32,
}

/// Who gets a signal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The agent's own process.
    Run(RunId),
    /// One process of those that [`Open::Processes`] lists.
    Pid(u32),
    /// The same, and no other that has its id by now.
    Process {
        /// Its id.
        pid: u32,
        /// When it started, as the list says.
        start: u64,
    },
}

/// Runs a command. It is killed when the stream is abandoned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exec {
    /// The command.
    #[serde(flatten)]
    pub launch: Launch,
}

/// Runs a command on a terminal. It is hung up when the stream is abandoned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecPty {
    /// The command; without a program, the user's shell.
    #[serde(flatten)]
    pub launch: Launch,
    /// The terminal's size.
    pub size: PtySize,
}

/// Unpacks a tar archive into an existing directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upload {
    /// The directory.
    pub dir: String,
}

/// The answer to [`Upload`] when all is unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uploaded {
    /// How many entries the archive had.
    pub entries: u64,
}

/// Packs a file or directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Download {
    /// The path; its last part is the name in the archive.
    pub path: String,
}

/// Connects to something inside the box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dial {
    /// A TCP address.
    Tcp {
        /// Host name or address.
        host: String,
        /// Port.
        port: u16,
    },
    /// A Unix socket.
    Unix {
        /// Its path.
        path: String,
    },
}

/// Ends the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shutdown {
    /// Grace for every run, as in [`Stop`].
    pub grace_ms: u64,
}

#[cfg(test)]
mod tests;
