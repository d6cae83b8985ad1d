//! What happens, as it happens: history first, then live, without gap or repeat.
//!
//! A [`Feed`] is subscribed to before history is read, and what history has already shown is dropped
//! from the live part by its sequence number. A reader that falls behind is cut off with
//! [`StreamEnd::Slow`] and resumes from the last number it saw: it never slows anybody.

mod ring;

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use paddock_domain::{Body, Delta, DeltaKind, Link, LinkData, TaskId, TurnId};
use paddock_store::{JournalReader, Line, StoreError};
pub(crate) use ring::{Heard, Ring};

/// How much history is read at a time, in bytes.
const PAGE: usize = 1 << 20;
/// How much of a message under way is kept for those who join in its middle, in bytes.
const SO_FAR: usize = 1 << 20;

/// One item of a task's stream.
#[derive(Clone, Debug)]
pub enum LiveItem {
    /// An event from history: its sequence number and its JSON, as it stands in the journal.
    History {
        /// Place in the journal.
        seq: u64,
        /// The event's JSON, one line without its end.
        json: Bytes,
    },
    /// History is complete; what follows is live.
    Ready {
        /// The last event of history.
        seq: u64,
    },
    /// An event, serialised once for everybody.
    Line(Arc<Line>),
    /// A piece of a message under way; never journalled, never resumed.
    Delta(Arc<LiveDelta>),
    /// The connection to the task's box, as it is now; never journalled, never resumed.
    Link(Arc<LinkData>),
}

impl LiveItem {
    /// How much text it carries, in bytes.
    fn bytes(&self) -> usize {
        match self {
            Self::History { json, .. } => json.len(),
            Self::Line(line) => line.json.len(),
            Self::Delta(live) => live.delta.text.len(),
            Self::Ready { .. } | Self::Link(_) => 0,
        }
    }
}

/// A piece of a message under way and whose it is.
#[derive(Clone, Debug)]
pub struct LiveDelta {
    /// The task that streams.
    pub task_id: TaskId,
    /// Its turn.
    pub turn_id: Option<TurnId>,
    /// The piece.
    pub delta: Delta,
}

/// Why a stream ended.
#[derive(Debug, thiserror::Error)]
pub enum StreamEnd {
    /// The reader fell behind; it resumes from the last event it saw.
    #[error("the reader fell behind; resume from the last event")]
    Slow,
    /// The task is purged, or Paddock shuts down.
    #[error("there will be no more events")]
    Closed,
    /// The cursor is beyond the journal's end: it belongs to other data.
    #[error("the journal has no event {since_seq}; its last is {last_seq}")]
    UnknownCursor {
        /// The cursor.
        since_seq: u64,
        /// The last event there is.
        last_seq: u64,
    },
    /// History could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A task's events from a cursor on: history, [`LiveItem::Ready`], then live. Ends with a [`StreamEnd`].
pub type EventStream = Pin<Box<dyn Stream<Item = Result<LiveItem, StreamEnd>> + Send>>;

/// Where a task's runner says what happens.
#[derive(Debug)]
pub(crate) struct Feed {
    task_id: TaskId,
    all: Ring,
    now: Mutex<Now>,
}

/// What those who join are told first, and the way to those who have.
#[derive(Debug, Default)]
struct Now {
    /// There while somebody listens: most tasks have nobody, and its places take memory.
    own: Option<Ring>,
    so_far: Vec<Arc<LiveDelta>>,
    link: Link,
}

impl Feed {
    pub(crate) fn new(task_id: TaskId, all: Ring) -> Self {
        Self {
            task_id,
            all,
            now: Mutex::default(),
        }
    }

    /// The stream of all tasks together.
    pub(crate) fn for_all() -> Ring {
        Ring::new()
    }

    pub(crate) fn line(&self, line: &Arc<Line>) {
        let mut now = self.now();
        now.so_far
            .retain(|piece| !arrives_whole(&piece.delta, &line.event.body));
        now.tell(LiveItem::Line(line.clone()));
        self.all.tell(LiveItem::Line(line.clone()));
    }

    pub(crate) fn delta(&self, turn_id: Option<&TurnId>, delta: Delta) {
        let turn_id = turn_id.cloned();
        let delta = Arc::new(LiveDelta {
            task_id: self.task_id.clone(),
            turn_id,
            delta,
        });
        let mut now = self.now();
        remember(&mut now.so_far, &delta);
        // Said under the lock: who joins has either the piece in what it is given, or still to come.
        now.tell(LiveItem::Delta(delta));
    }

    /// The connection to the task's box is now this.
    pub(crate) fn link(&self, link: Link) {
        let mut now = self.now();
        now.link.clone_from(&link);
        let task_id = self.task_id.clone();
        let item = LiveItem::Link(Arc::new(LinkData { task_id, link }));
        now.tell(item.clone());
        self.all.tell(item);
    }

