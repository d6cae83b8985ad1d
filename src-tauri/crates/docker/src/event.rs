//! What happens to containers, told by the engine as it happens.

use std::collections::{BTreeMap, HashMap};

use bollard::models::EventMessage;
use bollard::query_parameters::EventsOptions;
use futures_util::{Stream, StreamExt};

use crate::Engine;
use crate::container::label_filter;
use crate::error::{About, EngineError};

/// Something happened to a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerEvent {
    /// The container's id.
    pub container: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// What.
    pub what: Happening,
    /// When, in nanoseconds since 1970 by the engine's clock.
    pub at_ns: i64,
}

/// What happened to a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// It was started.
    Started,
    /// A process in it, perhaps not its first, ran out of memory and was killed.
    OutOfMemory,
    /// Its first process ended.
    Died {
        /// Its exit code.
        exit: Option<i64>,
    },
    /// It was removed.
    Removed,
}

impl Engine {
    /// Tells what happens to the containers that carry every one of `labels`, from the second
    /// `since` (Unix time) on: what has happened since then comes first, as far as the engine still
    /// knows it. The stream ends when the connection does.
    pub fn events(
        &self,
        labels: &BTreeMap<&str, &str>,
        since: i64,
    ) -> impl Stream<Item = Result<ContainerEvent, EngineError>> + Send + Unpin + 'static {
        let kinds = ["start", "oom", "die", "destroy", "remove"];
        let filters = HashMap::from([
            ("type".to_owned(), vec!["container".to_owned()]),
            ("event".to_owned(), kinds.map(str::to_owned).to_vec()),
            ("label".to_owned(), label_filter(labels)),
        ]);
        let options = EventsOptions {
            since: Some(since.to_string()),
            until: None,
            filters: Some(filters),
        };
        let engine = self.clone();
        let events = self.client.events(Some(options));
        Box::pin(events.filter_map(move |event| {
            let event = event.map_err(|e| engine.fault(About::Engine, e));
            std::future::ready(event.map(ContainerEvent::of).transpose())
        }))
    }
}

impl ContainerEvent {
    fn of(event: EventMessage) -> Option<Self> {
        let actor = event.actor.unwrap_or_default();
        // The engine puts the labels and its own attributes into one map.
        let labels: BTreeMap<_, _> = actor.attributes.unwrap_or_default().into_iter().collect();
        let exit = labels
            .get("exitCode")
            .or_else(|| labels.get("containerExitCode"));
        let what = match event.action.as_deref()? {
            "start" => Happening::Started,
            "oom" => Happening::OutOfMemory,
            "die" | "died" => Happening::Died {
                exit: exit.and_then(|code| code.parse().ok()),
            },
            "destroy" | "remove" => Happening::Removed,
            _ => return None,
        };
        let at_ns = event
            .time_nano
            .or(event.time.map(|s| s.saturating_mul(1_000_000_000)));
        Some(Self {
            container: actor.id?,
            labels,
            what,
            at_ns: at_ns.unwrap_or(0),
        })
    }
}
