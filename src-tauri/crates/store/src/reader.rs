//! The history of one task, page by page. Many may read at once, while the journal is written.
//!
//! A reader sees whole, acknowledged lines only. It begins at a mark near the line it wants, so a page
//! of a long journal costs what the page holds, not what the journal holds.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use paddock_domain::TaskId;
use tokio::sync::Semaphore;

use crate::extent::{Extent, Mark};
use crate::held::Held;
use crate::layout::Layout;
use crate::shelf::Shelf;
use crate::text::{Ended, Head, read_line};
use crate::{Damage, DamageKind, StoreError};

/// How much of a journal is in memory while all of its lines are gone through, in bytes.
const AT_ONCE: usize = 1 << 20;

/// Reads the history of one task.
#[derive(Clone, Debug)]
pub struct JournalReader {
    task: TaskId,
    layout: Layout,
    shelf: Option<Arc<Shelf>>,
    pages: Arc<Semaphore>,
}

impl JournalReader {
    /// Most bytes of one page, whatever is asked for, but always at least one line.
    pub const PAGE_MAX: usize = 8 << 20;

    pub(crate) fn new(
        task: TaskId,
        layout: Layout,
        shelf: Option<Arc<Shelf>>,
        pages: Arc<Semaphore>,
    ) -> Self {
        Self {
            task,
            layout,
            shelf,
            pages,
        }
    }

    /// The number of the last event that can be read; 0 when there is no such task.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.shelf
            .as_ref()
            .map_or(0, |shelf| shelf.extent().last_seq)
    }

    /// Events after number `since_seq` (0: from the first) as JSON without newlines, about
    /// `max_bytes` of them but at least one, and the number to ask after next. A page without events
    /// is the end for now.
    ///
    /// # Errors
    /// [`StoreError::NoSuchTask`], and [`StoreError::Damaged`] when the next event is beyond the
    /// damage: what is before it was given by earlier pages.
    pub async fn page(
        &self,
        since_seq: u64,
        max_bytes: usize,
    ) -> Result<(Vec<Bytes>, u64), StoreError> {
        let Some(shelf) = self.shelf.clone() else {
            let task = self.task.clone();
            return Err(StoreError::NoSuchTask { task });
        };
        let permit = Arc::clone(&self.pages).acquire_owned().await;
        let permit = permit.map_err(|_| StoreError::Closed)?;
        let layout = self.layout.clone();
        let most = max_bytes.min(Self::PAGE_MAX);
        let read = tokio::task::spawn_blocking(move || {
            let page = read_page(&shelf, &layout, since_seq, most);
            drop(permit);
            page
        });
        read.await.map_err(|_| StoreError::Closed)?
    }

    /// Gives the JSON of every event after number `since_seq` to `take`, at least up to event `last`, page
    /// by page: never more of the journal in memory than one.
    ///
    /// # Errors
    /// As [`Self::page`].
    pub async fn each_line(
        &self,
        since_seq: u64,
        last: u64,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), StoreError> {
        let mut since = since_seq;
        while since < last {
            let (page, reached) = self.page(since, AT_ONCE).await?;
            if page.is_empty() {
                break;
            }
            since = reached;
            page.iter().for_each(|line| take(line));
        }
        Ok(())
    }
}

fn read_page(
    shelf: &Shelf,
    layout: &Layout,
    since_seq: u64,
    max_bytes: usize,
) -> Result<(Vec<Bytes>, u64), StoreError> {
    let damaged = |damage| StoreError::Damaged {
        task: shelf.task().clone(),
        damage,
    };
    let mut extent = shelf.extent().clone();
    if since_seq >= extent.last_seq {
        let beyond = extent.damage.take();
        return beyond.map_or(Ok((Vec::new(), since_seq)), |damage| Err(damaged(damage)));
    }
    let mut page = Page {
        wanted: since_seq + 1,
        max_bytes,
        bytes: 0,
        lines: Vec::new(),
    };
    let found = Held::open(layout, shelf.task(), false)
        .and_then(|mut held| page.read(&mut held, &mut extent))
        .map_err(|source| StoreError::io("reading", layout.journal(shelf.task()), source))?;
    shelf.extent().learn(extent);
    match found {
        Some(damage) if page.lines.is_empty() => Err(damaged(damage)),
        Some(_) | None => Ok((page.lines, page.wanted - 1)),
    }
}

/// A page while it is filled.
struct Page {
    /// The number of the next line to take.
    wanted: u64,
    max_bytes: usize,
    bytes: usize,
    lines: Vec<Bytes>,
}

impl Page {
    /// Fills the page from the mark before the first wanted line, and covers what it passes. Gives
    /// the damage that ended it early.
    fn read(&mut self, held: &mut Held, extent: &mut Extent) -> io::Result<Option<Damage>> {
        let (known, told) = (extent.before(self.wanted), held.before(self.wanted));
        let mut at = if known.seq < told.seq { told } else { known };
        let mut file = held.text_from(at.offset)?;
        let mut line = Vec::new();
        while at.offset < extent.len {
            let (ended, bytes) = read_line(&mut file, &mut line)?;
            let wanted = at.seq >= self.wanted;
            if let Some(damage) = judge(at.seq, &ended, wanted.then_some(&line)) {
                return Ok(Some(damage));
            }
            if at == extent.uncovered() {
                extent.cover(bytes);
            }
            if wanted && !self.take(&line) {
                return Ok(None);
            }
            at = Mark {
                seq: at.seq + 1,
                offset: at.offset + bytes,
            };
        }
        Ok(None)
    }

    /// Takes a line; false when the page has no room for it.
    fn take(&mut self, line: &[u8]) -> bool {
        let full = self.bytes + line.len() > self.max_bytes;
        if full && !self.lines.is_empty() {
            return false;
        }
        self.bytes += line.len() + 1;
        self.wanted += 1;
        self.lines.push(Bytes::copy_from_slice(line));
        true
    }
}

/// What is wrong with what stands where line `due` should be, when somebody changed the file under us.
/// The number is looked at in lines that are wanted alone.
fn judge(due: u64, ended: &Ended, wanted: Option<&Vec<u8>>) -> Option<Damage> {
    let garbled = Damage {
        line: due,
        kind: DamageKind::Garbled,
    };
    match (ended, wanted) {
        (Ended::Whole, None) => None,
        (Ended::Whole, Some(line)) => match Head::of(line) {
            Some(head) => Damage::of_number(due, head.seq),
            None => Some(garbled),
        },
        (Ended::Overlong | Ended::Torn | Ended::Nothing, _) => Some(garbled),
    }
}
