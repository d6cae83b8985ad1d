//! What every request handler is given: the orchestrator and what guards the way to it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::http::Method;
use paddock_orchestrator::Orchestrator;
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tokio_util::task::TaskTracker;

use crate::auth::Auth;
use crate::guard::Places;
use crate::hub::Hub;
use crate::routes;
use crate::stream::STREAMS_MAX;

/// The state behind every route; cheap to clone.
#[derive(Clone)]
pub(crate) struct Door(Arc<Inner>);

struct Inner {
    orchestrator: Orchestrator,
    auth: Auth,
    places: Places,
    public: Vec<(Method, &'static str)>,
    hub: Arc<Hub>,
    streams: Arc<Semaphore>,
    stop: CancellationToken,
    work: TaskTracker,
    config_file: Option<PathBuf>,
}

impl Door {
    pub(crate) fn new(
        orchestrator: Orchestrator,
        auth: Auth,
        places: Places,
        config_file: Option<PathBuf>,
        data: &Path,
    ) -> Self {
        Self(Arc::new(Inner {
            orchestrator,
            auth,
            places,
            public: routes::public(),
            hub: Hub::new(data),
            streams: Arc::new(Semaphore::new(STREAMS_MAX)),
            stop: CancellationToken::new(),
            work: TaskTracker::new(),
            config_file,
        }))
    }

    /// The living room.
    pub(crate) fn orchestrator(&self) -> &Orchestrator {
        &self.0.orchestrator
    }

    /// Who may ask.
    pub(crate) fn auth(&self) -> &Auth {
        &self.0.auth
    }

    /// Where requests may come from.
    pub(crate) fn places(&self) -> &Places {
        &self.0.places
    }

    /// Whether the route is open to those who show nothing.
    pub(crate) fn is_public(&self, method: &Method, path: &str) -> bool {
        let method = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        self.0
            .public
            .iter()
            .any(|(open, at)| open == method && *at == path)
    }

    /// The events of all tasks.
    pub(crate) fn hub(&self) -> &Arc<Hub> {
        &self.0.hub
    }

    /// Places for event streams.
    pub(crate) fn streams(&self) -> Arc<Semaphore> {
        self.0.streams.clone()
    }

    /// Ends when the server does.
    pub(crate) fn stopping(&self) -> WaitForCancellationFutureOwned {
        self.0.stop.clone().cancelled_owned()
    }

    /// Tells everything that belongs to the server to end.
    pub(crate) fn stop(&self) {
        self.0.stop.cancel();
        self.0.work.close();
    }

    /// Work that goes on when the client that asked for it is gone.
    pub(crate) fn work(&self) -> &TaskTracker {
        &self.0.work
    }

    /// The file that the user writes settings into.
    pub(crate) fn config_file(&self) -> Option<&Path> {
        self.0.config_file.as_deref()
    }
}
