//! Terminals in the boxes of tasks: list, open, close, and the socket through which they are looked at.

use axum::Json;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use paddock_api::{ErrorCode, TerminalClosed, TerminalList, TerminalSay, TerminalTell, paths};
use paddock_domain::{Terminal, TerminalName, TerminalRequest};

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Given, OfTask};
use crate::terminals;

/// The terminals in a task's box
///
/// Oldest first; none when the box does not run. They outlive this server, the network and every window, and end with their box.
#[utoipa::path(get, path = paths::TASK_TERMINALS, tag = "terminals",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = TerminalList)))]
pub(crate) async fn list(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<TerminalList>> {
    let items = door.orchestrator().terminals(&task_id).await?;
    let agent = door.orchestrator().has_agent_terminal(&task_id)?;
    let folder = door.orchestrator().work_folder(&task_id)?;
    Ok(Json(TerminalList {
        items,
        agent,
        folder,
    }))
}

/// Open a terminal in a task's box
///
/// A shell, or the agent's own program with the task's session: the latter only while the task is stopped, and the journal says so.
#[utoipa::path(post, path = paths::TASK_TERMINALS, tag = "terminals", request_body = TerminalRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 201, body = Terminal)))]
pub(crate) async fn open(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<TerminalRequest>,
) -> Answer<impl IntoResponse> {
    let opened = door.orchestrator().open_terminal(&task_id, request).await?;
    Ok((StatusCode::CREATED, Json(opened)))
}

/// Close a terminal
///
/// Ends its program with everything that was started on it, and forgets what it showed.
#[utoipa::path(delete, path = paths::TASK_TERMINAL, tag = "terminals",
    params(("task_id" = String, Path, description = "The task"), ("terminal" = String, Path, description = "The terminal's name")),
    responses((status = 200, body = TerminalClosed)))]
pub(crate) async fn close(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Path((_, name)): Path<(String, String)>,
) -> Answer<Json<TerminalClosed>> {
    let name = TerminalName::parse(&name)
        .map_err(|error| Failure::not_found("terminal", error.to_string()))?;
    let exit = door.orchestrator().close_terminal(&task_id, &name).await?;
    Ok(Json(TerminalClosed { exit }))
}

/// Look at terminals and type on them
///
/// A WebSocket, one for all terminals that a client shows. Text messages are JSON: `TerminalSay` from the client, `TerminalTell` from
/// the server. A binary message is one byte, the channel, then bytes: keys from the client, output from the server. The screen comes
/// first, so a client that connects again shows at once what it missed.
#[utoipa::path(get, path = paths::TERMINALS, tag = "terminals",
    responses((status = 101, description = "Switches to the WebSocket protocol"),
        (status = 200, description = "Never; the shape of what the server tells", body = TerminalTell),
        (status = 202, description = "Never; the shape of what the client says", body = TerminalSay)))]
pub(crate) async fn socket(
    State(door): State<Door>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer<Response> {
    let upgrade = upgrade.map_err(|_| {
        Failure::new(
            ErrorCode::Invalid,
            "this is a WebSocket: connect with one, version 13",
        )
    })?;
    let place = door.streams().try_acquire_owned().map_err(|_| {
        let message = "too many streams are open already: close some and try again";
        Failure::new(ErrorCode::Overloaded, message).retry_after(5)
    })?;
    let upgraded = upgrade
        .max_message_size(TerminalSay::MAX)
        .max_frame_size(TerminalSay::MAX)
        .on_upgrade(async move |socket| {
            terminals::serve(socket, &door).await;
            drop(place);
        });
    Ok(upgraded)
}
