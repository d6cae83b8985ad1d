//! The events of all tasks in one order, and a shelf of the latest to resume from.
//!
//! Each client has a place in that order and reads on from the shelf; nothing is queued for anybody. The
//! shelf is bounded, so a client that falls behind its end is slow and dropped. One that comes back with a
//! cursor first gets what is older than the shelf from the journals, as far back as the [`Order`] reaches. A
//! cursor is `<life>-<n>`; a life ends with the data directory or the machine, not with the server.
//!
//! Start at [`Hub::follow`].

mod fill;
mod order;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use paddock_api::ResetReason;
use paddock_domain::TaskId;
use tokio::sync::watch;

use crate::frame;
use crate::lock::lock;
use order::Order;

pub(crate) use fill::fill;

/// The events of all tasks.
pub(crate) struct Hub {
    shelf: Mutex<Shelf>,
    /// Rings when something was put on the shelf.
    bell: watch::Sender<()>,
}

struct Shelf {
    order: Order,
    /// Whether nothing was entered before this life of the data directory.
    is_new: bool,
    slots: VecDeque<Slot>,
    bytes: usize,
    /// The place of the first slot on the shelf, counted over the server's life.
    first: u64,
    /// The number of the last event that is not on the shelf any more.
    floor: u64,
}

/// One thing on the shelf, in its place among the events.
struct Slot {
    /// The number of the last event told with it or before it.
    n: u64,
    piece: Piece,
}

/// One thing that a client is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A frame.
    Frame(Bytes),
    /// An event whose text is to be read from its journal.
    Written {
        /// Its cursor.
        cursor: String,
        /// Its task.
        task: TaskId,
        /// Its number there.
        seq: u64,
    },
}

/// Where a client that asked for a cursor begins.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// Where it asked for.
    There,
    /// With what comes now, and it has to forget what it knew.
    Anew(ResetReason),
}

/// One client's place.
pub(crate) struct Follower {
    hub: Arc<Hub>,
    at: At,
    bell: watch::Receiver<()>,
}

/// Where a client reads.
#[derive(Clone, Copy)]
enum At {
    /// Behind the event with this number, which is older than the shelf.
    Order(u64),
    /// At this place of the shelf, behind the event with this number.
    Shelf(u64, u64),
}

impl Hub {
    /// Most frames on the shelf.
    pub(crate) const FRAMES_MAX: usize = 4096;
    /// Most bytes on the shelf; the last frame stays whatever its size.
    pub(crate) const BYTES_MAX: usize = 8 << 20;
    /// Most frames taken at once, so that no reader holds the shelf for long.
    const BATCH: usize = 64;

    /// A hub that keeps its order in the directory `data`.
    pub(crate) fn new(data: &Path) -> Arc<Self> {
        let (order, is_new) = Order::open(data);
        Self::over(order, is_new)
    }

    fn over(order: Order, is_new: bool) -> Arc<Self> {
        let floor = order.end();
        let shelf = Shelf {
            order,
            is_new,
            slots: VecDeque::new(),
            bytes: 0,
            first: 0,
            floor,
        };
        Arc::new(Self {
            shelf: Mutex::new(shelf),
            bell: watch::Sender::new(()),
        })
    }

    /// Puts an event on the shelf, and before it those of the same task that nobody was told of.
    pub(crate) fn publish(&self, task: &TaskId, seq: u64, json: &[u8]) {
        let mut shelf = lock(&self.shelf);
        shelf.enter(task, seq, Some(json));
        drop(shelf);
        self.bell.send_replace(());
    }

    /// The journal of `task` reaches to `seq`: what nobody was told of is told now. What stands there when
    /// the order begins was told to nobody that holds a cursor, and is not.
    pub(crate) fn catch_up(&self, task: &TaskId, seq: u64) {
        let mut shelf = lock(&self.shelf);
        if shelf.is_new {
            shelf.order.assume(task, seq);
        } else {
            shelf.enter(task, seq, None);
        }
        drop(shelf);
        self.bell.send_replace(());
    }

    /// Every task that is there was caught up with: what is new from now on is told.
    pub(crate) fn caught_up(&self) {
        let mut shelf = lock(&self.shelf);
        if std::mem::take(&mut shelf.is_new) {
            shelf.order.write_anew();
        }
    }

    /// Puts a frame on the shelf that is of this moment: it moves no client's cursor.
    pub(crate) fn tell(&self, frame: Bytes) {
        let mut shelf = lock(&self.shelf);
        let n = shelf.order.end();
        shelf.put(n, Piece::Frame(frame));
        drop(shelf);
        self.bell.send_replace(());
    }

    /// Makes the order outlive the machine too.
    pub(crate) fn close(&self) {
        lock(&self.shelf).order.close();
    }

