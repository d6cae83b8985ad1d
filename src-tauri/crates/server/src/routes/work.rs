//! What a task has made: its diff, its commits, where they go, and what remains of it.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use paddock_api::{Accepted, CommitMade, CommitPreviewList, CommitPreviewQuery, SquashList, paths};
use paddock_domain::{
    CommitRequest, DiffRequest, DiffWhat, PurgePreview, PurgeRequest, SyncReport, SyncRequest,
};

use super::attachments::as_file;
use super::{Answer, accepted};
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Asked, Given, Nothing, OfTask};

/// What changed since the base, as a unified diff
#[utoipa::path(get, path = paths::TASK_DIFF, tag = "work",
    params(("task_id" = String, Path, description = "The task"),
        ("repository" = Option<String>, Query, description = "The repository's path; the only one when absent"),
        ("path" = Option<String>, Query, description = "One file; all when absent"),
        ("what" = Option<DiffWhat>, Query, description = "`committed` or `uncommitted` alone; `all` when absent"),
        ("commit" = Option<String>, Query, description = "What this one commit of the task did")),
    responses((status = 200, content_type = "text/plain", body = String)))]
pub(crate) async fn diff(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Asked(request): Asked<DiffRequest>,
) -> Answer<impl IntoResponse> {
    let diff = door.orchestrator().diff(&task_id, request).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], diff))
}

/// What a commit would take
#[utoipa::path(get, path = paths::TASK_COMMIT, tag = "work",
    params(("task_id" = String, Path, description = "The task"), CommitPreviewQuery),
    responses((status = 200, body = CommitPreviewList)))]
pub(crate) async fn commit_preview(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Asked(query): Asked<CommitPreviewQuery>,
) -> Answer<Json<CommitPreviewList>> {
    let repositories = door
        .orchestrator()
        .commit_preview(&task_id, query.repository)
        .await?;
    Ok(Json(CommitPreviewList { repositories }))
}

/// Commit what was previewed
#[utoipa::path(post, path = paths::TASK_COMMIT, tag = "work", request_body = CommitRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = CommitMade)))]
pub(crate) async fn commit(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<CommitRequest>,
) -> Answer<Json<CommitMade>> {
    let commit = door.orchestrator().commit(&task_id, request).await?;
    Ok(Json(CommitMade { commit }))
}

/// What a squash onto the default branch would do
#[utoipa::path(get, path = paths::TASK_SQUASH, tag = "work",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = SquashList)))]
pub(crate) async fn squash_preview(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<SquashList>> {
    let repositories = door.orchestrator().squash_preview(&task_id).await?;
    Ok(Json(SquashList { repositories }))
}

/// Bring commits out and push them
#[utoipa::path(post, path = paths::TASK_SYNC, tag = "work", request_body = SyncRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = SyncReport)))]
pub(crate) async fn sync(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<SyncRequest>,
) -> Answer<Json<SyncReport>> {
    Ok(Json(door.orchestrator().sync(&task_id, request).await?))
}

/// What a purge would take
#[utoipa::path(get, path = paths::TASK_PURGE, tag = "work",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = PurgePreview)))]
pub(crate) async fn purge_preview(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<PurgePreview>> {
    Ok(Json(door.orchestrator().purge_preview(&task_id).await?))
}

/// Remove the box after its recovery window
#[utoipa::path(post, path = paths::TASK_PURGE, tag = "work", request_body = PurgeRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn purge(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<PurgeRequest>,
) -> Answer<impl IntoResponse> {
    door.orchestrator().purge(&task_id, request).await?;
    accepted(&door, task_id)
}

/// Take a purge back
#[utoipa::path(post, path = paths::TASK_RESTORE, tag = "work",
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn restore(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(Nothing {}): Given<Nothing>,
) -> Answer<impl IntoResponse> {
    door.orchestrator().restore(&task_id).await?;
    accepted(&door, task_id)
}

/// A large output by its hash
#[utoipa::path(get, path = paths::TASK_ARTIFACT, tag = "work",
    params(("task_id" = String, Path, description = "The task"), ("sha256" = String, Path, description = "The hash, in hexadecimal")),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>)))]
pub(crate) async fn artifact(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Path((_, sha256)): Path<(String, String)>,
) -> Answer<impl IntoResponse> {
    let is_hash = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hash {
        return Err(Failure::not_found(
            "artifact",
            "an artifact is named by 64 hexadecimal digits",
        ));
    }
    let bytes = door
        .orchestrator()
        .artifact(&task_id, &sha256.to_ascii_lowercase())
        .await?;
    Ok((as_file(&bytes), bytes))
}
