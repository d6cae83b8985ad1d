//! Our half of the relay protocol over a byte stream; implements [`Place`](paddock_exec::Place).
//!
//! [`RelayClient`] is one connection to one relay: cheap to clone, dead for good once it is lost. Who
//! wants to go on connects again and asks for the rest of each log from the offset it has reached;
//! the agents never noticed.
//!
//! Invariant: every wait has a named limit or ends with the connection, a stalled connection is
//! noticed within [`RelayClient::STALL_NOTICED_WITHIN`], and dropping what a call gave ends what it
//! started here.
//!
//! Start at [`RelayClient::connect`].

mod client;
mod connection;
mod diff;
mod error;
mod forward;
mod log;
mod place;
mod process;
mod terminal;
mod transfer;
mod tunnel;

pub use client::RelayClient;
pub use diff::DiffStream;
pub use error::RelayError;
pub use forward::{ForwardTarget, Forwarding};
pub use log::{LogEntry, LogStream};
pub use paddock_relay_protocol as protocol;
pub use process::{RemoteExit, RemoteProcess, RemotePty};
pub use terminal::{TerminalReader, TerminalShown, TerminalWriter};
pub use transfer::DownloadStream;
pub use tunnel::Tunnel;
