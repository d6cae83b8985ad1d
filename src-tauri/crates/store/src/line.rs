//! Events on their way into a journal ([`Draft`]) and as they stand there ([`Line`]).

use bytes::Bytes;
use paddock_domain::{Body, Event, EventId, RunId, Source, Timestamp, TurnId};

/// An event without its place: the journal numbers it.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Unique for ever.
    pub event_id: EventId,
    /// When it happened.
    pub ts: Timestamp,
    /// The run it happened in.
    pub run_id: Option<RunId>,
    /// The turn it happened in.
    pub turn_id: Option<TurnId>,
    /// The agent output it was decoded from; a journal takes each source once and in order.
    pub source: Option<Source>,
    /// What happened.
    pub body: Body,
}

/// A line of a journal: the event and the one JSON text of it that the journal, the stream and every
/// client share.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its place, from 1.
    pub seq: u64,
    /// What happened, large texts moved out to artifacts.
    pub event: Event,
    /// The event as JSON, without the newline.
    pub json: Bytes,
}

impl Line {
    /// Longest line, in bytes: a prompt of 1 MiB fits even when every byte of it needs six. An event
    /// that comes out longer becomes an `error` event that refers to its JSON as an artifact.
    pub const MAX: usize = 8 << 20;
}
