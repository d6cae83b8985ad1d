//! Groups: one prompt on several agents, side by side.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use paddock_api::{
    CheckRequest, GroupCheck, GroupChecks, GroupMember, GroupRequest, GroupView, Page, TaskSummary,
    paths,
};
use paddock_domain::{Contender, GroupId, PickRequest, Task};
use paddock_orchestrator::Snapshot;
use serde::Deserialize;

use super::Answer;
use super::tasks::tell_now;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::Given;

/// The group that the path names.
pub(crate) struct OfGroup(GroupId);

impl<S: Send + Sync> FromRequestParts<S> for OfGroup {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        #[derive(Deserialize)]
        struct Named {
            group_id: String,
        }
        let named = Path::<Named>::from_request_parts(parts, state).await;
        let named = named.map_err(|error| Failure::not_found("group", error.to_string()))?;
        let id = GroupId::parse(&named.0.group_id);
        id.map(Self)
            .map_err(|error| Failure::not_found("group", error.to_string()))
    }
}

/// Groups, newest first
#[utoipa::path(get, path = paths::GROUPS, tag = "groups", responses((status = 200, body = Page<GroupView>)))]
pub(crate) async fn list(State(door): State<Door>) -> Json<Page<GroupView>> {
    let snapshot = door.orchestrator().snapshot();
    let mut groups: BTreeMap<GroupId, Vec<Arc<Task>>> = BTreeMap::new();
    for task in snapshot.tasks.values() {
        if let Some(group) = &task.spec.group {
            let members = groups.entry(group.group_id.clone()).or_default();
            members.push(task.clone());
        }
    }
    let items = groups
        .iter()
        .rev()
        .map(|(id, tasks)| view(&door, &snapshot, id, tasks));
    Json(Page {
        items: items.collect(),
        next_cursor: None,
    })
}

/// Run one prompt on several agents
///
/// Each gets a task, a box and a branch of its own. A repeated `request_key` gives the group that is there.
#[utoipa::path(post, path = paths::GROUPS, tag = "groups", request_body = GroupRequest,
    responses((status = 201, body = GroupView)))]
pub(crate) async fn create(
    State(door): State<Door>,
    Given(request): Given<GroupRequest>,
) -> Answer<impl IntoResponse> {
    let GroupRequest { task, also, check } = request;
    let first = Contender {
        harness: task.harness.clone(),
        harness_version: task.harness_version.clone(),
        model: task.model.clone(),
        effort: task.effort.clone(),
    };
    let contenders = std::iter::once(first).chain(also).collect();
    let orchestrator = door.orchestrator();
    let id = orchestrator.create_group(task, contenders, check).await?;
    let group = shown(&door, &id)?;
    let location = paths::fill(paths::GROUP, &[id.as_str()]);
    Ok((
        StatusCode::CREATED,
        [(header::LOCATION, location)],
        Json(group),
    ))
}

/// One group
#[utoipa::path(get, path = paths::GROUP, tag = "groups",
    params(("group_id" = String, Path, description = "The group")), responses((status = 200, body = GroupView)))]
pub(crate) async fn show(
    State(door): State<Door>,
    OfGroup(id): OfGroup,
) -> Answer<Json<GroupView>> {
    Ok(Json(shown(&door, &id)?))
}

/// Check the work of every task of a group
///
/// Runs a command in each box; its exit code tells good work from bad. Answers when all have ended.
#[utoipa::path(post, path = paths::GROUP_CHECK, tag = "groups", request_body = CheckRequest,
    params(("group_id" = String, Path, description = "The group")), responses((status = 200, body = GroupChecks)))]
pub(crate) async fn check(
    State(door): State<Door>,
    OfGroup(id): OfGroup,
    Given(request): Given<CheckRequest>,
) -> Answer<Json<GroupChecks>> {
    let checked = door
        .orchestrator()
        .check_group(&id, request.command)
        .await?;
    let items = checked.into_iter().map(|(task_id, checked)| {
        let (result, error) = match checked {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error.to_string())),
        };
        GroupCheck {
            task_id,
            result,
            error,
        }
    });
    Ok(Json(GroupChecks {
        items: items.collect(),
    }))
}

/// Choose one task of a group
///
/// The others stay, or are purged when that is asked for.
#[utoipa::path(post, path = paths::GROUP_PICK, tag = "groups", request_body = PickRequest,
    params(("group_id" = String, Path, description = "The group")), responses((status = 200, body = GroupView)))]
pub(crate) async fn pick(
    State(door): State<Door>,
    OfGroup(id): OfGroup,
    Given(request): Given<PickRequest>,
) -> Answer<Json<GroupView>> {
    door.orchestrator().pick(&id, request).await?;
    Ok(Json(shown(&door, &id)?))
}

fn shown(door: &Door, id: &GroupId) -> Answer<GroupView> {
    let tasks = door.orchestrator().group(id)?;
    Ok(view(door, &door.orchestrator().snapshot(), id, &tasks))
}

fn view(door: &Door, snapshot: &Snapshot, id: &GroupId, tasks: &[Arc<Task>]) -> GroupView {
    let mut summaries: Vec<_> = tasks
        .iter()
        .map(|task| TaskSummary::from(task.as_ref()))
        .collect();
    tell_now(door, snapshot, &mut summaries);
    let members = tasks
        .iter()
        .zip(summaries)
        .map(|(task, summary)| GroupMember {
            task: summary,
            harness: task.spec.harness.clone(),
            requested_model: task.spec.model.clone(),
            requested_effort: task.spec.effort.clone(),
            worked_ms: task.worked_ms,
            tool_calls: task.tool_calls,
            check: task.check.clone(),
        });
    let first = tasks.first();
    let group = first.and_then(|task| task.spec.group.clone());
    GroupView {
        group_id: id.clone(),
        title: first.map(|task| task.title.clone()).unwrap_or_default(),
        check: group.and_then(|group| group.check),
        created_at: first
            .map(|task| task.created_at)
            .unwrap_or(paddock_domain::Timestamp::from_unix_ms(0)),
        winner: tasks.iter().find_map(|task| task.winner.clone()),
        members: members.collect(),
    }
}
