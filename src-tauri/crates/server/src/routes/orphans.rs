//! Boxes without a task: listed, taken in, removed on request.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use paddock_api::{OrphanBox, Page, RemoveOrphanRequest, TaskView, paths};
use paddock_domain::{HostName, TaskId};
use serde::Deserialize;

use super::{Answer, tasks};
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Given, Nothing};

/// A box on a host, as paths name it.
#[derive(Deserialize)]
pub(crate) struct Named {
    host: String,
    task_id: String,
}

impl Named {
    fn task(&self) -> Answer<TaskId> {
        known_host(&self.host)?;
        let id = TaskId::parse(&self.task_id);
        id.map_err(|error| Failure::not_found("orphan", error.to_string()))
    }
}

/// Boxes that belong to no task
///
/// Looked for anew. They are never removed by themselves.
#[utoipa::path(get, path = paths::HOST_ORPHANS, tag = "hosts",
    params(("host" = String, Path, description = "The host")), responses((status = 200, body = Page<OrphanBox>)))]
pub(crate) async fn list(
    State(door): State<Door>,
    Path(host): Path<String>,
) -> Answer<Json<Page<OrphanBox>>> {
    known_host(&host)?;
    let found = door.orchestrator().orphans().await?;
    Ok(Json(Page {
        items: found.into_iter().map(shown).collect(),
        next_cursor: None,
    }))
}

/// Make a task of a box without one
///
/// The task has the box's old id; an agent that lives is followed from its first word. `conflict` when too little is left.
#[utoipa::path(post, path = paths::HOST_ORPHAN_ADOPT, tag = "hosts",
    params(("host" = String, Path, description = "The host"), ("task_id" = String, Path, description = "The task that the box names")),
    responses((status = 201, body = TaskView)))]
pub(crate) async fn adopt(
    State(door): State<Door>,
    Path(named): Path<Named>,
    Given(Nothing {}): Given<Nothing>,
) -> Answer<impl IntoResponse> {
    let task = door.orchestrator().adopt_orphan(&named.task()?).await?;
    Ok((StatusCode::CREATED, Json(tasks::whole(&door, &task).await)))
}

/// Remove a box without a task
///
/// Its work goes into the trash of its repositories first; `would_lose` where that cannot be, unless `force` is set.
#[utoipa::path(post, path = paths::HOST_ORPHAN_REMOVE, tag = "hosts", request_body = RemoveOrphanRequest,
    params(("host" = String, Path, description = "The host"), ("task_id" = String, Path, description = "The task that the box names")),
    responses((status = 202, body = Page<OrphanBox>)))]
pub(crate) async fn remove(
    State(door): State<Door>,
    Path(named): Path<Named>,
    Given(request): Given<RemoveOrphanRequest>,
) -> Answer<impl IntoResponse> {
    let orchestrator = door.orchestrator();
    orchestrator
        .remove_orphan(&named.task()?, request.force)
        .await?;
    let left = orchestrator.snapshot().orphans.clone();
    let items = left.into_iter().map(shown).collect();
    let next_cursor = None;
    Ok((StatusCode::ACCEPTED, Json(Page { items, next_cursor })))
}

pub(super) fn shown(orphan: paddock_orchestrator::OrphanBox) -> OrphanBox {
    OrphanBox {
        task_id: orphan.task_id,
        name: orphan.name,
        kind: orphan.kind,
        state: orphan.state,
        repositories: orphan.repositories,
        adoptable: orphan.adoptable,
        advice: orphan.advice,
    }
}

/// So far there is one host.
fn known_host(host: &str) -> Answer<()> {
    if host == HostName::local().as_str() {
        return Ok(());
    }
    let shown: String = host.chars().take(100).collect();
    Err(Failure::not_found(
        "host",
        format!("there is no host `{shown}`"),
    ))
}
