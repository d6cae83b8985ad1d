//! Saying something to an agent, now or after its turn, and what waits to be said.

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use paddock_api::{ErrorCode, FollowUpEdit, FollowUpOrder, SendRequest, SendWhen, Sent, paths};
use paddock_domain::{FollowUpQueue, InputId, Message, TaskId};
use paddock_orchestrator::Taken;
use serde::Deserialize;

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Given, Nothing, OfTask};

/// The queued message that the path names.
pub(crate) struct OfQueued(TaskId, InputId);

impl<S: Send + Sync> FromRequestParts<S> for OfQueued {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        /// Other names of the path are the business of others.
        #[derive(Deserialize)]
        struct Named {
            input_id: String,
        }
        let OfTask(task_id) = OfTask::from_request_parts(parts, state).await?;
        let named = Path::<Named>::from_request_parts(parts, state).await;
        let Path(Named { input_id }) = named.map_err(|error| {
            let message = format!("the path cannot be read: {error}");
            Failure::new(ErrorCode::Invalid, message)
        })?;
        let id = InputId::parse(&input_id);
        id.map(|id| Self(task_id, id))
            .map_err(|error| Failure::not_found("follow_up", error.to_string()))
    }
}

fn sent(taken: Taken) -> (StatusCode, Json<Sent>) {
    let Taken {
        input_id, queued, ..
    } = taken;
    (StatusCode::ACCEPTED, Json(Sent { input_id, queued }))
}

/// Say something to the agent
///
/// Now: while it works, the message joins the turn or waits for its end; a stopped task is revived. After the turn: it waits
/// in the queue, and is sent when the turn under way has ended plainly.
#[utoipa::path(post, path = paths::TASK_SEND, tag = "tasks", request_body = SendRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Sent)))]
pub(crate) async fn send(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<SendRequest>,
) -> Answer<impl IntoResponse> {
    let SendRequest {
        input_id,
        text,
        attachments,
        when,
    } = request;
    let message = Message {
        input_id,
        text,
        attachments,
    };
    let taken = match when {
        SendWhen::Now => door.orchestrator().send(&task_id, message).await,
        SendWhen::AfterTurn => door.orchestrator().send_after_turn(&task_id, message).await,
    };
    Ok(sent(taken?))
}

/// What waits to be said after the turn
#[utoipa::path(get, path = paths::TASK_QUEUE, tag = "tasks",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = FollowUpQueue)))]
pub(crate) async fn show(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<FollowUpQueue>> {
    Ok(Json(door.orchestrator().follow_ups(&task_id)?))
}

/// Put what waits in another order
///
/// Names every message in the queue; `conflict` when the queue has changed meanwhile.
#[utoipa::path(patch, path = paths::TASK_QUEUE, tag = "tasks", request_body = FollowUpOrder,
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = FollowUpQueue)))]
pub(crate) async fn order(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<FollowUpOrder>,
) -> Answer<Json<FollowUpQueue>> {
    let ordered = door
        .orchestrator()
        .order_follow_ups(&task_id, request.order);
    Ok(Json(ordered.await?))
}

/// Change what waits
///
/// `conflict` when it went to the agent, or was removed, meanwhile.
#[utoipa::path(patch, path = paths::TASK_QUEUED, tag = "tasks", request_body = FollowUpEdit,
    params(("task_id" = String, Path, description = "The task"), ("input_id" = String, Path, description = "The message")),
    responses((status = 200, body = FollowUpQueue)))]
pub(crate) async fn edit(
    State(door): State<Door>,
    OfQueued(task_id, input_id): OfQueued,
    Given(request): Given<FollowUpEdit>,
) -> Answer<Json<FollowUpQueue>> {
    let edited = door
        .orchestrator()
        .edit_follow_up(&task_id, input_id, request.text);
    Ok(Json(edited.await?))
}

/// Remove what waits
///
/// `conflict` when it went to the agent meanwhile; removing it again does no harm.
#[utoipa::path(delete, path = paths::TASK_QUEUED, tag = "tasks",
    params(("task_id" = String, Path, description = "The task"), ("input_id" = String, Path, description = "The message")),
    responses((status = 200, body = FollowUpQueue)))]
pub(crate) async fn remove(
    State(door): State<Door>,
    OfQueued(task_id, input_id): OfQueued,
) -> Answer<Json<FollowUpQueue>> {
    let removed = door.orchestrator().remove_follow_up(&task_id, input_id);
    Ok(Json(removed.await?))
}

/// Say what waits now
///
/// It joins the turn under way, or begins one; a queue on hold goes on behind it.
#[utoipa::path(post, path = paths::TASK_QUEUED_SEND, tag = "tasks",
    params(("task_id" = String, Path, description = "The task"), ("input_id" = String, Path, description = "The message")),
    responses((status = 202, body = Sent)))]
pub(crate) async fn send_now(
    State(door): State<Door>,
    OfQueued(task_id, input_id): OfQueued,
    Given(Nothing {}): Given<Nothing>,
) -> Answer<impl IntoResponse> {
    let taken = door.orchestrator().send_queued(&task_id, input_id).await?;
    Ok(sent(taken))
}
