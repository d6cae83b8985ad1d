//! Event streams: one task's from its journal, all tasks' from the shelf.

use std::collections::VecDeque;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use paddock_api::{
    CursorData, DeltaData, ErrorCode, EventsQuery, ResetData, ResetReason, names, paths,
};
use paddock_domain::{Event, TaskId};
use paddock_orchestrator::{EventStream, LiveItem, StreamEnd};

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::hub::{Follower, Hub, Start};
use crate::input::{Asked, OfTask};
use crate::{frame, stream as body};

/// What happened to a task, and what happens
///
/// Server-sent events. `event` carries one journal event, its `id` is the cursor; `delta` carries a piece of a message under
/// way; `ready` ends history, and what is under way is told from its beginning behind it; `reset` says that the cursor is
/// unknown and everything comes anew; `ping` comes when nothing else does.
#[utoipa::path(get, path = paths::TASK_EVENTS, tag = "events",
    params(("task_id" = String, Path, description = "The task"), EventsQuery,
        ("last-event-id" = Option<String>, Header, description = "The cursor; goes before `since_seq`")),
    responses((status = 200, content_type = "text/event-stream", body = Event)))]
pub(crate) async fn of_task(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Asked(query): Asked<EventsQuery>,
    headers: HeaderMap,
) -> Answer<Response> {
    let cursor = cursor(&headers, query)?;
    let since = cursor
        .as_deref()
        .map_or(Some(0), |text| text.parse::<u64>().ok());
    let stream = door.orchestrator().events(&task_id, since.unwrap_or(0))?;
    let mut feed = TaskFeed {
        door: door.clone(),
        task_id,
        stream,
        waiting: VecDeque::new(),
    };
    if since.is_none() {
        feed.waiting.push_back(reset(ResetReason::UnknownCursor));
    }
    let frames = stream::unfold(
        feed,
        |mut feed| async move { Some((feed.next().await?, feed)) },
    );
    body::respond(&door, frames)
}

/// What happens to every task, as it happens
///
/// Server-sent events as for one task, without deltas. Cursors are texts that only this server understands, for as long as it
/// runs and remembers; after a `reset`, read the list of tasks and take events with a `seq` above each task's `last_seq`.
#[utoipa::path(get, path = paths::EVENTS, tag = "events",
    params(EventsQuery, ("last-event-id" = Option<String>, Header, description = "The cursor; goes before `since_seq`")),
    responses((status = 200, content_type = "text/event-stream", body = Event)))]
pub(crate) async fn all(
    State(door): State<Door>,
    Asked(query): Asked<EventsQuery>,
    headers: HeaderMap,
) -> Answer<Response> {
    let (mut follower, start) = door.hub().follow(cursor(&headers, query)?.as_deref());
    let mut first = Vec::new();
    if let Start::Anew(reason) = start {
        first.push(reset(reason));
    }
    // What was missed comes before `ready`; a client that fell behind by now has a cursor to come again with.
    while let Some(frames) = follower.take().filter(|frames| !frames.is_empty()) {
        first.extend(frames);
    }
    let cursor = follower.cursor();
    first.push(frame::told(
        names::READY,
        Some(&cursor),
        &CursorData {
            cursor: cursor.clone(),
        },
    ));
    body::respond(&door, stream::iter(first).chain(following(follower)))
}

fn following(follower: Follower) -> impl futures_util::Stream<Item = Bytes> + Send {
    let batches = stream::unfold(follower, |mut follower| async move {
        let frames = follower.wait().await?;
        Some((frames, follower))
    });
    batches.flat_map(stream::iter)
}

/// Puts what all clients may see on the shelf.
pub(crate) fn put_on_shelf(hub: &Hub, item: &LiveItem) {
    match item {
        LiveItem::Line(line) => hub.publish(&line.json),
        LiveItem::History { json, .. } => hub.publish(json),
        LiveItem::Ready { .. } | LiveItem::Delta(_) => {}
    }
}

/// The cursor of a request: the header of a browser that comes back goes before the query.
fn cursor(headers: &HeaderMap, query: EventsQuery) -> Answer<Option<String>> {
    match headers.get("last-event-id") {
        None => Ok(query.since_seq),
        Some(value) => value
            .to_str()
            .map(|text| Some(text.to_owned()))
            .map_err(|_| Failure::new(ErrorCode::Invalid, "`Last-Event-ID` is not text")),
    }
}

fn reset(reason: ResetReason) -> Bytes {
    frame::told(names::RESET, None, &ResetData { reason })
}

/// One client's view of one task.
struct TaskFeed {
    door: Door,
    task_id: TaskId,
    stream: EventStream,
    waiting: VecDeque<Bytes>,
}

impl TaskFeed {
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(frame) = self.waiting.pop_front() {
            return Some(frame);
        }
        match self.stream.next().await? {
            Ok(item) => Some(show(&item)),
            Err(StreamEnd::UnknownCursor { .. }) => {
                // From its beginning no cursor is unknown.
                self.stream = self.door.orchestrator().events(&self.task_id, 0).ok()?;
                Some(reset(ResetReason::UnknownCursor))
            }
            Err(StreamEnd::Slow | StreamEnd::Closed) => None,
            Err(StreamEnd::Store(error)) => {
                tracing::warn!(task.id = %self.task_id, %error, "history could not be read");
                None
            }
        }
    }
}

/// An item as a frame. Events are not written again: their JSON is the journal's.
fn show(item: &LiveItem) -> Bytes {
    match item {
        LiveItem::History { seq, json } => frame::event(&seq.to_string(), json),
        LiveItem::Line(line) => frame::event(&line.seq.to_string(), &line.json),
        LiveItem::Ready { seq } => {
            let cursor = seq.to_string();
            frame::told(
                names::READY,
                Some(&cursor),
                &CursorData {
                    cursor: cursor.clone(),
                },
            )
        }
        LiveItem::Delta(live) => {
            let data = DeltaData {
                task_id: live.task_id.clone(),
                turn_id: live.turn_id.clone(),
                delta: live.delta.clone(),
            };
            frame::told(names::DELTA, None, &data)
        }
    }
}
