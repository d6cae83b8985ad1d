//! What can go wrong between us and a relay.

use std::io;
use std::time::Duration;

use paddock_relay_protocol::{GreetError, Refusal, VersionRange, WireError};

/// A call to a relay failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RelayError {
    /// The connection is lost, or the relay abandoned the stream. The run goes on: connect again.
    #[error("the connection to the relay is lost ({cause}); connect again to go on")]
    NotConnected {
        /// What was seen of it.
        cause: String,
    },
    /// The connection stayed open and moved nothing, so it was given up. The run goes on, if its relay
    /// does: connect again.
    #[error(
        "the relay has said nothing for {} s; connect again to go on",
        silent.as_secs()
    )]
    Stalled {
        /// For how long it was listened to in vain, at most.
        silent: Duration,
    },
    /// There is no relay at this socket.
    #[error("no relay answers at {at}: {source}; is it running?")]
    NoRelay {
        /// The socket.
        at: String,
        /// What the system said.
        source: io::Error,
    },
    /// The relay said no, or what it tried broke.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The relay speaks other versions of the protocol.
    #[error(
        "the relay ({build}) speaks protocol {theirs}, this build {ours}: update the older one"
    )]
    VersionMismatch {
        /// Our versions.
        ours: VersionRange,
        /// The relay's.
        theirs: VersionRange,
        /// The relay's build.
        build: String,
    },
    /// The relay is of an older build that does not have this.
    #[error("the relay of this box is older ({build}) and has no {what}")]
    TooOld {
        /// What it lacks.
        what: &'static str,
        /// The relay's build.
        build: String,
    },
    /// What answered is no relay, or it breaks the protocol.
    #[error("the relay broke the protocol: {what}")]
    Protocol {
        /// What it did.
        what: String,
    },
    /// The relay did not answer in time.
    #[error("the relay did not {what} within {} s", limit.as_secs())]
    TimedOut {
        /// What was awaited.
        what: &'static str,
        /// For how long.
        limit: Duration,
    },
    /// Reading or writing on our own side failed.
    #[error("{what}: {source}")]
    Local {
        /// What was read or written.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

impl RelayError {
    #[allow(clippy::needless_pass_by_value, reason = "a shape for `map_err`")]
    pub(crate) fn not_connected(cause: impl ToString) -> Self {
        Self::NotConnected {
            cause: cause.to_string(),
        }
    }

    #[allow(clippy::needless_pass_by_value, reason = "a shape for `map_err`")]
    pub(crate) fn protocol(what: impl ToString) -> Self {
        Self::Protocol {
            what: what.to_string(),
        }
    }
}

impl From<WireError> for RelayError {
    fn from(error: WireError) -> Self {
        match error {
            WireError::Io(cause) => Self::not_connected(cause),
            WireError::Refused(refusal) => Self::Refused(refusal),
            broken @ (WireError::Frame(_)
            | WireError::HeaderTooLong { .. }
            | WireError::Json(_)) => Self::protocol(broken),
        }
    }
}

impl From<GreetError> for RelayError {
    fn from(error: GreetError) -> Self {
        match error {
            GreetError::VersionMismatch {
                ours,
                theirs,
                peer_build: build,
            } => Self::VersionMismatch {
                ours,
                theirs,
                build,
            },
            GreetError::TimedOut => Self::TimedOut {
                what: "greet",
                limit: paddock_relay_protocol::limits::GREETING_TIME,
            },
            GreetError::Wire(wire) => wire.into(),
            stranger @ GreetError::NotARelay { .. } => Self::protocol(stranger),
        }
    }
}
