//! What was kept in repositories before something destructive; and what a review asks for.

use axum::Json;
use axum::extract::{Path, State};
use paddock_api::{BranchQuery, RepositoryQuery, TrashEntryQuery, TrashQuery, paths};
use paddock_domain::{
    BranchNames, TaskCommits, TaskId, TrashDetail, TrashDropped, TrashList, TrashRestoreRequest,
    TrashRestored,
};

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Asked, Given, OfTask};

/// What was kept, newest first
#[utoipa::path(get, path = paths::TRASH, tag = "trash", params(TrashQuery),
    responses((status = 200, body = TrashList)))]
pub(crate) async fn list(
    State(door): State<Door>,
    Asked(query): Asked<TrashQuery>,
) -> Answer<Json<TrashList>> {
    let (repository, task) = (query.repository.as_deref(), query.task_id.as_ref());
    Ok(Json(door.orchestrator().trash(repository, task).await?))
}

/// Look into one entry
#[utoipa::path(get, path = paths::TRASH_ENTRY, tag = "trash",
    params(("task_id" = String, Path, description = "The task, whether it is known or not"),
        ("number" = u64, Path, description = "The entry's number"), TrashEntryQuery),
    responses((status = 200, body = TrashDetail)))]
pub(crate) async fn show(
    State(door): State<Door>,
    Path(entry): Path<(String, String)>,
    Asked(query): Asked<TrashEntryQuery>,
) -> Answer<Json<TrashDetail>> {
    let (task, number) = named(&entry)?;
    let (repository, path) = (query.repository.as_deref(), query.path.as_deref());
    let orchestrator = door.orchestrator();
    let detail = orchestrator
        .trash_entry(&task, number, repository, path)
        .await?;
    Ok(Json(detail))
}

/// Bring an entry back onto a branch of its own
#[utoipa::path(post, path = paths::TRASH_RESTORE, tag = "trash", request_body = TrashRestoreRequest,
    params(("task_id" = String, Path, description = "The task, whether it is known or not"),
        ("number" = u64, Path, description = "The entry's number")),
    responses((status = 200, body = TrashRestored)))]
pub(crate) async fn restore(
    State(door): State<Door>,
    Path(entry): Path<(String, String)>,
    Given(request): Given<TrashRestoreRequest>,
) -> Answer<Json<TrashRestored>> {
    let (task, number) = named(&entry)?;
    let orchestrator = door.orchestrator();
    let restored = orchestrator.trash_restore(&task, number, request).await?;
    Ok(Json(restored))
}

/// Let go of an entry
#[utoipa::path(delete, path = paths::TRASH_ENTRY, tag = "trash",
    params(("task_id" = String, Path, description = "The task, whether it is known or not"),
        ("number" = u64, Path, description = "The entry's number"), RepositoryQuery),
    responses((status = 200, body = TrashDropped)))]
pub(crate) async fn drop_entry(
    State(door): State<Door>,
    Path(entry): Path<(String, String)>,
    Asked(query): Asked<RepositoryQuery>,
) -> Answer<Json<TrashDropped>> {
    let (task, number) = named(&entry)?;
    let orchestrator = door.orchestrator();
    let dropped = orchestrator
        .trash_drop(&task, number, query.repository.as_deref())
        .await?;
    Ok(Json(dropped))
}

fn named((task, number): &(String, String)) -> Result<(TaskId, u64), Failure> {
    let missing = |error: &dyn std::fmt::Display| Failure::not_found("trash", error.to_string());
    let task = TaskId::parse(task).map_err(|error| missing(&error))?;
    let number = number
        .parse()
        .map_err(|_| missing(&"an entry is named by its number"))?;
    Ok((task, number))
}

/// The commits of a task
#[utoipa::path(get, path = paths::TASK_COMMITS, tag = "work",
    params(("task_id" = String, Path, description = "The task"), RepositoryQuery),
    responses((status = 200, body = TaskCommits)))]
pub(crate) async fn commits(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Asked(query): Asked<RepositoryQuery>,
) -> Answer<Json<TaskCommits>> {
    let orchestrator = door.orchestrator();
    let commits = orchestrator.commits(&task_id, query.repository).await?;
    Ok(Json(commits))
}

/// Names that a task can start from
#[utoipa::path(get, path = paths::REPOS_BRANCHES, tag = "repos", params(BranchQuery),
    responses((status = 200, body = BranchNames)))]
pub(crate) async fn branches(
    State(door): State<Door>,
    Asked(query): Asked<BranchQuery>,
) -> Answer<Json<BranchNames>> {
    let prefix = query.prefix.unwrap_or_default();
    let orchestrator = door.orchestrator();
    let names = orchestrator
        .branch_names(&query.path, &prefix, query.limit)
        .await?;
    Ok(Json(names))
}
