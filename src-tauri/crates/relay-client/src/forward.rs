//! Forwarded ports: connections that something in the box makes, led to one fixed target on our side.
//!
//! Invariant: the box chooses when a connection is made, never where to. A name that is not forwarded
//! just now is refused.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use paddock_relay_protocol::{MuxStream, Refusal, RefusalCode, answer_forwarded};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpStream;

/// Where a forwarded port leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForwardTarget {
    /// A TCP address, as `host:port`.
    Tcp(String),
    /// A Unix socket.
    #[cfg(unix)]
    Unix(PathBuf),
}

/// A port inside the box that leads to our side for as long as this lives.
#[derive(Debug)]
pub struct Forwarding {
    port: u16,
    stream: MuxStream,
    _lease: Lease,
}

impl Forwarding {
    pub(crate) fn new(port: u16, stream: MuxStream, lease: Lease) -> Self {
        Self {
            port,
            stream,
            _lease: lease,
        }
    }

    /// The port on `127.0.0.1` in the box.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns when it serves no longer: the connection is lost, or another client has taken the name.
    pub async fn ended(&mut self) {
        let _ = self.stream.read_u8().await;
    }
}

/// The targets of one connection, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    by_name: Arc<Mutex<HashMap<String, ForwardTarget>>>,
}

impl Targets {
    pub(crate) fn add(&self, name: &str, target: ForwardTarget) -> Lease {
        let mut by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        by_name.insert(name.to_owned(), target);
        Lease {
            targets: self.clone(),
            name: name.to_owned(),
        }
    }

    fn get(&self, name: &str) -> Option<ForwardTarget> {
        let by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        by_name.get(name).cloned()
    }
}

/// A name in the table for as long as this lives.
#[derive(Debug)]
pub(crate) struct Lease {
    targets: Targets,
    name: String,
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut by_name = self
            .targets
            .by_name
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        by_name.remove(&self.name);
    }
}

/// Serves one stream that the relay opened.
pub(crate) async fn serve(stream: MuxStream, targets: Targets) {
    // Either side may break off; there is nobody to tell.
    let _ = answer_forwarded(stream, |name| async move { dial(&name, &targets).await }).await;
}

trait Duplex: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Duplex for T {}

async fn dial(name: &str, targets: &Targets) -> Result<std::pin::Pin<Box<dyn Duplex>>, Refusal> {
    let Some(target) = targets.get(name) else {
        let message = format!("`{name}` is not forwarded here");
        return Err(Refusal::new(RefusalCode::CannotDial, message));
    };
    let dialled: std::io::Result<std::pin::Pin<Box<dyn Duplex>>> = match &target {
        ForwardTarget::Tcp(address) => TcpStream::connect(address).await.map(|s| Box::pin(s) as _),
        #[cfg(unix)]
        ForwardTarget::Unix(path) => tokio::net::UnixStream::connect(path)
            .await
            .map(|s| Box::pin(s) as _),
    };
    dialled.map_err(|error| Refusal::new(RefusalCode::CannotDial, format!("`{name}`: {error}")))
}
