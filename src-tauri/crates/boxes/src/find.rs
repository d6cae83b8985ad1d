//! What boxes there are: those with a directory, those with a container, and those with only one of
//! both.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use paddock_docker::{Container, ContainerState};
use paddock_domain::{BoxKind, TaskId};
use paddock_relay_client::RelayError;

use crate::reach::Reach;
use crate::{BoxDirs, BoxError, BoxRecord, Boxes, Stage, container, layout};

/// A box, or what is left of one.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundBox {
    /// The task that it belongs to.
    pub task_id: TaskId,
    /// What it is made of; none when only a container or an unreadable directory is left, which
    /// [`Boxes::remove_task`] ends.
    pub record: Option<BoxRecord>,
    /// Where it stands.
    pub state: BoxState,
}

/// Where a box stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxState {
    /// Its relay answers, or its container runs.
    Running,
    /// Its container is over.
    Ended {
        /// The code that it ended with, when known.
        exit: Option<i64>,
        /// Whether its memory was used up.
        oom: bool,
    },
    /// It stands, and nothing answers in it.
    NoRelay,
    /// Its making or removal was cut short, or parts of it are missing.
    HalfMade,
    /// It is a container, and the engine cannot be asked.
    Unreachable,
}

impl Boxes {
    /// The boxes of this data directory, by directory and by label, without those of `known` tasks, which
    /// are not looked at. When the engine cannot be asked, its boxes are [`BoxState::Unreachable`].
    ///
    /// # Errors
    /// [`BoxError::Disk`] when the directory of boxes cannot be read.
    pub async fn find_besides(&self, known: &BTreeSet<TaskId>) -> Result<Vec<FoundBox>, BoxError> {
        let mut tasks = directories(&BoxDirs::all(&self.inner.settings.data_dir))?;
        tasks.retain(|task| !known.contains(task));
        let containers = self.containers(known).await;
        let mut found = BTreeMap::new();
        for task_id in tasks {
            // One that cannot be read is shown, so that it can be removed.
            let record = BoxRecord::read(&self.dirs(&task_id)).unwrap_or_else(|error| {
                tracing::warn!(task.id = %task_id, %error, "a box's record cannot be read");
                None
            });
            let state = self
                .state(&task_id, record.as_ref(), containers.as_ref())
                .await;
            let box_found = FoundBox {
                task_id: task_id.clone(),
                record,
                state,
            };
            found.insert(task_id, box_found);
        }
        for task_id in containers.into_iter().flatten().map(|(task_id, _)| task_id) {
            found.entry(task_id.clone()).or_insert(FoundBox {
                task_id,
                record: None,
                state: BoxState::HalfMade,
            });
        }
        Ok(found.into_values().collect())
    }

    /// The containers of this data directory by task, without those `besides`; none when the engine cannot
    /// be asked.
    async fn containers(&self, besides: &BTreeSet<TaskId>) -> Option<BTreeMap<TaskId, Container>> {
        let engine = self.engine().await.ok()?.engine;
        let listed = match container::list(&engine, &self.inner.data_mark, None).await {
            Ok(listed) => listed,
            Err(error) => {
                if let BoxError::Engine(error) = &error {
                    self.inner.link.note(error).await;
                }
                tracing::warn!(%error, "the containers cannot be listed");
                return None;
            }
        };
        let mut containers = BTreeMap::new();
        for mut container in listed {
            let label = container.labels.get(layout::TASK_LABEL);
            let Some(Ok(task_id)) = label.map(|label| TaskId::parse(label)) else {
                continue;
            };
            if besides.contains(&task_id) {
                continue;
            }
            // A list does not say how a container ended.
            if matches!(container.state, ContainerState::Ended { .. })
                && let Ok(Some(seen)) = engine.inspect(&container.id).await
            {
                container = seen;
            }
            containers.insert(task_id, container);
        }
        Some(containers)
    }

    async fn state(
        &self,
        task_id: &TaskId,
        record: Option<&BoxRecord>,
        containers: Option<&BTreeMap<TaskId, Container>>,
    ) -> BoxState {
        let Some(record) = record.filter(|record| record.stage == Stage::Ready) else {
            return BoxState::HalfMade;
        };
        let relay = self.dirs(task_id).relay;
        match (record.kind, containers.map(|all| all.get(task_id))) {
            (BoxKind::Worktree, _) => answering(task_id, &relay).await,
            (BoxKind::Container, None) => match answering(task_id, &relay).await {
                // The engine is down and the box is not.
                BoxState::Running => BoxState::Running,
                BoxState::Ended { .. }
                | BoxState::NoRelay
                | BoxState::HalfMade
                | BoxState::Unreachable => BoxState::Unreachable,
            },
            (BoxKind::Container, Some(None)) => BoxState::HalfMade,
            (BoxKind::Container, Some(Some(container))) => match container.state {
                ContainerState::Running => BoxState::Running,
                ContainerState::Created => BoxState::Ended {
                    exit: None,
                    oom: false,
                },
                ContainerState::Ended { exit, oom } => BoxState::Ended { exit, oom },
            },
        }
    }
}

async fn answering(task_id: &TaskId, relay: &Path) -> BoxState {
    match Reach::socket(task_id, relay).connect().await {
        // One that we do not understand, or that does not get to answer, runs too.
        Ok(_) | Err(RelayError::VersionMismatch { .. } | RelayError::TimedOut { .. }) => {
            BoxState::Running
        }
        Err(_) => BoxState::NoRelay,
    }
}

/// The tasks that have a directory.
fn directories(all: &Path) -> Result<Vec<TaskId>, BoxError> {
    let entries = match std::fs::read_dir(all) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(BoxError::disk(all, error)),
    };
    let names = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let tasks = names.filter_map(|entry| TaskId::parse(entry.file_name().to_str()?).ok());
    Ok(tasks.collect())
}
