//! How a user keeps a task in their lists.

use axum::extract::State;
use axum::response::IntoResponse;
use paddock_api::{Accepted, ArchiveRequest, AsideRequest, paths};
use paddock_orchestrator::Mark;

use super::{Answer, accepted};
use crate::door::Door;
use crate::input::{Given, OfTask};

/// Put aside what a task calls for, or take it up again
///
/// It does not need the user then until something new is called for: another turn ends, another question comes. What was
/// called for after `up_to_seq` is not put aside. With `seen`, what an agent waits for is left as it is.
#[utoipa::path(post, path = paths::TASK_ASIDE, tag = "tasks", request_body = Option<AsideRequest>,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn aside(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<AsideRequest>,
) -> Answer<impl IntoResponse> {
    let AsideRequest {
        aside,
        up_to_seq,
        seen,
    } = request;
    let mark = match (aside, seen) {
        (false, _) => Mark::TakeUp,
        (true, false) => Mark::PutAside { up_to_seq },
        (true, true) => Mark::Seen { up_to_seq },
    };
    door.orchestrator().mark(&task_id, mark).await?;
    accepted(&door, task_id)
}

/// Put a task into the archive, or take it out
///
/// It is in no list but that of the archive then; all of it is kept. Only a task without an agent can be archived, and
/// one that is revived is out again.
#[utoipa::path(post, path = paths::TASK_ARCHIVE, tag = "tasks", request_body = Option<ArchiveRequest>,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn archive(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<ArchiveRequest>,
) -> Answer<impl IntoResponse> {
    let mark = match request.archived {
        true => Mark::Archive,
        false => Mark::Unarchive,
    };
    door.orchestrator().mark(&task_id, mark).await?;
    accepted(&door, task_id)
}
