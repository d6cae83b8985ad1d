//! A task that goes on otherwise: forked, or handed to another agent.

use axum::extract::State;
use axum::response::IntoResponse;
use paddock_api::{Accepted, paths};
use paddock_domain::{ForkRequest, HandOffRequest, Task};

use super::tasks::created;
use super::{Answer, accepted};
use crate::door::Door;
use crate::input::{Given, OfTask};

/// Fork a task
///
/// Another task begins where this one stands, with a branch and a box of its own. The conversation goes on with a copy of the
/// agent's session where the agent can, and is told in a few words where it cannot.
#[utoipa::path(post, path = paths::TASK_FORK, tag = "tasks", request_body = ForkRequest,
    params(("task_id" = String, Path, description = "The task")),
    responses((status = 201, body = Task), (status = 200, body = Task, description = "It was there: its key was used before")))]
pub(crate) async fn fork(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<ForkRequest>,
) -> Answer<impl IntoResponse> {
    let fork = door.orchestrator().fork(&task_id, request).await?;
    Ok(created(fork))
}

/// Hand a task to another agent
///
/// It goes on in the same box. What it has to know it is told from the journal, together with the next message.
#[utoipa::path(post, path = paths::TASK_HAND_OFF, tag = "tasks", request_body = HandOffRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn hand_off(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<HandOffRequest>,
) -> Answer<impl IntoResponse> {
    door.orchestrator().hand_off(&task_id, request).await?;
    accepted(&door, task_id)
}
