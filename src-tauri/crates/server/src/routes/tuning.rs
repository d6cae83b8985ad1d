//! How an agent works, changed while it runs; what it does at a limit.

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use paddock_api::{Accepted, CompactRequest, LimitRequest, TuneRequest, paths};
use paddock_domain::Offers;
use paddock_orchestrator::Tuning;

use super::{Answer, accepted};
use crate::door::Door;
use crate::input::{Given, Nothing, OfTask};

/// Change how the agent works from now on
///
/// Model, effort and permission mode; in the run that lives, where the harness can, and in later ones. The
/// account, while no agent runs.
#[utoipa::path(post, path = paths::TASK_TUNE, tag = "tasks", request_body = TuneRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn tune(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<TuneRequest>,
) -> Answer<impl IntoResponse> {
    let TuneRequest {
        model,
        effort,
        permission_mode,
        account,
    } = request;
    let tuning = Tuning {
        model,
        effort,
        permission_mode,
        account,
    };
    door.orchestrator().tune(&task_id, tuning).await?;
    accepted(&door, task_id)
}

/// What the agent's program offers
///
/// Its own commands, and the models that it can be told to use, as the running program last said; empty until it did. The
/// task's `offers_seq` says when that was.
#[utoipa::path(get, path = paths::TASK_OFFERS, tag = "tasks",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = Offers)))]
pub(crate) async fn offers(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<Offers>> {
    Ok(Json(door.orchestrator().offers(&task_id).await?))
}

/// Have the agent shorten its context
#[utoipa::path(post, path = paths::TASK_COMPACT, tag = "tasks", request_body = CompactRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn compact(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<CompactRequest>,
) -> Answer<impl IntoResponse> {
    door.orchestrator().compact(&task_id, request.about).await?;
    accepted(&door, task_id)
}

/// Have the agent forget the conversation
///
/// Its work stays as it is.
#[utoipa::path(post, path = paths::TASK_CLEAR, tag = "tasks",
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn clear(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(Nothing {}): Given<Nothing>,
) -> Answer<impl IntoResponse> {
    door.orchestrator().clear(&task_id).await?;
    accepted(&door, task_id)
}

/// Go on by itself when the usage limit is lifted, or not
#[utoipa::path(post, path = paths::TASK_LIMIT, tag = "tasks", request_body = LimitRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn limit(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<LimitRequest>,
) -> Answer<impl IntoResponse> {
    door.orchestrator()
        .resume_on_limit(&task_id, request.resume)
        .await?;
    accepted(&door, task_id)
}

/// End the run and start the agent again in its box
#[utoipa::path(post, path = paths::TASK_RESTART, tag = "tasks",
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn restart(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(Nothing {}): Given<Nothing>,
) -> Answer<impl IntoResponse> {
    door.orchestrator().restart(&task_id).await?;
    accepted(&door, task_id)
}
