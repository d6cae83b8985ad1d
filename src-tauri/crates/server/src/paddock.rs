//! The orchestrator and its server together, as a program runs them.

use std::time::Duration;

use paddock_orchestrator::{Orchestrator, OrchestratorSettings, Running, StartError};

use crate::{ServeError, ServerSettings, Serving};

/// How long calls that are under way have to end.
const SERVER_GRACE: Duration = Duration::from_secs(5);
/// How long tasks have to write what they know.
const TASKS_GRACE: Duration = Duration::from_secs(10);

/// An orchestrator that is served. Dropping it stops nothing; [`Self::close`] does.
pub struct Paddock {
    serving: Serving,
    running: Running,
}

/// Why nothing serves.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The orchestrator did not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Its server did not.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

impl Paddock {
    /// Starts the orchestrator, which has the data from then on, and its server.
    ///
    /// # Errors
    /// [`OpenError`]; whatever was started has ended again.
    pub async fn open(
        orchestrator: OrchestratorSettings,
        server: ServerSettings,
    ) -> Result<Self, OpenError> {
        let (orchestrator, running) = Orchestrator::start(orchestrator).await?;
        match Serving::start(server, orchestrator).await {
            Ok(serving) => Ok(Self { serving, running }),
            Err(error) => {
                running.shutdown(TASKS_GRACE).await;
                Err(error.into())
            }
        }
    }

    /// Its server.
    #[must_use]
    pub fn serving(&self) -> &Serving {
        &self.serving
    }

    /// Ends both, within a bound. Agents go on.
    pub async fn close(self) {
        if !self.serving.shutdown(SERVER_GRACE).await {
            tracing::warn!("some calls did not end in time and were dropped");
        }
        let left = self.running.shutdown(TASKS_GRACE).await;
        if left > 0 {
            tracing::warn!(
                left,
                "some tasks did not end in time; their agents go on all the same"
            );
        }
    }
}
