//! Tasks: what they are, and talking to their agents.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use paddock_api::{
    Accepted, AnswerRequest, ApprovalRequest, Cursor, ErrorCode, PAGE_DEFAULT, PAGE_MAX, Page,
    PlanRequest, ReviveRequest, TaskQuery, TaskRef, TaskSummary, TaskView, paths,
};
use paddock_domain::{RequestKey, Task, TaskSpec};
use paddock_orchestrator::{Created, Snapshot};

use super::{Answer, accepted, places, relink};
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Asked, Given, Nothing, OfTask};

/// Tasks, newest first
#[utoipa::path(get, path = paths::TASKS, tag = "tasks", params(TaskQuery),
    responses((status = 200, body = Page<TaskSummary>)))]
pub(crate) async fn list(
    State(door): State<Door>,
    Asked(query): Asked<TaskQuery>,
) -> Answer<Json<Page<TaskSummary>>> {
    if query.older {
        return older(&door, &query).await.map(Json);
    }
    let snapshot = door.orchestrator().snapshot();
    let mut page = page(snapshot.tasks.values().rev().map(AsRef::as_ref), &query);
    tell_now(&door, &snapshot, &mut page.items);
    Ok(Json(page))
}

/// Says of each task what no journal says: its place in a line, and how Paddock is connected to its box.
pub(super) fn tell_now(door: &Door, snapshot: &Snapshot, summaries: &mut [TaskSummary]) {
    places::tell_places(snapshot, summaries);
    for summary in summaries {
        summary.link = door.orchestrator().link(&summary.task_id);
    }
}

/// A page of tasks that ended long ago. They are read for it, so other wishes choose among its entries.
async fn older(door: &Door, query: &TaskQuery) -> Answer<Page<TaskSummary>> {
    let before = query.cursor.as_ref().map(Cursor::key);
    let tasks = door.orchestrator().older(before, limit(query) + 1).await?;
    Ok(older_page(tasks, query))
}

/// The page of `tasks`, latest first and one more than a page holds where there is a next one.
fn older_page(mut tasks: Vec<Task>, query: &TaskQuery) -> Page<TaskSummary> {
    let more = tasks.len() > limit(query);
    tasks.truncate(limit(query));
    let last = tasks.last().filter(|_| more);
    let next_cursor = last.map(|task| Cursor::after(task.task_id.as_str()));
    let query = TaskQuery {
        cursor: None,
        ..query.clone()
    };
    Page {
        next_cursor,
        ..page(tasks.iter(), &query)
    }
}

fn limit(query: &TaskQuery) -> usize {
    query.limit.unwrap_or(PAGE_DEFAULT).clamp(1, PAGE_MAX)
}

/// The page of `newest_first` that `query` asks for.
fn page<'a>(newest_first: impl Iterator<Item = &'a Task>, query: &TaskQuery) -> Page<TaskSummary> {
    let words = query.text.as_deref().map(str::to_lowercase);
    let after = query.cursor.as_ref().map(Cursor::key);
    let mut chosen = newest_first
        .skip_while(|task| after.is_some_and(|key| task.task_id.as_str() >= key))
        .filter(|task| is_chosen(task, query, words.as_deref()))
        .map(TaskSummary::from)
        .filter(|summary| summary.needs_me || !query.needs_me);
    let items: Vec<_> = chosen.by_ref().take(limit(query)).collect();
    let more = chosen.next().is_some();
    let last = items.last().filter(|_| more);
    let next_cursor = last.map(|summary| Cursor::after(summary.task_id.as_str()));
    Page { items, next_cursor }
}

fn is_chosen(task: &Task, query: &TaskQuery, words: Option<&str>) -> bool {
    let id = task.task_id.as_str();
    let is = |wanted: Option<bool>| wanted.unwrap_or(true);
    let listed = query.archived == task.archived_at.is_some();
    (listed || (query.id.is_some() && !query.archived))
        && is(query
            .id
            .as_deref()
            .map(|part| id.starts_with(part) || id.ends_with(part)))
        && is(query.state.map(|state| task.state == state))
        && is(query
            .harness
            .as_ref()
            .map(|harness| task.spec.harness == *harness))
        && is(query
            .repository
            .as_ref()
            .map(|path| task.repositories.iter().any(|r| r.path == *path)))
        && is(words.map(|words| task.title.to_lowercase().contains(words)))
}

