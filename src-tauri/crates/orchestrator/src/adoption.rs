//! What a new life of Paddock finds: journals, repositories and boxes, all looked at side by side.
//!
//! The API answers before any of it: what is known so far is published, and what is still being looked
//! for is said by [`Phases`]. A task is adopted as soon as its journal is open, those with an agent
//! first; nothing waits for a slow repository or an engine that does not answer. Boxes without a task
//! are shown and left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::{StreamExt, stream};
use paddock_domain::{Task, TaskId};
use tokio::sync::mpsc;

use crate::dispatcher::Input;
use crate::keeping;
use crate::orphans;
use crate::rooms::Rooms;

/// Journals that are opened at the same time.
const JOURNALS_AT_ONCE: usize = 8;
/// Repositories that are looked at at the same time.
const REPOSITORIES_AT_ONCE: usize = 4;

/// What is still being looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// Journals are being opened: tasks are shown as the index knows them.
    pub journals: bool,
    /// Repositories are being looked at: one that was moved or deleted is not told yet.
    pub repositories: bool,
    /// Hosts are being looked at: boxes without a task are not told yet.
    pub hosts: bool,
}

impl Phases {
    /// All of it.
    pub(crate) const ALL: Self = Self {
        journals: true,
        repositories: true,
        hosts: true,
    };

    /// Whether anything is still being looked for.
    #[must_use]
    pub fn any(self) -> bool {
        self.journals || self.repositories || self.hosts
    }
}

/// Finds what earlier lives left.
pub(crate) async fn adopt(rooms: Arc<Rooms>, inputs: mpsc::Sender<Input>) {
    let tasks = rooms.store.tasks();
    tokio::join!(
        journals(&rooms, &tasks, &inputs),
        repositories(&rooms, &tasks, &inputs),
        hosts(&rooms, &inputs),
    );
}

/// Opens the journals of all tasks that are not over.
async fn journals(rooms: &Rooms, tasks: &[Task], inputs: &mpsc::Sender<Input>) {
    let mut open: Vec<&Task> = tasks
        .iter()
        .filter(|task| !task.machine().is_terminal())
        .collect();
    // Where an agent may be waiting for us comes first.
    open.sort_by_key(|task| !task.machine().has_run());
    let opened: Vec<_> = open
        .into_iter()
        .map(|task| journal(rooms, task.clone()))
        .collect();
    let mut opened = std::pin::pin!(stream::iter(opened).buffer_unordered(JOURNALS_AT_ONCE));
    while let Some(input) = opened.next().await {
        let _ = inputs.send(input).await;
    }
    for task in tasks {
        let words = keeping::words(&rooms.found, &task.task_id);
        if !words.is_empty() {
            let _ = inputs.send(Input::Tell(task.task_id.clone(), words)).await;
        }
    }
    let _ = inputs.send(Input::JournalsRead).await;
}

async fn journal(rooms: &Rooms, task: Task) -> Input {
    match rooms.store.journal(&task.task_id).await {
        Ok(journal) => Input::Adopt(Box::new(journal)),
        Err(error) => {
            tracing::warn!(task.id = %task.task_id, %error, "the task is shown as it was last known");
            Input::Unserved(Arc::new(keeping::unserved(task, &error)))
        }
    }
}

/// Sees which repositories are not where their tasks know them.
async fn repositories(rooms: &Rooms, tasks: &[Task], inputs: &mpsc::Sender<Input>) {
    let live = tasks.iter().filter(|task| !task.machine().is_terminal());
    let paths: BTreeSet<&str> = live
        .flat_map(|task| &task.repositories)
        .map(|view| view.path.as_str())
        .collect();
    let looks: Vec<_> = paths
        .into_iter()
        .map(|path| missing(rooms, path.to_owned()))
        .collect();
    let looks = stream::iter(looks).buffer_unordered(REPOSITORIES_AT_ONCE);
    let missing: BTreeMap<String, String> = looks.filter_map(std::future::ready).collect().await;
    let _ = inputs.send(Input::Repositories(missing)).await;
}

async fn missing(rooms: &Rooms, path: String) -> Option<(String, String)> {
    let looked = paddock_git::inspect(&rooms.host, &path).await;
    looked.err().map(|error| (path, error.to_string()))
}

/// Sees which boxes belong to no task.
async fn hosts(rooms: &Rooms, inputs: &mpsc::Sender<Input>) {
    let known: BTreeSet<TaskId> = rooms
        .store
        .tasks()
        .into_iter()
        .map(|task| task.task_id)
        .collect();
    let found = orphans::look(rooms, &known).await;
    if let Err(error) = &found {
        tracing::warn!(%error, "boxes without a task could not be looked for");
    }
    let found = found.unwrap_or_default();
    let _ = inputs.send(Input::Orphans(found)).await;
}
