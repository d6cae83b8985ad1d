//! A worktree box as a place: every command runs confined, and files move through such commands.
//!
//! The relay of a worktree box runs as the host's user and is not confined itself. A path in the box
//! may be a symbolic link that an agent made, so the relay must not follow it on our behalf: what is
//! written here is written by a confined `tar`.

use std::io;

use async_trait::async_trait;
use bytes::Bytes;
use paddock_exec::{Command, ExecError, Limits, Place, Process};
use paddock_relay_client::RelayClient;
use paddock_relay_client::protocol::Confine;

/// A relay whose commands may write only what `confine` says.
pub(crate) struct Confined {
    pub(crate) relay: RelayClient,
    pub(crate) confine: Confine,
}

#[async_trait]
impl Place for Confined {
    async fn spawn(&self, command: &Command) -> Result<Process, ExecError> {
        self.relay
            .exec_confined(command, Some(self.confine.clone()))
            .await
    }

    async fn upload(&self, dir: &str, tar: Bytes) -> Result<(), ExecError> {
        let unpack = Command::new("tar")
            .args(["-x", "-f", "-", "-C", dir])
            .stdin(tar);
        let done = self.check(&unpack, Limits::default()).await;
        done.map(drop).map_err(|e| transfer(dir, e))
    }

    async fn download(&self, path: &str, limit: usize) -> Result<Bytes, ExecError> {
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        let parent = if parent.is_empty() { "/" } else { parent };
        let pack = Command::new("tar").args(["-c", "-f", "-", "-C", parent, "--", name]);
        let limits = Limits {
            stdout: limit,
            ..Limits::default()
        };
        match self.check(&pack, limits).await {
            Ok(output) => Ok(output.stdout),
            Err(too_much @ ExecError::TooMuchOutput { .. }) => Err(too_much),
            Err(other) => Err(transfer(path, other)),
        }
    }
}

fn transfer(path: &str, cause: ExecError) -> ExecError {
    ExecError::Transfer {
        path: path.to_owned(),
        source: io::Error::other(cause),
    }
}
