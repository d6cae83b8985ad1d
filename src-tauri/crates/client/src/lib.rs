//! The API as typed calls, and its event streams with resume: for the CLI, the terminal UI and tests.
//!
//! A [`Client`] speaks plain HTTP and is meant for loopback, or for a loopback port that is forwarded
//! elsewhere. Every call either gives what the API says or a [`ClientError`] with the server's own code
//! and message. An [`EventFeed`] survives the loss of its connection: each event arrives once and in order.
//!
//! Start at [`Client`], then [`Server`] for how one is found.

mod accounts;
mod boxes;
mod call;
mod client;
mod error;
mod feed;
mod files;
mod groups;
mod install;
mod journals;
mod marks;
mod orphans;
mod query;
mod queue;
mod relink;
mod retry;
mod rules;
mod search;
mod secrets;
mod server;
mod serving;
mod sessions;
mod sse;
mod templates;
mod terminals;
mod trash;

pub use client::Client;
pub use error::ClientError;
pub use feed::{EventFeed, FeedItem, JournalEvent};
pub use files::FilesError;
pub use install::{InstallFeed, InstallItem};
pub use server::{BadServer, Server};
pub use serving::NotServing;
pub use terminals::{TerminalEars, TerminalItem, TerminalMouth};
