//! What a job beside the runner asks of it.

use std::sync::Arc;

use paddock_boxes::LiveBox;
use paddock_domain::{Body, Transition};
use tokio::sync::oneshot;

use crate::CommandError;

/// One thing to do between two orders.
#[derive(Debug)]
pub(crate) enum Note {
    /// Write a transition; answered with whether it was possible.
    Record(Transition, oneshot::Sender<Result<(), CommandError>>),
    /// Write events.
    Write(Vec<Body>),
    /// A repository is known by another path from now on; answered when that is written.
    Relinked {
        from: String,
        to: String,
        reply: oneshot::Sender<Result<(), CommandError>>,
    },
    /// The sync is over.
    SyncOver,
    /// The commits of the last turn are out.
    BroughtOut,
    /// The box was brought up again beside the runner: look at it.
    BoxInDoubt,
    /// This box does not answer any more; and whether the engine said that its memory was used up.
    BoxSilent(Arc<LiveBox>, Option<String>),
    /// The purge does not wait for its recovery window.
    PurgeNow,
    /// The box is removed even if nothing of it can be kept.
    Unkept,
}
