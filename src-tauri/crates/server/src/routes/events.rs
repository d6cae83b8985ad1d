//! The event stream of one task, from its journal.

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
use super::statistics::with_samples;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Asked, OfTask};
use crate::{frame, stream as body};

/// What happened to a task, and what happens
///
/// Server-sent events. `event` carries one journal event, its `id` is the cursor; `delta` carries a piece of a message under
/// way; `ready` ends history, and what is under way is told from its beginning behind it; `link` carries the connection to the
/// task's box, as it is behind `ready` and whenever it changes; `statistics` carries what the box uses, every few seconds; `reset` says that the cursor is
/// unknown and everything comes anew; `ping` comes when nothing else does.
#[utoipa::path(get, path = paths::TASK_EVENTS, tag = "events",
    params(("task_id" = String, Path, description = "The task"), EventsQuery,
        ("last-event-id" = Option<String>, Header, description = "The cursor; goes before `since_seq`"),
        ("paddock-ping-every" = Option<u16>, Header, description = "Seconds between pings where nothing else comes, 15 to 300: 15 unless said")),
    responses((status = 200, content_type = "text/event-stream", body = Event)))]
pub(crate) async fn of_task(
    State(door): State<Door>,
    OfTask(task_id): OfTask,
    Asked(query): Asked<EventsQuery>,
    headers: HeaderMap,
) -> Answer<Response> {
    let ping_every = body::ping_every(&headers)?;
    let cursor = cursor(&headers, query)?;
    let since = cursor
        .as_deref()
        .map_or(Some(0), |text| text.parse::<u64>().ok());
    let stream = door.orchestrator().events(&task_id, since.unwrap_or(0))?;
    let of = task_id.clone();
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
    let frames = with_samples(&door, Some(of), frames);
    body::respond(&door, ping_every, frames)
}

/// The cursor of a request: the header of a browser that comes back goes before the query.
pub(super) fn cursor(headers: &HeaderMap, query: EventsQuery) -> Answer<Option<String>> {
    match headers.get("last-event-id") {
        None => Ok(query.since_seq),
        Some(value) => value
            .to_str()
            .map(|text| Some(text.to_owned()))
            .map_err(|_| Failure::new(ErrorCode::Invalid, "`Last-Event-ID` is not text")),
    }
}

pub(super) fn reset(reason: ResetReason) -> Bytes {
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
        LiveItem::Link(link) => frame::told(names::LINK, None, &**link),
    }
}
