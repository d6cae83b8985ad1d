//! What boxes use and what runs in them; signals to it.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use paddock_api::{Page, ProcessList, SignalRequest, StatisticsData, TaskStatistics, names, paths};
use paddock_domain::{BoxLimits, Statistics, TaskId};
use paddock_orchestrator::{BoxGauge, BoxSample};
use tokio::sync::broadcast;

use super::{Answer, accepted};
use crate::door::Door;
use crate::failure::Failure;
use crate::frame;
use crate::input::{Given, OfTask};

/// What every box uses
///
/// The latest sample of every box that runs or ran, without history.
#[utoipa::path(get, path = paths::STATISTICS, tag = "boxes",
    responses((status = 200, body = Page<TaskStatistics>)))]
pub(crate) async fn all(State(door): State<Door>) -> Json<Page<TaskStatistics>> {
    let gauges = door.orchestrator().all_statistics();
    let items = gauges.iter().map(|(task, gauge)| TaskStatistics {
        history: Vec::new(),
        ..shown(task.clone(), gauge)
    });
    Json(Page {
        items: items.collect(),
        next_cursor: None,
    })
}

/// What a task's box uses, and used in the last ten minutes
///
/// A sample is taken every five seconds while the box runs. Live samples come as `statistics` on event streams.
#[utoipa::path(get, path = paths::TASK_STATISTICS, tag = "boxes",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = TaskStatistics)))]
pub(crate) async fn of_task(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<TaskStatistics>> {
    let statistics = match door.orchestrator().statistics(&task_id)? {
        Some(gauge) => shown(task_id, &gauge),
        None => TaskStatistics {
            box_kind: door.orchestrator().task(&task_id)?.box_kind,
            task_id,
            following: false,
            every_ms: BoxGauge::EVERY_MS,
            limits: None,
            latest: None,
            history: Vec::new(),
        },
    };
    Ok(Json(statistics))
}

fn shown(task_id: TaskId, gauge: &BoxGauge) -> TaskStatistics {
    TaskStatistics {
        task_id,
        box_kind: Some(gauge.kind),
        following: gauge.following,
        every_ms: BoxGauge::EVERY_MS,
        limits: Some(gauge.limits),
        latest: gauge.latest,
        history: gauge.history.iter().copied().collect(),
    }
}

/// What runs in a task's box
///
/// In a container everything, in a worktree box what descends from its relay.
#[utoipa::path(get, path = paths::TASK_PROCESSES, tag = "boxes",
    params(("task_id" = String, Path, description = "The task")), responses((status = 200, body = ProcessList)))]
pub(crate) async fn processes(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
) -> Answer<Json<ProcessList>> {
    let listed = door.orchestrator().processes(&task_id).await?;
    Ok(Json(ProcessList {
        items: listed.processes,
        more: listed.more,
    }))
}

/// Send a signal to a process in a task's box
///
/// Only to the very process that the list named: one that has ended, or whose id is another's by now, is a `conflict`. The relay
/// is never signalled.
#[utoipa::path(post, path = paths::TASK_PROCESS_SIGNAL, tag = "boxes", request_body = SignalRequest,
    params(("task_id" = String, Path, description = "The task"), ("pid" = u32, Path, description = "The process's id in the box")),
    responses((status = 202, body = paddock_api::Accepted)))]
pub(crate) async fn signal(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Path((_, pid)): Path<(String, String)>,
    Given(request): Given<SignalRequest>,
) -> Answer<impl IntoResponse> {
    let pid = pid
        .parse()
        .map_err(|_| Failure::not_found("process", "a process is named by a number"))?;
    let process = (pid, request.start);
    door.orchestrator()
        .signal(&task_id, process, request.signal)
        .await?;
    accepted(&door, task_id)
}

/// `frames` with the samples of one task's box, or of all, between them: the latest first, then what
/// comes. A client that is slow misses samples and nothing else. Ends with `frames`.
pub(super) fn with_samples<F: Stream<Item = Bytes> + Send + 'static>(
    door: &Door,
    task: Option<TaskId>,
    frames: F,
) -> impl Stream<Item = Bytes> + Send + use<F> {
    let live = door.orchestrator().statistics_feed();
    let gauges = door.orchestrator().all_statistics();
    let is_ours = move |id: &TaskId| task.as_ref().is_none_or(|task| task == id);
    let latest: Vec<Bytes> = gauges
        .iter()
        .filter(|(id, gauge)| is_ours(id) && gauge.following)
        .filter_map(|(id, gauge)| Some(told(id, gauge.limits, gauge.latest?)))
        .collect();
    let samples = Box::pin(stream::iter(latest).chain(coming(live, is_ours)));
    stream::unfold(
        (Box::pin(frames), samples),
        |(mut frames, mut samples)| async move {
            let frame = tokio::select! {
                biased;
                frame = frames.next() => frame?,
                Some(sample) = samples.next() => sample,
            };
            Some((frame, (frames, samples)))
        },
    )
}

fn coming(
    live: broadcast::Receiver<std::sync::Arc<BoxSample>>,
    is_ours: impl Fn(&TaskId) -> bool + Send,
) -> impl Stream<Item = Bytes> + Send {
    stream::unfold((live, is_ours), |(mut live, is_ours)| async move {
        loop {
            match live.recv().await {
                Ok(sample) if is_ours(&sample.task_id) => {
                    let frame = told(&sample.task_id, sample.limits, sample.statistics);
                    return Some((frame, (live, is_ours)));
                }
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    })
}

fn told(task: &TaskId, limits: BoxLimits, statistics: Statistics) -> Bytes {
    let data = StatisticsData {
        task_id: task.clone(),
        limits,
        statistics,
    };
    frame::told(names::STATISTICS, None, &data)
}
