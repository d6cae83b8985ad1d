//! Containers: make, start, look at, stop, remove, list.

use std::collections::{BTreeMap, HashMap};

use bollard::models::{
    ContainerInspectResponse, ContainerStateStatusEnum as Status, ContainerSummary,
    ContainerSummaryStateEnum as Listed,
};
use bollard::query_parameters::{
    CreateContainerOptions, InspectContainerOptions, KillContainerOptions, ListContainersOptions,
    LogsOptions, RemoveContainerOptions, StartContainerOptions, StopContainerOptions,
};
use futures_util::StreamExt;

use crate::error::{About, EngineError};
use crate::{ContainerSpec, Engine};

/// A container as the engine sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// The engine's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its image, as it was named at creation.
    pub image: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Where it stands.
    pub state: ContainerState,
}

/// Where a container stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerState {
    /// Made and never started, or about to be removed.
    Created,
    /// Running, or paused.
    Running,
    /// Over.
    Ended {
        /// Its exit code; absent in a list.
        exit: Option<i64>,
        /// Whether it ran out of memory; false in a list.
        oom: bool,
    },
}

impl Engine {
    /// How much of the end of a container's output [`Engine::last_words`] gives, in lines.
    pub const LAST_LINES: usize = 20;

    /// Makes the container `spec` and gives its id. It does not run yet.
    ///
    /// # Errors
    /// [`EngineError::NoSuchImage`], [`EngineError::Conflict`] when its name is taken,
    /// [`EngineError::NotAccepted`] when a mount's source is missing or a figure is out of bounds.
    pub async fn create(&self, spec: &ContainerSpec) -> Result<String, EngineError> {
        let options = CreateContainerOptions {
            name: Some(spec.name.clone()),
            ..CreateContainerOptions::default()
        };
        let about = About::NewContainer {
            name: &spec.name,
            image: &spec.image,
        };
        let made = self
            .client
            .create_container(Some(options), spec.body())
            .await;
        let made = made.map_err(|e| self.fault(about, e))?;
        for warning in &made.warnings {
            tracing::warn!(container = spec.name, warning, "the engine warns");
        }
        Ok(made.id)
    }

    /// Starts a container; one that runs already is left alone.
    ///
    /// # Errors
    /// [`EngineError::NoSuchContainer`], [`EngineError::NotAccepted`] or [`EngineError::Failed`] when
    /// its program cannot be executed.
    pub async fn start(&self, container: &str) -> Result<(), EngineError> {
        let started = self
            .client
            .start_container(container, None::<StartContainerOptions>);
        let started = started.await;
        started.map_err(|e| self.fault(About::Container(container), e))
    }

