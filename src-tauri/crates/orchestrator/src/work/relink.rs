//! A repository that was moved on the host is known to its task by its new path.
//!
//! It must be the same repository: the commit from which the task began is there, and the box can read all
//! that it borrows. The box is told first, then the journal; doing it again after a crash in between does
//! what is left.

use std::path::Path;

use paddock_boxes::BoxRepository;
use paddock_domain::{BoxKind, RelinkRequest, RepositoryView, StateName};
use paddock_git::{Branch, Oid};
use tokio::sync::oneshot;

use super::Work;
use crate::CommandError;
use crate::runner::Note;

/// Tells the box and the journal of a task what `request` says.
pub(crate) async fn relink(work: &Work, request: &RelinkRequest) -> Result<(), CommandError> {
    let _one = work.one_at_a_time.lock().await;
    let view = view_of(work, request.repository.as_deref())?;
    check(work, view, &request.path)?;
    let moved = look(work, view, &request.path).await?;
    let stands = matches!(work.rooms.boxes.record(&work.task.task_id), Ok(Some(_)));
    if stands && work.task.box_name.is_some() {
        tell_box(work, view, &moved).await?;
    }
    let (reply, written) = oneshot::channel();
    let (from, to) = (view.path.clone(), request.path.clone());
    work.note(Note::Relinked { from, to, reply }).await;
    written.await.unwrap_or(Err(CommandError::ShuttingDown))
}

fn view_of<'a>(work: &'a Work, named: Option<&str>) -> Result<&'a RepositoryView, CommandError> {
    let views = &work.task.repositories;
    if let Some(named) = named {
        let found = views.iter().find(|view| view.path == named);
        return found.ok_or_else(|| CommandError::NotFound {
            what: "repository",
            message: format!("the task has no repository {named}"),
        });
    }
    let gone: Vec<_> = views
        .iter()
        .filter(|view| !Path::new(&view.path).is_dir())
        .collect();
    match (gone.as_slice(), views.as_slice()) {
        ([one], _) => Ok(one),
        ([], [one]) => Ok(one),
        (_, []) => Err(CommandError::bad("the task has no repository")),
        _ => Err(CommandError::bad(
            "the task has several repositories: name the one that was moved",
        )),
    }
}

/// Refuses what cannot be, or not now.
fn check(work: &Work, view: &RepositoryView, to: &str) -> Result<(), CommandError> {
    let task = &work.task;
    if !Path::new(to).is_absolute() {
        return Err(CommandError::bad(format!("`{to}` is not an absolute path")));
    }
    if view.path == to {
        let message = format!("the task knows the repository as {to} already");
        return Err(CommandError::conflict(message));
    }
    if task.repositories.iter().any(|other| other.path == to) {
        let message = format!("{to} is another repository of the task");
        return Err(CommandError::conflict(message));
    }
    let rests = matches!(task.state, StateName::Stopped | StateName::Crashed);
    if !rests && !is_at_work(task.state) {
        let message = format!("not while the task is {}", task.state);
        return Err(CommandError::conflict(message));
    }
    if task.box_kind == Some(BoxKind::Container) && !rests {
        return Err(CommandError::conflict(
            "the task's container has to be made again to see the repository where it is now: stop the task, \
             say this again, then revive it",
        ));
    }
    Ok(())
}

fn is_at_work(state: StateName) -> bool {
    use StateName::{Asking, HasPlan, Running, Waiting};
    matches!(state, Running | Waiting | Asking | HasPlan)
}

/// The repository as the box needs it, which must be the one from which the task began.
async fn look(work: &Work, view: &RepositoryView, to: &str) -> Result<BoxRepository, CommandError> {
    let base = view.base_commit.as_deref().and_then(Oid::parse);
    let branch = view
        .branch
        .as_deref()
        .and_then(|name| Branch::parse(name).ok());
    let (Some(base), Some(branch)) = (base, branch) else {
        return Err(CommandError::conflict(
            "the task has not begun from the repository yet, so it cannot be told whether this is the same: \
             purge the task and make it again from the new path",
        ));
    };
    let host = &work.rooms.host;
    let found = paddock_git::inspect(host, to).await;
    let found =
        found.map_err(|error| CommandError::missing_or_failed("repository", true, error))?;
    let there = paddock_git::has_commit(host, &found, &base).await;
    if !there.map_err(CommandError::failed)? {
        return Err(another(to));
    }
    // Before anything leans on it: no clean-up takes what the task began from.
    paddock_git::pin(host, &found, &work.task.task_id, &base)
        .await
        .map_err(CommandError::failed)?;
    Ok(BoxRepository {
        host_path: to.to_owned(),
        branch,
        base,
        files: None,
        refs: Vec::new(),
        inspected: Some(found),
    })
}

async fn tell_box(
    work: &Work,
    view: &RepositoryView,
    moved: &BoxRepository,
) -> Result<(), CommandError> {
    let boxes = &work.rooms.boxes;
    let told = boxes.relink(&work.task.task_id, &view.path, moved).await;
    match told.map_err(CommandError::failed)? {
        Some(_) => Ok(()),
        None => Err(another(&moved.host_path)),
    }
}

fn another(path: &str) -> CommandError {
    CommandError::conflict(format!(
        "{path} is another repository, or a copy without all that the task uses: what the task began from, or \
         what its box borrows, is not there. Nothing has changed"
    ))
}