/// Create a task
///
/// With a key that was used before, the task that it made is given and none is created; `conflict` when that one asks for
/// something else.
#[utoipa::path(post, path = paths::TASKS, tag = "tasks", request_body = TaskSpec,
    params(("idempotency-key" = Option<String>, Header, description = "The same as `request_key` in the body")),
    responses((status = 201, body = Task), (status = 200, body = Task, description = "It was there: its key was used before")))]
pub(crate) async fn create(
    State(door): State<Door>,
    headers: HeaderMap,
    Given(mut spec): Given<TaskSpec>,
) -> Answer<impl IntoResponse> {
    if let Some(key) = request_key(&headers)? {
        if spec.request_key.as_ref().is_some_and(|own| *own != key) {
            let message = "`Idempotency-Key` and `request_key` differ: give one of them";
            return Err(Failure::new(ErrorCode::Invalid, message));
        }
        spec.request_key = Some(key);
    }
    Ok(created(door.orchestrator().create(spec).await?))
}

/// A task that was asked for, and where it is; the status says whether it is new.
pub(super) fn created(created: Created) -> impl IntoResponse {
    let location = paths::fill(paths::TASK, &[created.task.task_id.as_str()]);
    let status = if created.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    (status, [(header::LOCATION, location)], Json(created.task))
}

fn request_key(headers: &HeaderMap) -> Answer<Option<RequestKey>> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    let key = RequestKey::parse(value.to_str().unwrap_or_default());
    key.map(Some)
        .map_err(|error| Failure::new(ErrorCode::Invalid, error.to_string()))
}

/// One task
#[utoipa::path(get, path = paths::TASK, tag = "tasks",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = TaskView)))]
pub(crate) async fn show(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<TaskView>> {
    let task = door.orchestrator().task_of_any_age(&task_id).await?;
    Ok(Json(whole(&door, &task).await))
}

/// A task with all that is known around it.
pub(super) async fn whole(door: &Door, task: &Task) -> TaskView {
    let orchestrator = door.orchestrator();
    let forks = orchestrator.forks_of(&task.task_id);
    let forks = forks.iter().map(|task| TaskRef {
        task_id: task.task_id.clone(),
        title: task.title.clone(),
    });
    TaskView {
        link: orchestrator.link(&task.task_id),
        missing: relink::missing(task).await,
        forks: forks.collect(),
        task: task.clone(),
    }
}

/// Answer a question
#[utoipa::path(post, path = paths::TASK_ANSWER, tag = "tasks", request_body = AnswerRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn answer(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<AnswerRequest>,
) -> Answer<impl IntoResponse> {
    door.orchestrator()
        .answer(&task_id, request.question_id, request.answer)
        .await?;
    accepted(&door, task_id)
}

/// Decide on a permission
#[utoipa::path(post, path = paths::TASK_APPROVAL, tag = "tasks", request_body = ApprovalRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn approval(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<ApprovalRequest>,
) -> Answer<impl IntoResponse> {
    door.orchestrator()
        .decide(
            &task_id,
            request.approval_id,
            request.decision,
            request.keep,
        )
        .await?;
    accepted(&door, task_id)
}

/// Decide on a plan
#[utoipa::path(post, path = paths::TASK_PLAN, tag = "tasks", request_body = PlanRequest,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn plan(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<PlanRequest>,
) -> Answer<impl IntoResponse> {
    door.orchestrator()
        .decide_plan(&task_id, request.plan_id, request.decision)
        .await?;
    accepted(&door, task_id)
}

/// End the turn and keep the run
#[utoipa::path(post, path = paths::TASK_INTERRUPT, tag = "tasks",
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn interrupt(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(Nothing {}): Given<Nothing>,
) -> Answer<impl IntoResponse> {
    door.orchestrator().interrupt(&task_id).await?;
    accepted(&door, task_id)
}

/// End the run and keep the box
#[utoipa::path(post, path = paths::TASK_STOP, tag = "tasks",
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn stop(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(Nothing {}): Given<Nothing>,
) -> Answer<impl IntoResponse> {
    door.orchestrator().stop(&task_id).await?;
    accepted(&door, task_id)
}

