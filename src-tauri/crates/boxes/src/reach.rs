//! The way to a box's relay: its socket where we can open it, else a program in the container that
//! bridges to it.

use std::io;
use std::path::{Path, PathBuf};

use paddock_docker::Engine;
use paddock_relay_client::{RelayClient, RelayError};

use crate::layout;

/// How a relay is reached. It can be reached this way again after a connection was lost.
#[derive(Clone)]
pub(crate) enum Reach {
    /// By the socket in this directory of the host.
    Socket(PathBuf),
    /// By running `paddock-relay connect` in this container.
    Exec(Engine, String),
}

impl Reach {
    pub(crate) fn socket(dir: &Path) -> Self {
        Self::Socket(dir.to_owned())
    }

    /// Connects once.
    pub(crate) async fn connect(&self) -> Result<RelayClient, RelayError> {
        match self {
            Self::Socket(dir) => RelayClient::connect_unix(dir).await,
            Self::Exec(engine, container) => {
                let bridge = [layout::RELAY, "connect", "--dir", layout::RELAY_DIR];
                let stream = engine.exec(container, &bridge).await;
                let stream = stream.map_err(|error| RelayError::NoRelay {
                    at: format!("container {container}"),
                    source: io::Error::other(error),
                })?;
                RelayClient::connect(stream).await
            }
        }
    }
}
