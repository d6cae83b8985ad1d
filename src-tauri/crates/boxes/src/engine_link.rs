//! The engine, found once and looked for again when it was lost.

use std::sync::Arc;

use paddock_docker::{Engine, EngineError, EngineInfo, NoEngine, Search};
use tokio::sync::Mutex;

/// An engine that answered, and what it said about itself.
#[derive(Clone)]
pub(crate) struct Linked {
    pub(crate) engine: Engine,
    pub(crate) info: Arc<EngineInfo>,
}

/// Finds the engine when it is first needed.
pub(crate) struct EngineLink {
    search: Search,
    found: Mutex<Option<Linked>>,
}

impl EngineLink {
    pub(crate) fn new(search: Search) -> Self {
        Self {
            search,
            found: Mutex::new(None),
        }
    }

    /// The engine that answered last, else the first that answers now.
    pub(crate) async fn get(&self) -> Result<Linked, NoEngine> {
        let mut found = self.found.lock().await;
        if let Some(linked) = &*found {
            return Ok(linked.clone());
        }
        let answer = self.search.run().await?;
        tracing::info!(engine = %answer.endpoint, version = answer.info.version, "found the container engine");
        let linked = Linked {
            engine: answer.engine,
            info: Arc::new(answer.info),
        };
        *found = Some(linked.clone());
        Ok(linked)
    }

    /// Looks for an engine again when it is next needed, if `error` says that this one is lost.
    pub(crate) async fn note(&self, error: &EngineError) {
        if error.is_unreachable() {
            self.forget().await;
        }
    }

    /// Looks for an engine again when it is next needed.
    pub(crate) async fn forget(&self) {
        *self.found.lock().await = None;
    }
}