    /// Looks at a container; none when it is not there.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot be asked.
    pub async fn inspect(&self, container: &str) -> Result<Option<Container>, EngineError> {
        let seen = self
            .client
            .inspect_container(container, None::<InspectContainerOptions>);
        match seen
            .await
            .map_err(|e| self.fault(About::Container(container), e))
        {
            Ok(seen) => Ok(Some(Container::inspected(seen))),
            Err(EngineError::NoSuchContainer { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// Stops a container: SIGTERM, then SIGKILL after `grace_s` seconds. One that is over or gone is
    /// left alone.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot be asked or fails.
    pub async fn stop(&self, container: &str, grace_s: u16) -> Result<(), EngineError> {
        let options = StopContainerOptions {
            t: Some(i32::from(grace_s)),
            ..StopContainerOptions::default()
        };
        let stopped = self.client.stop_container(container, Some(options)).await;
        gone_is_fine(stopped.map_err(|e| self.fault(About::Container(container), e)))
    }

    /// Ends a container at once. One that is over or gone is left alone.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot be asked or fails.
    pub async fn kill(&self, container: &str) -> Result<(), EngineError> {
        let killed = self
            .client
            .kill_container(container, None::<KillContainerOptions>);
        match gone_is_fine(
            killed
                .await
                .map_err(|e| self.fault(About::Container(container), e)),
        ) {
            // It does not run.
            Err(EngineError::Conflict { .. }) => Ok(()),
            other => other,
        }
    }

    /// Removes a container, running or not, with its anonymous volumes. One that is gone, or whose
    /// removal is under way, is left alone.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot be asked or fails.
    pub async fn remove(&self, container: &str) -> Result<(), EngineError> {
        let options = RemoveContainerOptions {
            force: true,
            v: true,
            ..RemoveContainerOptions::default()
        };
        let removed = self.client.remove_container(container, Some(options)).await;
        match gone_is_fine(removed.map_err(|e| self.fault(About::Container(container), e))) {
            Err(EngineError::Conflict { message }) if message.contains("already in progress") => {
                Ok(())
            }
            other => other,
        }
    }

    /// All containers, running or not, that carry every one of `labels`.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot be asked.
    pub async fn list(&self, labels: &BTreeMap<&str, &str>) -> Result<Vec<Container>, EngineError> {
        let options = ListContainersOptions {
            all: true,
            filters: Some(HashMap::from([("label".to_owned(), label_filter(labels))])),
            ..ListContainersOptions::default()
        };
        let listed = self.client.list_containers(Some(options)).await;
        let listed = listed.map_err(|e| self.fault(About::Engine, e))?;
        Ok(listed.into_iter().map(Container::listed).collect())
    }

    /// The end of what a container wrote, at most [`Engine::LAST_LINES`] lines; nothing when the
    /// engine does not have it.
    pub async fn last_words(&self, container: &str) -> String {
        let options = LogsOptions {
            stdout: true,
            stderr: true,
            tail: Self::LAST_LINES.to_string(),
            ..LogsOptions::default()
        };
        let lines = self.client.logs(container, Some(options));
        let lines = lines
            .take(4 * Self::LAST_LINES)
            .filter_map(async |line| line.ok());
        let text: Vec<String> = lines.map(|line| line.to_string()).collect().await;
        text.concat().trim().to_owned()
    }
}

/// `key=value` for each, as filters want it.
pub(crate) fn label_filter(labels: &BTreeMap<&str, &str>) -> Vec<String> {
    let pairs = labels.iter();
    pairs.map(|(key, value)| format!("{key}={value}")).collect()
}

fn gone_is_fine(result: Result<(), EngineError>) -> Result<(), EngineError> {
    match result {
        Err(EngineError::NoSuchContainer { .. }) => Ok(()),
        other => other,
    }
}

impl Container {
    fn inspected(seen: ContainerInspectResponse) -> Self {
        let config = seen.config.unwrap_or_default();
        let state = seen.state.unwrap_or_default();
        let ended = ContainerState::Ended {
            exit: state.exit_code,
            oom: state.oom_killed.unwrap_or(false),
        };
        Self {
            id: seen.id.unwrap_or_default(),
            name: plain_name(&seen.name.unwrap_or_default()),
            image: config.image.unwrap_or_default(),
            labels: config.labels.unwrap_or_default().into_iter().collect(),
            state: match state.status {
                Some(Status::RUNNING | Status::PAUSED | Status::RESTARTING | Status::STOPPING) => {
                    ContainerState::Running
                }
                Some(Status::EXITED | Status::DEAD) => ended,
                Some(Status::CREATED | Status::REMOVING | Status::EMPTY) | None => {
                    ContainerState::Created
                }
            },
        }
    }

    fn listed(listed: ContainerSummary) -> Self {
        let names = listed.names.unwrap_or_default();
        Self {
            id: listed.id.unwrap_or_default(),
            name: names
                .first()
                .map(|name| plain_name(name))
                .unwrap_or_default(),
            image: listed.image.unwrap_or_default(),
            labels: listed.labels.unwrap_or_default().into_iter().collect(),
            state: match listed.state {
                Some(Listed::RUNNING | Listed::PAUSED | Listed::RESTARTING | Listed::STOPPING) => {
                    ContainerState::Running
                }
                Some(Listed::EXITED | Listed::DEAD) => ContainerState::Ended {
                    exit: None,
                    oom: false,
                },
                Some(Listed::CREATED | Listed::REMOVING | Listed::EMPTY) | None => {
                    ContainerState::Created
                }
            },
        }
    }
}

/// Docker writes names with a slash before them.
fn plain_name(name: &str) -> String {
    name.trim_start_matches('/').to_owned()
}