    /// A place behind `cursor`, or at the end without one.
    pub(crate) fn follow(self: &Arc<Self>, cursor: Option<&str>) -> (Follower, Start) {
        let bell = self.bell.subscribe();
        let shelf = lock(&self.shelf);
        let end = At::Shelf(shelf.end(), shelf.order.end());
        let (at, start) = match cursor.map(|cursor| shelf.find(cursor)) {
            None => (end, Start::There),
            Some(Ok(at)) => (at, Start::There),
            Some(Err(reason)) => (end, Start::Anew(reason)),
        };
        let hub = self.clone();
        (Follower { hub, at, bell }, start)
    }
}

impl Shelf {
    /// The place that the next slot gets.
    fn end(&self) -> u64 {
        self.first + self.slots.len() as u64
    }

    fn enter(&mut self, task: &TaskId, seq: u64, json: Option<&[u8]>) {
        for (n, entered) in self.order.enter(task, seq) {
            let cursor = self.cursor(n);
            let piece = match json.filter(|_| entered == seq) {
                Some(json) => Piece::Frame(frame::event(&cursor, json)),
                None => Piece::Written {
                    cursor,
                    task: task.clone(),
                    seq: entered,
                },
            };
            self.put(n, piece);
        }
    }

    fn cursor(&self, n: u64) -> String {
        format!("{}-{n}", self.order.life())
    }

    fn put(&mut self, n: u64, piece: Piece) {
        self.bytes += piece.len();
        self.slots.push_back(Slot { n, piece });
        while self.slots.len() > Hub::FRAMES_MAX
            || (self.bytes > Hub::BYTES_MAX && self.slots.len() > 1)
        {
            let Some(oldest) = self.slots.pop_front() else {
                break;
            };
            self.bytes -= oldest.piece.len();
            self.first += 1;
            self.floor = oldest.n;
        }
    }

    /// The place behind `cursor`.
    fn find(&self, cursor: &str) -> Result<At, ResetReason> {
        let (life, number) = cursor.rsplit_once('-').ok_or(ResetReason::UnknownCursor)?;
        let seen: u64 = number.parse().map_err(|_| ResetReason::UnknownCursor)?;
        if life != self.order.life() || seen > self.order.end() {
            return Err(ResetReason::UnknownCursor);
        }
        self.place(seen).ok_or(ResetReason::TooOld)
    }

    /// Where what was told behind the event `n` is.
    fn place(&self, n: u64) -> Option<At> {
        if n >= self.floor {
            let skip = self.slots.partition_point(|slot| slot.n <= n);
            return Some(At::Shelf(self.first + skip as u64, n));
        }
        self.order.reaches(n).then_some(At::Order(n))
    }
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Frame(frame) => frame.len(),
            Self::Written { .. } => 0,
        }
    }
}

impl Follower {
    /// The cursor of the last event that was taken.
    pub(crate) fn cursor(&self) -> String {
        let (At::Order(n) | At::Shelf(_, n)) = self.at;
        lock(&self.hub.shelf).cursor(n)
    }

    /// What is there to be sent now; nothing when this client fell behind and must come again.
    pub(crate) fn take(&mut self) -> Option<Vec<Piece>> {
        let shelf = lock(&self.hub.shelf);
        let at = match self.at {
            At::Order(n) => shelf.place(n)?,
            on_shelf @ At::Shelf(..) => on_shelf,
        };
        match at {
            At::Order(n) => {
                let entries = shelf.order.behind(n, Hub::BATCH);
                self.at = At::Order(entries.last().map_or(n, |(n, _, _)| *n));
                let written = entries.into_iter().map(|(n, task, seq)| Piece::Written {
                    cursor: shelf.cursor(n),
                    task,
                    seq,
                });
                Some(written.collect())
            }
            At::Shelf(next, n) => {
                let skip = usize::try_from(next.checked_sub(shelf.first)?).ok()?;
                let slots = shelf.slots.iter().skip(skip).take(Hub::BATCH);
                let taken: Vec<_> = slots.map(|slot| (slot.n, slot.piece.clone())).collect();
                let n = taken.last().map_or(n, |(n, _)| *n);
                self.at = At::Shelf(next + taken.len() as u64, n);
                Some(taken.into_iter().map(|(_, piece)| piece).collect())
            }
        }
    }

    /// The next things, as soon as there are some; nothing when this client must come again.
    pub(crate) async fn wait(&mut self) -> Option<Vec<Piece>> {
        loop {
            self.bell.mark_unchanged();
            match self.take() {
                Some(pieces) if pieces.is_empty() => self.bell.changed().await.ok()?,
                taken => return taken,
            }
        }
    }
}

#[cfg(test)]
mod tests;
