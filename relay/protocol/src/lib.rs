//! The relay protocol, both ends of it: handshake, streams, headers, frames, log records, limits.
//!
//! A connection is any byte stream. It opens with a greeting both ways ([`greet`]), then carries many
//! multiplexed streams ([`Mux`]). The opener of a stream says in one JSON header what it is for
//! ([`Open`]), the other side answers with one ([`Reply`]), and what follows are frames
//! ([`FrameKind`]) as that kind of stream needs. The end of anything is said in a frame: a stream that
//! closes without one was abandoned. What a run said is kept as [`Record`]s, one JSON line each.
//!
//! Invariant: nothing that the other side sends can make this crate panic, wait without a bound in
//! the handshake, or hold more than the [`limits`] say.
//!
//! Start at [`Open`], then [`Record`].

mod diff;
mod ending;
mod forward;
mod frame;
mod greeting;
mod id;
mod launch;
pub mod limits;
mod mux;
mod open;
mod processes;
mod pulse;
mod record;
mod refusal;
mod relay_id;
mod run;
mod splice;
mod terminal;
mod wire;

pub use diff::{DiffRepo, DiffRequest, DiffUpdate, FileDiff, RepoDiff};
pub use ending::{Ending, Exit};
pub use forward::{Forward, Forwarded, Listening, answer_forwarded};
pub use frame::{FrameFault, FrameHeader, FrameKind};
pub use greeting::{Agreed, GreetError, Greeting, MAGIC, VersionRange, greet};
pub use id::{BoxId, ClientId, InputId, InvalidId, RunId, TerminalId};
pub use launch::{Confine, Launch, PtySize, RUN_MARKER, Stdio};
pub use mux::{Driver, Mux, MuxClosed, MuxStream, Side};
pub use open::{
    Claim, Claimed, Delivered, Dial, Done, Download, Exec, ExecPty, Input, InputAck, LogFrom,
    LogOpened, Open, Resize, Runs, Shutdown, Signal, Spawn, Stop, Target, Upload, Uploaded,
};
pub use processes::{ProcessInfo, Processes};
pub use record::{Body, Content, DecodeError, Line, LineKind, LineOpening, Record, encode};
pub use refusal::{Refusal, RefusalCode, Reply};
pub use relay_id::{InvalidRelayId, RelayId};
pub use run::{RunInfo, RunState};
pub use splice::splice;
pub use terminal::{
    TERMINALS_SINCE, TerminalAttach, TerminalAttached, TerminalClose, TerminalInfo, TerminalOpen,
    TerminalSkipped, Terminals,
};
pub use wire::{FrameReader, WireError, read_header, read_reply, write_frame, write_header};
