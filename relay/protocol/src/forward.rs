//! Forwarding: a port inside the box that leads to one fixed target on the client's side.
//!
//! Invariant: the box chooses when a connection is made, never where to.

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;

use crate::{
    Done, MuxStream, Open, Refusal, RefusalCode, Reply, WireError, limits, read_header, splice,
    write_header,
};

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

/// Serves one stream that a relay opened: its pulse, or a connection to the target that `dial` makes of
/// the listener's name.
///
/// # Errors
/// [`WireError`] when either side breaks off; there is nobody else to tell.
pub async fn answer_forwarded<T, F>(
    mut stream: MuxStream,
    dial: impl FnOnce(String) -> F,
) -> Result<(), WireError>
where
    T: AsyncRead + AsyncWrite,
    F: Future<Output = Result<T, Refusal>>,
{
    let header = read_header(&mut stream, limits::HEADER_LEN);
    let Ok(header) = timeout(limits::HEADER_TIME, header).await else {
        return Ok(());
    };
    let dialled = match Open::decode(&header?) {
        // The relay feels our pulse as we feel its own.
        Ok(Open::Ping) => return write_header(&mut stream, &Reply::Ok(Done {})).await,
        Ok(Open::Forwarded(Forwarded { name })) => dial(name).await,
        Ok(_) => {
            let message = "a relay may open only streams of kind `forwarded`";
            Err(Refusal::new(RefusalCode::UnknownKind, message))
        }
        Err(refusal) => Err(refusal),
    };
    match dialled {
        Ok(target) => {
            write_header(&mut stream, &Reply::Ok(Done {})).await?;
            splice(target, stream).await
        }
        Err(refusal) => write_header(&mut stream, &Reply::<Done>::Error(refusal)).await,
    }
}
