//! The event stream of all tasks: from the shelf, and what is older than that from the journals.

use std::collections::VecDeque;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use paddock_api::{CursorData, EventsQuery, names, paths};
use paddock_domain::Event;

use super::events::{cursor, reset};
use super::statistics::with_samples;
use super::{Answer, how_it_is};
use crate::door::Door;
use crate::hub::{Follower, Piece, Start};
use crate::input::Asked;
use crate::{frame, stream as body};

/// What happens to every task, as it happens
///
/// Server-sent events as for one task, without deltas. `health` says how Paddock is, behind `ready` and when its disk fills up or
/// has room again. Cursors are texts that only this server understands; they hold over its restarts, as far back as it
/// remembers. After a `reset`, read the list of tasks and take events with a `seq` above each task's `last_seq`.
#[utoipa::path(get, path = paths::EVENTS, tag = "events",
    params(EventsQuery, ("last-event-id" = Option<String>, Header, description = "The cursor; goes before `since_seq`"),
        ("paddock-ping-every" = Option<u16>, Header, description = "Seconds between pings where nothing else comes, 15 to 300: 15 unless said")),
    responses((status = 200, content_type = "text/event-stream", body = Event)))]
pub(crate) async fn all(
    State(door): State<Door>,
    Asked(query): Asked<EventsQuery>,
    headers: HeaderMap,
) -> Answer<Response> {
    let ping_every = body::ping_every(&headers)?;
    let (follower, start) = door.hub().follow(cursor(&headers, query)?.as_deref());
    let mut first = Vec::new();
    if let Start::Anew(reason) = start {
        first.push(reset(reason));
    }
    let reading = Reading {
        door: door.clone(),
        follower,
        taken: VecDeque::new(),
        is_ready: false,
    };
    let read = stream::unfold(reading, |mut reading| async move {
        Some((reading.next().await?, reading))
    });
    let frames = stream::iter(first).chain(read);
    body::respond(&door, ping_every, with_samples(&door, None, frames))
}

/// One client's view of all tasks.
struct Reading {
    door: Door,
    follower: Follower,
    taken: VecDeque<Piece>,
    /// What was missed has been told.
    is_ready: bool,
}

impl Reading {
    /// The next frame; nothing when this client fell behind: it has a cursor to come again with.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            while let Some(piece) = self.taken.pop_front() {
                if let Some(frame) = self.show(piece).await {
                    return Some(frame);
                }
            }
            if self.is_ready {
                self.taken = self.follower.wait().await?.into();
                continue;
            }
            self.taken = self.follower.take()?.into();
            if self.taken.is_empty() {
                self.is_ready = true;
                let health = frame::told(names::HEALTH, None, &how_it_is(&self.door));
                self.taken.push_back(Piece::Frame(health));
                return Some(self.ready());
            }
        }
    }

    fn ready(&self) -> Bytes {
        let cursor = self.follower.cursor();
        let data = CursorData {
            cursor: cursor.clone(),
        };
        frame::told(names::READY, Some(&cursor), &data)
    }

    /// A piece as a frame; nothing when its journal cannot be read any more.
    async fn show(&self, piece: Piece) -> Option<Bytes> {
        let (cursor, task, seq) = match piece {
            Piece::Frame(frame) => return Some(frame),
            Piece::Written { cursor, task, seq } => (cursor, task, seq),
        };
        match self.door.orchestrator().line_of(&task, seq).await {
            Ok(json) => Some(frame::event(&cursor, &json?)),
            Err(error) => {
                tracing::warn!(task.id = %task, %error, "an event could not be told again");
                None
            }
        }
    }
}
