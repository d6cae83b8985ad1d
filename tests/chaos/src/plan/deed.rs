//! What a user does while a round goes on, beside answering what is asked.

/// One thing that a user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Says something more.
    Say(String),
    /// Ends the turn.
    Interrupt,
    /// Ends the run.
    Stop,
    /// Starts the agent again.
    Revive,
    /// Brings commits out and pushes them.
    Sync(Target),
    /// Removes the box and takes that back.
    PurgeAndRestore,
    /// Looks at what changed.
    Diff,
}

/// Where a sync goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Branch,
    Local,
}
