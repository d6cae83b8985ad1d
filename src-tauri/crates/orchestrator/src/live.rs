//! What happens, as it happens: history first, then live, without gap or repeat.

use std::sync::Arc;

use bytes::Bytes;
use paddock_domain::{Delta, TaskId, TurnId};
use paddock_store::Line;

/// One item of a task's stream.
#[derive(Clone, Debug)]
pub enum LiveItem {
    /// An event from history: its sequence number and its JSON, as it stands in the journal.
    History {
        /// Place in the journal.
        seq: u64,
        /// The event's JSON, one line without its end.
        json: Bytes,
    },
    /// History is complete; what follows is live.
    Ready {
        /// The last event of history.
        seq: u64,
    },
    /// An event, serialised once for everybody.
    Line(Arc<Line>),
    /// A piece of a message under way; never journalled, never resumed.
    Delta {
        /// The task that streams.
        task_id: TaskId,
        /// Its turn.
        turn_id: Option<TurnId>,
        /// The piece.
        delta: Delta,
    },
}
