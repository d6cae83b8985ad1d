//! Forwarding: a port inside the box that leads to one fixed target on the client's side.

use serde::{Deserialize, Serialize};

/// Attaches this connection to the listener `name`, which is made when it is not there yet.
///
/// The stream stays open for as long as the client serves it. The listener outlives it; connections
/// made meanwhile wait a bounded time for the next client that attaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forward {
    /// Stable name: the same one after a reconnect finds the same port.
    pub name: String,
    /// Port on `127.0.0.1` in the box; 0 for any.
    pub port: u16,
}

/// The answer to a [`Forward`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listening {
    /// The port on `127.0.0.1` in the box.
    pub port: u16,
}

/// Opens a stream the other way, from the relay: a connection to the listener `name` was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forwarded {
    /// The listener's name.
    pub name: String,
}