/// Start the agent again in its box
///
/// With `memory_mib`, its container has another memory limit from now on.
#[utoipa::path(post, path = paths::TASK_REVIVE, tag = "tasks", request_body = Option<ReviveRequest>,
    params(("task_id" = String, Path, description = "The task")), responses((status = 202, body = Accepted)))]
pub(crate) async fn revive(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Given(request): Given<ReviveRequest>,
) -> Answer<impl IntoResponse> {
    let orchestrator = door.orchestrator();
    match request.memory_mib {
        Some(mib) => orchestrator.revive_with_memory(&task_id, mib).await?,
        None => orchestrator.revive(&task_id).await?,
    }
    accepted(&door, task_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use paddock_domain::{Body, Event, EventId, HarnessName, TaskId, Timestamp};

    fn task(n: u64) -> Task {
        let harness = if n.is_multiple_of(2) {
            "claude"
        } else {
            "codex"
        };
        let json = format!(
            r#"{{"prompt":"Fix {n}","harness":"{harness}","repositories":[{{"path":"/r{n}"}}]}}"#
        );
        let spec: TaskSpec = serde_json::from_str(&json).unwrap();
        Task::begin(&Event {
            event_id: EventId::new(n, 0),
            ts: Timestamp::from_unix_ms(0),
            seq: 1,
            task_id: TaskId::parse(&format!("a{n:02}z")).unwrap(),
            run_id: None,
            turn_id: None,
            source: None,
            body: Body::SessionStarted {
                task_description: spec.title(),
                project_path: None,
                coding_provider: spec.harness.clone(),
                spec: Box::new(spec),
            },
        })
        .unwrap()
    }

    fn ids(query: &TaskQuery) -> (Vec<String>, Option<Cursor>) {
        let tasks: Vec<_> = (0..10).rev().map(task).collect();
        let page = page(tasks.iter(), query);
        (
            page.items.iter().map(|s| s.task_id.to_string()).collect(),
            page.next_cursor,
        )
    }

    #[test]
    fn pages_join_without_gap_or_repeat() {
        let mut query = TaskQuery {
            limit: Some(4),
            ..TaskQuery::default()
        };
        let mut seen = Vec::new();
        loop {
            let (ids, next) = ids(&query);
            seen.extend(ids);
            query.cursor = next;
            if query.cursor.is_none() {
                break;
            }
        }
        let all: Vec<_> = (0..10).rev().map(|n| format!("a{n:02}z")).collect();
        assert_eq!(seen, all);
    }

    #[test]
    fn a_page_of_older_tasks_holds_as_many_as_were_asked_for() {
        let query = TaskQuery {
            older: true,
            limit: Some(PAGE_DEFAULT + 10),
            ..TaskQuery::default()
        };
        let tasks = (0..PAGE_DEFAULT as u64 + 11).rev().map(task).collect();
        let page = older_page(tasks, &query);
        assert_eq!(page.items.len(), PAGE_DEFAULT + 10);
        let last = page.items.last().unwrap().task_id.as_str();
        assert_eq!(page.next_cursor, Some(Cursor::after(last)));
    }

    #[test]
    fn tasks_are_found_by_what_is_asked() {
        let harness = HarnessName::parse("codex").ok();
        let query = TaskQuery {
            harness,
            limit: Some(2),
            ..TaskQuery::default()
        };
        assert_eq!(ids(&query).0, ["a09z", "a07z"]);
        let text = Some("fIX 3".to_owned());
        assert_eq!(
            ids(&TaskQuery {
                text,
                ..TaskQuery::default()
            })
            .0,
            ["a03z"]
        );
        let repository = Some("/r5".to_owned());
        assert_eq!(
            ids(&TaskQuery {
                repository,
                ..TaskQuery::default()
            })
            .0,
            ["a05z"]
        );
        for part in ["a04", "4z"] {
            assert_eq!(
                ids(&TaskQuery {
                    id: Some(part.into()),
                    ..TaskQuery::default()
                })
                .0,
                ["a04z"]
            );
        }
        assert_eq!(
            ids(&TaskQuery {
                needs_me: true,
                ..TaskQuery::default()
            })
            .0,
            [""; 0]
        );
    }
}
