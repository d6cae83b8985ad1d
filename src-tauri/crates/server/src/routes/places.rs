//! Machines that hold boxes: who works there, who waits for a place, and in which order.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::{Path, State};
use paddock_api::{
    ErrorCode, HostRequest, HostView, Page, PlaceRequest, TaskName, TaskPlace, TaskSummary, paths,
};
use paddock_domain::{HostName, StateName, TaskId};
use paddock_orchestrator::{Line, Snapshot};

use super::{Answer, orphans};
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Given, OfTask};

/// Machines that hold boxes
#[utoipa::path(get, path = paths::HOSTS, tag = "hosts", responses((status = 200, body = Page<HostView>)))]
pub(crate) async fn hosts(State(door): State<Door>) -> Json<Page<HostView>> {
    let snapshot = door.orchestrator().snapshot();
    let of_tasks = snapshot.tasks.values().map(|task| &task.spec.host);
    let of_orphans = snapshot.orphans.iter().map(|orphan| &orphan.host);
    let names: BTreeSet<HostName> = of_tasks
        .chain(of_orphans)
        .cloned()
        .chain([HostName::local()])
        .collect();
    Json(Page {
        items: names
            .into_iter()
            .map(|name| view(&snapshot, name))
            .collect(),
        next_cursor: None,
    })
}

/// Change how many tasks work at once on a host
///
/// It outlasts Paddock and goes before the setting `limits.parallel_tasks`. Tasks at work go on.
#[utoipa::path(patch, path = paths::HOST, tag = "hosts", request_body = HostRequest,
    params(("host" = String, Path, description = "The host")), responses((status = 200, body = HostView)))]
pub(crate) async fn change(
    State(door): State<Door>,
    Path(host): Path<String>,
    Given(request): Given<HostRequest>,
) -> Answer<Json<HostView>> {
    let host =
        HostName::parse(&host).map_err(|error| Failure::not_found("host", error.to_string()))?;
    let limit = usize::try_from(request.parallel_tasks).unwrap_or(usize::MAX);
    let orchestrator = door.orchestrator();
    orchestrator.set_parallel_tasks(host.clone(), limit).await?;
    Ok(Json(view(&orchestrator.snapshot(), host)))
}

/// Where a task stands in the line for a place on its host
#[utoipa::path(get, path = paths::TASK_PLACE, tag = "tasks",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = TaskPlace)))]
pub(crate) async fn place(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<TaskPlace>> {
    Ok(Json(place_now(&door, &task_id)?))
}

/// Move a task in the line for a place on its host
///
/// `conflict` when it does not wait any more.
#[utoipa::path(post, path = paths::TASK_PLACE, tag = "tasks", request_body = PlaceRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = TaskPlace)))]
pub(crate) async fn move_in_line(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<PlaceRequest>,
) -> Answer<Json<TaskPlace>> {
    let moved = door.orchestrator().move_in_line(&task_id, request.to);
    moved.await?;
    Ok(Json(place_now(&door, &task_id)?))
}

fn place_now(door: &Door, task_id: &TaskId) -> Answer<TaskPlace> {
    let task = door.orchestrator().task(task_id)?;
    let line = door.orchestrator().line(&task.spec.host);
    place_of(&line, task_id, &task.spec.host).ok_or_else(|| {
        let message = "the task does not wait for a place any more";
        Failure::new(ErrorCode::Conflict, message)
    })
}

/// Says of each task that waits for a place where it stands.
pub(crate) fn tell_places(snapshot: &Snapshot, summaries: &mut [TaskSummary]) {
    let mut lines: BTreeMap<HostName, Line> = BTreeMap::new();
    for summary in summaries {
        if summary.state != StateName::Pending {
            continue;
        }
        let line = lines
            .entry(summary.host.clone())
            .or_insert_with(|| Line::of(snapshot, &summary.host));
        summary.place = place_of(line, &summary.task_id, &summary.host).map(Box::new);
    }
}

fn place_of(line: &Line, task_id: &TaskId, host: &HostName) -> Option<TaskPlace> {
    let position = line.position(task_id)?;
    let held_by = line.held.iter().take(TaskPlace::HOLDERS_MAX);
    Some(TaskPlace {
        host: host.clone(),
        position: position as u64,
        of: line.waiting.len() as u64,
        limit: line.limit as u64,
        held: line.held.len() as u64,
        held_by: held_by.map(|task| TaskName::from(&**task)).collect(),
        reason: line.reason(position),
    })
}

fn view(snapshot: &Snapshot, name: HostName) -> HostView {
    let line = Line::of(snapshot, &name);
    let named = |tasks: &[std::sync::Arc<paddock_domain::Task>]| {
        tasks.iter().map(|task| TaskName::from(&**task)).collect()
    };
    let without_task = snapshot
        .orphans
        .iter()
        .filter(|orphan| orphan.host == name)
        .cloned()
        .map(orphans::shown);
    HostView {
        parallel_tasks: line.limit as u64,
        working: line.held.len() as u64,
        pending: line.waiting.len() as u64,
        at_work: named(&line.held),
        line: named(&line.waiting),
        orphans: without_task.collect(),
        name,
    }
}
