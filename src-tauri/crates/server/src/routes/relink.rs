//! Repositories that were moved on their host: seen, and told where they are now.

use axum::extract::State;
use axum::response::IntoResponse;
use paddock_api::{Accepted, paths};
use paddock_domain::{RelinkRequest, Task};

use super::{Answer, accepted};
use crate::door::Door;
use crate::input::{Given, OfTask};

/// Tell a task where its repository is now
///
/// It must be the same repository: the commit from which the task began has to be there, and all that its box borrows.
/// `conflict` says otherwise, and nothing has changed then. A container is made again for it, so its agent has to be
/// stopped first.
#[utoipa::path(post, path = paths::TASK_RELINK, tag = "tasks", request_body = RelinkRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn relink(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<RelinkRequest>,
) -> Answer<impl IntoResponse> {
    door.orchestrator().relink(&task_id, request).await?;
    accepted(&door, task_id)
}

/// The repositories of `task` that are not where it knows them.
pub(crate) async fn missing(task: &Task) -> Vec<String> {
    let mut missing = Vec::new();
    if task.machine().is_terminal() {
        return missing;
    }
    for view in &task.repositories {
        let there = tokio::fs::metadata(&view.path).await;
        if !there.is_ok_and(|there| there.is_dir()) {
            missing.push(view.path.clone());
        }
    }
    missing
}
