//! Work on a task's repositories beside its runner: branches, diffs, commits, syncs, the end.

pub(crate) mod branches;
pub(crate) mod bring_out;
pub(crate) mod check;
pub(crate) mod commit;
pub(crate) mod diff;
pub(crate) mod fork;
pub(crate) mod keep;
pub(crate) mod purge;
pub(crate) mod relink;
pub(crate) mod sync;

use std::sync::Arc;

use paddock_boxes::LiveBox;
use paddock_domain::{RepositoryView, Task, Transition};
use paddock_git::{Branch, InspectError, Oid, Repository};
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::CommandError;
use crate::rooms::Rooms;
use crate::runner::Note;

/// What a job may look at, as it was when the job began, and how it tells its runner.
pub(crate) struct Work {
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) task: Task,
    pub(crate) place: Option<Arc<LiveBox>>,
    pub(crate) notes: mpsc::Sender<Note>,
    pub(crate) one_at_a_time: Arc<Mutex<()>>,
}

/// One repository of a task with everything that moving its commits needs.
pub(crate) struct Checkout {
    /// The repository on the host.
    pub(crate) repository: Repository,
    /// Its path as the task names it.
    pub(crate) path: String,
    /// Its directory in the box.
    pub(crate) dir: String,
    /// The task's branch.
    pub(crate) branch: Branch,
    /// Where the branch began.
    pub(crate) base: Oid,
}

impl Work {
    /// Brings up a box that does not run, so that its work can be seen and saved. What is in the way
    /// of that is told by [`Self::place`].
    pub(crate) async fn reach(&mut self) {
        if self.place.is_some() || self.task.box_name.is_none() {
            return;
        }
        let boxes = &self.rooms.boxes;
        let Ok(Some(record)) = boxes.record(&self.task.task_id) else {
            return;
        };
        if let Ok(place) = boxes.restart(&record).await {
            self.place = Some(Arc::new(place));
            self.note(Note::BoxInDoubt).await;
        }
    }

    /// Tells the runner; one that has gone away is no matter.
    pub(crate) async fn note(&self, note: Note) {
        let _ = self.notes.send(note).await;
    }

    pub(crate) async fn record(&self, transition: Transition) -> Result<(), CommandError> {
        let (reply, written) = oneshot::channel();
        self.note(Note::Record(transition, reply)).await;
        written.await.unwrap_or(Err(CommandError::ShuttingDown))
    }

    /// The box, which must answer.
    pub(crate) fn place(&self) -> Result<&LiveBox, CommandError> {
        self.place.as_deref().ok_or_else(|| CommandError::Failed {
            message: "the task's box does not answer just now; its work is kept. Revive the task, or try again in a moment".to_owned(),
        })
    }

    /// All repositories of the task that have their branch.
    pub(crate) async fn checkouts(&self) -> Result<Vec<Checkout>, CommandError> {
        let mut checkouts = Vec::new();
        for view in &self.task.repositories {
            checkouts.push(self.checkout(view).await?);
        }
        Ok(checkouts)
    }

    /// The repository at `path`, or the only one.
    pub(crate) async fn pick(&self, path: Option<&str>) -> Result<Checkout, CommandError> {
        let views = &self.task.repositories;
        let found = match path {
            Some(path) => views.iter().find(|view| view.path == path),
            None if views.len() > 1 => {
                let paths: Vec<_> = views.iter().map(|view| view.path.as_str()).collect();
                let message = format!(
                    "the task has several repositories; name one of {}",
                    paths.join(", ")
                );
                return Err(CommandError::Bad { message });
            }
            None => views.first(),
        };
        let view = found.ok_or_else(|| CommandError::NotFound {
            what: "repository",
            message: "the task has no such repository".to_owned(),
        })?;
        self.checkout(view).await
    }

    async fn checkout(&self, view: &RepositoryView) -> Result<Checkout, CommandError> {
        let not_yet = || CommandError::Conflict {
            message: format!("{} has no branch of this task yet", view.path),
            paths: Vec::new(),
        };
        let branch = view.branch.as_deref().ok_or_else(not_yet)?;
        let base = view
            .base_commit
            .as_deref()
            .and_then(Oid::parse)
            .ok_or_else(not_yet)?;
        let repository = self.repository(&view.path, &base).await?;
        let dirs = self.place.iter().flat_map(|place| &place.repositories);
        let dir = dirs
            .filter(|(path, _)| *path == view.path)
            .map(|(_, dir)| dir.clone())
            .next();
        Ok(Checkout {
            repository,
            path: view.path.clone(),
            dir: dir.unwrap_or_default(),
            branch: Branch::parse(branch).map_err(CommandError::failed)?,
            base,
        })
    }

    /// The repository at `path`, which must still be the one that the task began from.
    async fn repository(&self, path: &str, base: &Oid) -> Result<Repository, CommandError> {
        let host = &self.rooms.host;
        let repository = paddock_git::inspect(host, path)
            .await
            .map_err(|error| gone(path, error))?;
        let there = paddock_git::has_commit(host, &repository, base).await;
        if there.map_err(CommandError::failed)? {
            return Ok(repository);
        }
        let message = format!(
            "{path} has no commit {base}, which the task began from: it is another repository now, or a \
             damaged one (`git fsck` tells). What the task made is kept in its box; put the right \
             repository there, then try again"
        );
        let what = "repository";
        Err(CommandError::NotFound { what, message })
    }
}

/// What a user is told of a repository that was there when the task began.
fn gone(path: &str, error: InspectError) -> CommandError {
    let moved = matches!(
        error,
        InspectError::NoSuchDirectory { .. } | InspectError::NotARepository { .. }
    );
    if !moved {
        return CommandError::failed(error);
    }
    let message = format!(
        "the repository {path} is not there any more: it was moved or deleted. What the task made is kept \
         in its box; move the repository back, or tell the task where it is now (`paddock relink TASK NEW`), \
         then try again"
    );
    let what = "repository";
    CommandError::NotFound { what, message }
}
