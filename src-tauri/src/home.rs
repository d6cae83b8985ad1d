//! The server that the window shows: one of this process's own, or the one that serves the data already.
//!
//! The lock on the data decides, not a look at files: whoever gets it serves, and whoever does not looks
//! up where the other one serves. Either way the window and the tray are clients like any other.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use paddock_client::{Client, ClientError, Server};
use paddock_orchestrator::StartError;
use paddock_server::{OpenError, Paddock};
use paddock_store::StoreError;

use crate::premises::Premises;

/// How long another server may take to say where it serves.
const ATTACH_MAX: Duration = Duration::from_secs(30);

/// A server to show.
pub(crate) struct Home {
    client: Client,
    /// What runs in this process.
    own: Option<Paddock>,
}

impl Home {
    /// Starts the orchestrator and its server, or finds the ones that have the data.
    pub(crate) async fn open(premises: &Premises) -> Result<Self> {
        let data = premises.data();
        std::fs::create_dir_all(data).with_context(|| format!("cannot make {}", data.display()))?;
        let paddock = match Paddock::open(premises.orchestrator()?, premises.server()).await {
            Ok(paddock) => paddock,
            Err(OpenError::Start(StartError::Store(StoreError::InUse { .. }))) => {
                return Self::attach(data).await;
            }
            Err(error) => return Err(error.into()),
        };
        let url = paddock.serving().url();
        let token = Server::token_of_data_dir(data)?;
        let client = Client::new(&Server::new(url, token)?)?;
        tracing::info!(url, "serves");
        let own = Some(paddock);
        Ok(Self { client, own })
    }

    async fn attach(data: &Path) -> Result<Self> {
        let client = Client::serving_within(data, ATTACH_MAX).await;
        let unreached = || {
            let data = data.display();
            format!("another process has {data} and cannot be reached")
        };
        let client = client.with_context(unreached)?;
        tracing::info!(
            url = client.url(),
            "another process serves the data: showing its page"
        );
        Ok(Self { client, own: None })
    }

    /// A client of it.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Whether it was another process's and is there no more.
    pub(crate) async fn is_gone(&self) -> bool {
        self.own.is_none() && self.client.health().await.is_err()
    }

    /// Whether it runs in this process.
    pub(crate) fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// Ends what runs in this process. Agents go on.
    pub(crate) async fn close(self) {
        if let Some(paddock) = self.own {
            paddock.close().await;
        }
    }
}

/// An address of `client`'s server that pairs one window, once.
pub(crate) async fn pairing_url(client: &Client) -> Result<String, ClientError> {
    let code = client.pairing_code().await?;
    Ok(format!("{}{}", client.url(), code.path))
}

#[cfg(test)]
mod tests;
