//! The server that serves a data directory, found and greeted.

use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use crate::{BadServer, Client, ClientError, Server};

/// How often a server is looked for while another process starts it.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Why there is no client of a data directory's server.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum NotServing {
    /// Nothing says where it serves.
    Bad(#[from] BadServer),
    /// It does not answer there.
    Unreachable(#[from] ClientError),
}

impl Client {
    /// A client of the server that serves `data`.
    ///
    /// # Errors
    /// [`NotServing`].
    pub async fn serving(data: &Path) -> Result<Self, NotServing> {
        let client = Self::new(&Server::of_data_dir(data)?)?;
        client.health().await?;
        Ok(client)
    }

    /// The same, waited for: whoever has the data may only be starting.
    ///
    /// # Errors
    /// [`NotServing`], once `bound` is over.
    pub async fn serving_within(data: &Path, bound: Duration) -> Result<Self, NotServing> {
        let began = Instant::now();
        loop {
            match Self::serving(data).await {
                Err(_) if began.elapsed() < bound => tokio::time::sleep(LOOK_EVERY).await,
                found => return found,
            }
        }
    }
}