    /// The connection to the task's box as it was last told.
    pub(crate) fn link_now(&self) -> Link {
        self.now().link.clone()
    }

    /// Everything after `since_seq`, then whatever comes.
    pub(crate) fn subscribe(&self, reader: JournalReader, since_seq: u64) -> EventStream {
        let (live, so_far, link) = {
            let mut now = self.now();
            let link = now.link.clone();
            (now.listen(), now.so_far.clone(), link)
        };
        let last_seq = reader.last_seq();
        if since_seq > last_seq {
            let end = StreamEnd::UnknownCursor {
                since_seq,
                last_seq,
            };
            return Box::pin(stream::once(async { Err(end) }));
        }
        let task_id = self.task_id.clone();
        let link = LiveItem::Link(Arc::new(LinkData { task_id, link }));
        let pieces = so_far.into_iter().map(|piece| Ok(LiveItem::Delta(piece)));
        let joined = history(reader, since_seq, last_seq)
            .chain(stream::iter([
                Ok(LiveItem::Ready { seq: last_seq }),
                Ok(link),
            ]))
            .chain(stream::iter(pieces))
            .chain(from_now(live, last_seq));
        Box::pin(joined)
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Now {
    fn listen(&mut self) -> Heard {
        self.own.get_or_insert_with(Ring::new).listen()
    }

    fn tell(&mut self, item: LiveItem) {
        if self.own.as_ref().is_some_and(|own| !own.tell(item)) {
            // Nobody listens any more.
            self.own = None;
        }
    }
}

/// Pieces are merged by what they are pieces of, so that a joiner gets each message once.
fn remember(so_far: &mut Vec<Arc<LiveDelta>>, new: &Arc<LiveDelta>) {
    let same = |old: &&mut Arc<LiveDelta>| {
        old.delta.kind == new.delta.kind && old.delta.key == new.delta.key
    };
    match so_far.iter_mut().find(same) {
        Some(old) => Arc::make_mut(old).delta.text.push_str(&new.delta.text),
        None => so_far.push(new.clone()),
    }
    let held: usize = so_far.iter().map(|old| old.delta.text.len()).sum();
    if held > SO_FAR {
        so_far.clear();
    }
}

/// Whether what `delta` is a piece of has now arrived whole, or will not any more.
fn arrives_whole(delta: &Delta, body: &Body) -> bool {
    if let Body::ToolCallFinished(call) = body {
        return delta.kind == DeltaKind::ToolOutput && delta.key == call.tool_call_id;
    }
    // A message of somebody else leaves it under way; not every program says of pieces who speaks.
    let said_by = |parent: &Option<String>| {
        let piece = delta.parent_tool_call_id.as_ref();
        piece.is_none() || piece == parent.as_ref()
    };
    if let Body::AssistantMessage {
        parent_tool_call_id,
        ..
    } = body
        && delta.kind == DeltaKind::Text
    {
        return said_by(parent_tool_call_id);
    }
    if let Body::Thinking {
        parent_tool_call_id,
        ..
    } = body
        && delta.kind == DeltaKind::Thinking
    {
        return said_by(parent_tool_call_id);
    }
    match delta.kind {
        DeltaKind::Text | DeltaKind::Thinking | DeltaKind::ToolOutput => {
            matches!(body, Body::TurnFinished { .. } | Body::RunEnded { .. })
        }
    }
}

/// Events after `since` up to `last`, a page at a time.
fn history(
    reader: JournalReader,
    since: u64,
    last: u64,
) -> impl Stream<Item = Result<LiveItem, StreamEnd>> + Send {
    let pages = stream::try_unfold((reader, since), move |(reader, since)| async move {
        if since >= last {
            return Ok::<_, StreamEnd>(None);
        }
        let (page, reached) = reader.page(since, PAGE).await?;
        if page.is_empty() {
            return Ok(None);
        }
        let items = (since + 1..).zip(page).filter(move |(seq, _)| *seq <= last);
        let items: Vec<_> = items
            .map(|(seq, json)| Ok(LiveItem::History { seq, json }))
            .collect();
        Ok(Some((stream::iter(items), (reader, reached))))
    });
    pages.flat_map(|page| match page {
        Ok(items) => items.left_stream(),
        Err(end) => stream::iter(vec![Err(end)]).right_stream(),
    })
}

/// What is said from now on, without what history has shown up to `shown`.
pub(crate) fn from_now(
    live: Heard,
    shown: u64,
) -> impl Stream<Item = Result<LiveItem, StreamEnd>> + Send {
    let items = stream::unfold(Some(live), |live| async move {
        let mut live = live?;
        match live.next().await {
            Ok(item) => Some((Ok(item), Some(live))),
            Err(end) => Some((Err(end), None)),
        }
    });
    items.filter(move |item| {
        let repeated = matches!(item, Ok(LiveItem::Line(line)) if line.seq <= shown);
        std::future::ready(!repeated)
    })
}
