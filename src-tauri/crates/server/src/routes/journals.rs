//! Journals as files: what there is, whether it is whole, mending it, and what is kept too long.

use axum::Json;
use axum::extract::State;
use paddock_api::{ExpiredList, Page, RepairRequest, RetentionRequest, paths};
use paddock_domain::{JournalCheck, JournalFile, JournalRepair};

use super::Answer;
use crate::door::Door;
use crate::input::{Asked, Given, OfTask};

/// Every journal on the disk, oldest first
#[utoipa::path(get, path = paths::JOURNALS, tag = "journals", responses((status = 200, body = Page<JournalFile>)))]
pub(crate) async fn list(State(door): State<Door>) -> Answer<Json<Page<JournalFile>>> {
    Ok(Json(Page {
        items: door.orchestrator().journals().await?,
        next_cursor: None,
    }))
}

/// Read a journal from its first line to its last and say what is wrong with it
///
/// Lines, numbers, ids, sources, artifacts, and whether the index knows the same. Nothing is changed.
#[utoipa::path(get, path = paths::TASK_JOURNAL, tag = "journals",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = JournalCheck)))]
pub(crate) async fn verify(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<JournalCheck>> {
    Ok(Json(door.orchestrator().verify_journal(&task_id).await?))
}

/// Mend a journal that cannot be read to its end, and keep the original beside it
#[utoipa::path(post, path = paths::TASK_JOURNAL_REPAIR, tag = "journals", request_body = RepairRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = JournalRepair)))]
pub(crate) async fn repair(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<RepairRequest>,
) -> Answer<Json<JournalRepair>> {
    let orchestrator = door.orchestrator();
    let repaired = orchestrator.repair_journal(&task_id, request.dry_run);
    Ok(Json(repaired.await?))
}

/// What is kept longer than the settings want
///
/// Nothing is, unless `journal.keep_days` or `journal.keep_artifacts_days` is set.
#[utoipa::path(get, path = paths::RETENTION, tag = "journals", params(RetentionRequest),
    responses((status = 200, body = ExpiredList)))]
pub(crate) async fn expired(
    State(door): State<Door>,
    Asked(request): Asked<RetentionRequest>,
) -> Answer<Json<ExpiredList>> {
    let expired = door.orchestrator().expired(request.unreferenced).await?;
    Ok(Json(expired.into()))
}

/// Remove what is kept longer than the settings want
#[utoipa::path(post, path = paths::RETENTION, tag = "journals", request_body = RetentionRequest,
    responses((status = 200, body = ExpiredList)))]
pub(crate) async fn let_go(
    State(door): State<Door>,
    Given(request): Given<RetentionRequest>,
) -> Answer<Json<ExpiredList>> {
    let gone = door.orchestrator().let_go(request.unreferenced).await?;
    Ok(Json(gone.into()))
}
