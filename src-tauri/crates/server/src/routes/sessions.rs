//! Sessions of agents: the user's own, which a new task can go on with, and those of a task.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use paddock_api::{
    Accepted, AdoptRequest, Page, SESSIONS_DEFAULT, SESSIONS_MAX, SessionQuery, paths,
};
use paddock_domain::{PastSession, Task, TaskId};
use paddock_orchestrator::PastWish;

use super::tasks::created;
use super::{Answer, accepted};
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Asked, Given, Nothing, OfTask};

/// Sessions that agents keep outside Paddock
///
/// Read from the agents' own histories below the home of the user that the server runs for, newest first. Only harnesses
/// with the ability `adopt` have any.
#[utoipa::path(get, path = paths::AGENT_SESSIONS, tag = "sessions", params(SessionQuery),
    responses((status = 200, body = Page<PastSession>)))]
pub(crate) async fn list(
    State(door): State<Door>,
    Asked(query): Asked<SessionQuery>,
) -> Answer<Json<Page<PastSession>>> {
    let wish = PastWish {
        harness: query.harness,
        repository: query.repository,
        words: query.words.filter(|words| !words.trim().is_empty()),
        limit: query.limit.unwrap_or(SESSIONS_DEFAULT).min(SESSIONS_MAX),
    };
    Ok(Json(whole(door.orchestrator().past_sessions(wish).await?)))
}

/// Create a task that goes on with one of them
///
/// The agent has the conversation, under its own id, from a copy of its files; the user's stay as they are. What was said
/// before is told in the journal. With a key that was used before, the task that it made is given.
#[utoipa::path(post, path = paths::AGENT_SESSIONS_ADOPT, tag = "sessions", request_body = AdoptRequest,
    responses((status = 201, body = Task), (status = 200, body = Task, description = "It was there: its key was used before")))]
pub(crate) async fn adopt(
    State(door): State<Door>,
    Given(request): Given<AdoptRequest>,
) -> Answer<impl IntoResponse> {
    let adopted = door
        .orchestrator()
        .adopt_session(&request.session_id, request.task)
        .await?;
    Ok(created(adopted))
}

/// The agent's sessions in a task's box
#[utoipa::path(get, path = paths::TASK_AGENT_SESSIONS, tag = "sessions",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = Page<PastSession>)))]
pub(crate) async fn of_task(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<Page<PastSession>>> {
    Ok(Json(whole(
        door.orchestrator().task_sessions(&task_id).await?,
    )))
}

/// Start a task's agent again with another of its sessions
#[utoipa::path(post, path = paths::TASK_AGENT_SESSION_REVIVE, tag = "sessions",
    params(("task_id" = String, Path, description = "The task"), ("session_id" = String, Path, description = "The agent's own id for it")),
    responses((status = 202, body = Accepted)))]
pub(crate) async fn revive(
    State(door): State<Door>,
    Path((task_id, session_id)): Path<(String, String)>,
    Given(Nothing {}): Given<Nothing>,
) -> Answer<impl IntoResponse> {
    let task_id = TaskId::parse(&task_id);
    let task_id = task_id.map_err(|error| Failure::not_found("task", error.to_string()))?;
    door.orchestrator()
        .revive_with(&task_id, &session_id)
        .await?;
    accepted(&door, task_id)
}

fn whole(items: Vec<PastSession>) -> Page<PastSession> {
    let next_cursor = None;
    Page { items, next_cursor }
}
