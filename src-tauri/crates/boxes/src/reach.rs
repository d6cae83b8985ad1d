//! The way to a box's relay: its socket where we can open it, else a program in the container that
//! bridges to it.

use std::io;
use std::path::{Path, PathBuf};

use paddock_docker::Engine;
use paddock_domain::TaskId;
use paddock_relay_client::protocol::BoxId;
use paddock_relay_client::{RelayClient, RelayError};

use crate::layout;

/// How the relay of one task is reached. It can be reached this way again after a connection was lost.
#[derive(Clone)]
pub(crate) struct Reach {
    task: TaskId,
    way: Way,
}

#[derive(Clone)]
enum Way {
    /// By the socket in this directory of the host.
    Socket(PathBuf),
    /// By running `paddock-relay connect` in this container.
    Exec(Engine, String),
}

impl Reach {
    /// By the socket in the directory that the relay serves.
    pub(crate) fn socket(task: &TaskId, dir: &Path) -> Self {
        Self {
            task: task.clone(),
            way: Way::Socket(dir.to_owned()),
        }
    }

    /// Through the engine.
    pub(crate) fn exec(task: &TaskId, engine: Engine, container: &str) -> Self {
        Self {
            task: task.clone(),
            way: Way::Exec(engine, container.to_owned()),
        }
    }

    /// Whether it is reached by a socket of this machine.
    pub(crate) fn is_socket(&self) -> bool {
        matches!(self.way, Way::Socket(_))
    }

    /// Connects once. The socket lies where the box can write: it may have been replaced by a link to
    /// the socket of another box, which greets with another name and is refused.
    pub(crate) async fn connect(&self) -> Result<RelayClient, RelayError> {
        let relay = self.dial().await?;
        let greeted = relay.peer().peer.box_id.as_ref();
        let expected = BoxId::parse(self.task.as_str()).ok();
        if greeted != expected.as_ref() {
            return Err(RelayError::Protocol {
                what: format!("it serves another box ({greeted:?})"),
            });
        }
        Ok(relay)
    }

    async fn dial(&self) -> Result<RelayClient, RelayError> {
        match &self.way {
            Way::Socket(dir) => RelayClient::connect_unix(dir).await,
            Way::Exec(engine, container) => {
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
