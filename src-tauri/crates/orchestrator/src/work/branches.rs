//! Branches at both ends of a task's life: claimed when it begins, let go when nothing came of it.

use std::time::Duration;

use paddock_domain::{Body, ErrorClass, RepositorySpec, StateName, Task, TrashReason};
use paddock_git::{AskRemotes, Base, Branch, Keeping, Oid, Repository};

use crate::ids;
use crate::rooms::Rooms;
use crate::runner::SetupError;

/// How long each remote is asked which branches it has.
const ASK: Duration = Duration::from_secs(3);

/// Gives every repository of `task` its branch and keeps the base from being cleaned away.
pub(crate) async fn claim(rooms: &Rooms, task: &Task) -> Result<Vec<Body>, SetupError> {
    let mut found = Vec::new();
    for spec in &task.spec.repositories {
        found.push(look(rooms, spec).await?);
    }
    let mut events = Vec::new();
    for (spec, repository, base) in &found {
        for text in repository.notices() {
            let level = paddock_domain::NoticeLevel::Warning;
            let phase = Some(paddock_domain::Phase::Branching);
            events.push(Body::Notice {
                level,
                phase,
                text: format!("{}: {text}", spec.path),
            });
        }
        if let Some(name) = &spec.branch {
            events.push(adopt(rooms, task, spec, repository, base, name).await?);
        }
    }
    let fresh: Vec<_> = found
        .iter()
        .filter(|(spec, _, _)| spec.branch.is_none())
        .collect();
    if fresh.is_empty() {
        return Ok(events);
    }
    let claims: Vec<_> = fresh
        .iter()
        .map(|(_, repository, base)| (repository, &base.commit))
        .collect();
    let branch =
        paddock_git::claim_branch(&rooms.host, &task.task_id, &claims, AskRemotes::Within(ASK))
            .await
            .map_err(git_failed)?;
    for (spec, repository, base) in fresh {
        pin(rooms, task, repository, &base.commit).await?;
        events.push(claimed(spec, &branch, base, &base.commit, false));
    }
    Ok(events)
}

async fn look<'a>(
    rooms: &Rooms,
    spec: &'a RepositorySpec,
) -> Result<(&'a RepositorySpec, Repository, Base), SetupError> {
    let repository = paddock_git::inspect(&rooms.host, &spec.path)
        .await
        .map_err(git_failed)?;
    let base = paddock_git::resolve_base(&rooms.host, &repository, spec.base.as_deref())
        .await
        .map_err(git_failed)?;
    Ok((spec, repository, base))
}

async fn adopt(
    rooms: &Rooms,
    task: &Task,
    spec: &RepositorySpec,
    repository: &Repository,
    base: &Base,
    name: &str,
) -> Result<Body, SetupError> {
    let branch = Branch::parse(name).map_err(git_failed)?;
    let commits = paddock_git::adopt_branch(&rooms.host, &[repository], &branch)
        .await
        .map_err(git_failed)?;
    let start = commits
        .into_iter()
        .next()
        .unwrap_or_else(|| base.commit.clone());
    pin(rooms, task, repository, &start).await?;
    Ok(claimed(spec, &branch, base, &start, true))
}

async fn pin(
    rooms: &Rooms,
    task: &Task,
    repository: &Repository,
    commit: &Oid,
) -> Result<(), SetupError> {
    paddock_git::pin(&rooms.host, repository, &task.task_id, commit)
        .await
        .map_err(git_failed)
}

fn claimed(
    spec: &RepositorySpec,
    branch: &Branch,
    base: &Base,
    start: &Oid,
    adopted: bool,
) -> Body {
    Body::BranchClaimed {
        repository: spec.path.clone(),
        branch: branch.as_str().to_owned(),
        base: base.name.clone(),
        base_commit: start.as_str().to_owned(),
        adopted,
    }
}

fn git_failed(cause: impl std::fmt::Display) -> SetupError {
    SetupError::new(ErrorClass::Git, cause)
}

/// Lets go of what was kept for `task`. A branch of a task that failed to start, still where it began,
/// is removed again; any other stays, with its commits.
pub(crate) async fn let_go(rooms: &Rooms, task: &Task) {
    for view in &task.repositories {
        let Ok(repository) = paddock_git::inspect(&rooms.host, &view.path).await else {
            continue;
        };
        let unused = task.state == StateName::Failed;
        let keeping = Keeping {
            task: &task.task_id,
            reason: TrashReason::Unlanded,
            at: ids::now(),
        };
        let adopted = task
            .spec
            .repositories
            .iter()
            .any(|spec| spec.path == view.path && spec.branch.is_some());
        let branch = view
            .branch
            .as_deref()
            .and_then(|name| Branch::parse(name).ok());
        let base = view.base_commit.as_deref().and_then(Oid::parse);
        if let (true, false, Some(branch), Some(base)) = (unused, adopted, branch, base) {
            let released =
                paddock_git::release_branch(&rooms.host, &repository, &branch, &base).await;
            log(task, released.map(drop));
        }
        log(
            task,
            paddock_git::unpin(&rooms.host, &repository, keeping).await,
        );
    }
}

fn log(task: &Task, done: Result<(), paddock_git::GitError>) {
    if let Err(error) = done {
        tracing::warn!(task.id = %task.task_id, %error, "a ref of the task could not be removed");
    }
}
