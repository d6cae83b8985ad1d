//! The server that the window shows: one of this process's own, or the one that serves the data already.
//!
//! The lock on the data decides, not a look at files: whoever gets it serves, and whoever does not looks
//! up where the other one serves. Either way the window and the tray are clients like any other.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use paddock_client::{Client, ClientError, Server};
use paddock_orchestrator::{Orchestrator, Running, StartError};
use paddock_server::{ServeError, ServerSettings, Serving};
use paddock_store::StoreError;
use tokio::time::Instant;

use crate::premises::Premises;

/// How long calls that are under way have to end.
const SERVER_GRACE: Duration = Duration::from_secs(5);
/// How long tasks have to write what they know.
const TASKS_GRACE: Duration = Duration::from_secs(10);
/// How long another server may take to say where it serves.
const ATTACH_MAX: Duration = Duration::from_secs(30);
/// How often it is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A server to show.
pub(crate) struct Home {
    client: Client,
    own: Option<Own>,
}

/// What runs in this process.
struct Own {
    serving: Serving,
    running: Running,
}

impl Home {
    /// Starts the orchestrator and its server, or finds the ones that have the data.
    pub(crate) async fn open(premises: &Premises) -> Result<Self> {
        let data = premises.data();
        std::fs::create_dir_all(data).with_context(|| format!("cannot make {}", data.display()))?;
        let (orchestrator, running) = match Orchestrator::start(premises.orchestrator()?).await {
            Ok(started) => started,
            Err(StartError::Store(StoreError::InUse { .. })) => return Self::attach(data).await,
            Err(error @ (StartError::Store(_) | StartError::Kept(_))) => return Err(error.into()),
        };
        let serving = match serve(premises.server(), orchestrator).await {
            Ok(serving) => serving,
            Err(error) => {
                running.shutdown(TASKS_GRACE).await;
                return Err(error.into());
            }
        };
        let token = Server::token_of_data_dir(data)?;
        let client = Client::new(&Server::new(serving.url(), token)?)?;
        tracing::info!(url = serving.url(), "serves");
        let own = Some(Own { serving, running });
        Ok(Self { client, own })
    }

    async fn attach(data: &Path) -> Result<Self> {
        let began = Instant::now();
        loop {
            match reach(data).await {
                Ok(client) => {
                    tracing::info!(
                        url = client.url(),
                        "another process serves the data: showing its page"
                    );
                    return Ok(Self { client, own: None });
                }
                Err(missing) if began.elapsed() > ATTACH_MAX => {
                    let data = data.display();
                    let what = format!("another process has {data} and cannot be reached");
                    return Err(missing).context(what);
                }
                Err(_) => tokio::time::sleep(LOOK_EVERY).await,
            }
        }
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
        let Some(Own { serving, running }) = self.own else {
            return;
        };
        if !serving.shutdown(SERVER_GRACE).await {
            tracing::warn!("some calls did not end in time and were dropped");
        }
        let left = running.shutdown(TASKS_GRACE).await;
        if left > 0 {
            tracing::warn!(
                left,
                "some tasks did not end in time; their agents go on all the same"
            );
        }
    }
}

/// An address of `client`'s server that pairs one window, once.
pub(crate) async fn pairing_url(client: &Client) -> Result<String, ClientError> {
    let code = client.pairing_code().await?;
    Ok(format!("{}{}", client.url(), code.path))
}

/// Serves where it should, or on a free port where that one is taken: the window does not mind.
async fn serve(
    settings: ServerSettings,
    orchestrator: Orchestrator,
) -> Result<Serving, ServeError> {
    let mut elsewhere = settings.clone();
    elsewhere.listen.set_port(0);
    match Serving::start(settings, orchestrator.clone()).await {
        Err(ServeError::Bind { source, .. }) if source.kind() == ErrorKind::AddrInUse => {
            Serving::start(elsewhere, orchestrator).await
        }
        outcome => outcome,
    }
}

async fn reach(data: &Path) -> Result<Client> {
    let client = Client::new(&Server::of_data_dir(data)?)?;
    client.health().await?;
    Ok(client)
}

#[cfg(test)]
mod tests;
