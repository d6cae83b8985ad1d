//! Filling the search index from journals, page by page, each page in one transaction of few statements:
//! a statement's way to the database and back costs more than an event does.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use paddock_domain::{Body, Event, TaskId};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection, SqlitePool};

use super::query::{ANY, kind_tag, task_tag};
use super::words::{self, Words};
use super::{Pools, Search};
use crate::{JournalReader, StoreError};

/// How much of a journal is read and written at once, in bytes.
const AT_ONCE: usize = 1 << 18;
/// Most events that one statement writes.
const ROWS: usize = 128;
/// Bits of an event's key beside its time: events of one millisecond differ in them.
const KEY_BITS: u32 = 20;
/// The latest time that a key can say, in milliseconds: the year 2109.
const TIME_MAX: i64 = (1 << 42) - 1;

/// How much of a journal the index holds: lines, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    pub(crate) last_seq: u64,
    pub(crate) journal_len: u64,
}

/// What is taken of one event.
struct Entry {
    seq: u64,
    ts: i64,
    words: Words,
}

/// What the first event says of its task.
struct About {
    title: String,
    harness: String,
    repositories: String,
}

/// One page of a journal, read.
#[derive(Default)]
struct Read {
    about: Option<About>,
    entries: Vec<Entry>,
}

impl Search {
    /// How far it reaches into each journal.
    ///
    /// # Errors
    /// [`StoreError::Index`].
    pub(crate) async fn reaches(&self) -> Result<BTreeMap<TaskId, Reach>, StoreError> {
        let pools = self.pools().await?;
        let query = sqlx::query("SELECT task_id, last_seq, journal_len FROM tasks");
        let rows = match query.fetch_all(&pools.readers).await {
            Ok(rows) => rows,
            Err(error) => return Err(self.failed(error).await),
        };
        let reach = |row: &SqliteRow| {
            let id = TaskId::parse(row.try_get("task_id").ok()?).ok()?;
            Some((id, reach(row)?))
        };
        Ok(rows.iter().filter_map(reach).collect())
    }

    /// Takes what the journal behind `reader` has and the index has not.
    ///
    /// # Errors
    /// [`StoreError::Index`], and those of reading; what was taken by then stays.
    pub(crate) async fn index(
        &self,
        id: &TaskId,
        reader: &JournalReader,
    ) -> Result<(), StoreError> {
        let pools = self.pools().await?;
        match index(&pools, id, reader).await {
            Ok(()) => Ok(()),
            Err(Failed::Reading(error)) => Err(*error),
            Err(Failed::Writing(error)) => Err(self.failed(error).await),
        }
    }

    /// Forgets task `id`.
    ///
    /// # Errors
    /// [`StoreError::Index`].
    pub(crate) async fn forget(&self, id: &TaskId) -> Result<(), StoreError> {
        let pools = self.pools().await?;
        match forget(&pools.writer, id).await {
            Ok(()) => Ok(()),
            Err(error) => Err(self.failed(error).await),
        }
    }
}

/// Which half of the work failed.
enum Failed {
    Reading(Box<StoreError>),
    Writing(sqlx::Error),
}

impl From<sqlx::Error> for Failed {
    fn from(error: sqlx::Error) -> Self {
        Self::Writing(error)
    }
}

async fn index(pools: &Pools, id: &TaskId, reader: &JournalReader) -> Result<(), Failed> {
    let query = sqlx::query("SELECT last_seq, journal_len FROM tasks WHERE task_id = ?");
    let known = query
        .bind(id.as_str())
        .fetch_optional(&pools.writer)
        .await?;
    let mut held = known.as_ref().and_then(reach).unwrap_or_default();
    while held.last_seq < reader.last_seq() {
        let page = reader.page(held.last_seq, AT_ONCE).await;
        let (page, reached) = page.map_err(|error| Failed::Reading(Box::new(error)))?;
        if page.is_empty() {
            break;
        }
        let since = std::mem::replace(&mut held.last_seq, reached);
        held.journal_len += page.iter().map(|line| line.len() as u64 + 1).sum::<u64>();
        let read = tokio::task::spawn_blocking(move || read(&page));
        let read = read
            .await
            .map_err(|_| Failed::Reading(Box::new(StoreError::Closed)))?;
        if since == 0 && read.about.is_none() {
            break; // its first event cannot be read, so nothing says whose words they are
        }
        write(&pools.writer, id, &read, since, held).await?;
    }
    Ok(())
}

fn read(page: &[Bytes]) -> Read {
    let mut read = Read::default();
    for line in page {
        let Ok(event) = serde_json::from_slice::<Event>(line) else {
            continue; // what cannot be read is told where it is served
        };
        if let Body::SessionStarted {
            spec,
            task_description,
            ..
        } = &event.body
        {
            let paths = spec
                .repositories
                .iter()
                .map(|repository| repository.path.as_str());
            read.about = Some(About {
                title: task_description.clone(),
                harness: spec.harness.to_string(),
                repositories: paths.collect::<Vec<_>>().join("\n"),
            });
        }
        if let Some(words) = words::of(&event.body) {
            read.entries.push(Entry {
                seq: event.seq,
                ts: event.ts.unix_ms(),
                words,
            });
        }
    }
    read
}

/// Writes what was `read` after event `since`, and that the index holds what is `held` now.
async fn write(
    pool: &SqlitePool,
    id: &TaskId,
    read: &Read,
    since: u64,
    held: Reach,
) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    if let Some(about) = &read.about {
        begin(&mut transaction, id, about).await?;
    }
    let query = sqlx::query_scalar("SELECT task FROM tasks WHERE task_id = ?");
    let task: Option<i64> = query
        .bind(id.as_str())
        .fetch_optional(&mut *transaction)
        .await?;
    let Some(task) = task else {
        return Ok(()); // it was forgotten meanwhile and is read again from its first event
    };
    let mut entries: Vec<_> = read
        .entries
        .iter()
        .map(|entry| (key(id, entry), entry))
        .collect();
    entries.sort_by_key(|(key, _)| *key); // the database likes keys that grow
    put(&mut transaction, task, since, entries).await?;
    let reached = sqlx::query("UPDATE tasks SET last_seq = ?, journal_len = ? WHERE task = ?");
    reached
        .bind(signed(held.last_seq))
        .bind(signed(held.journal_len))
        .bind(task)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await
}

async fn begin(to: &mut SqliteConnection, id: &TaskId, about: &About) -> Result<(), sqlx::Error> {
    let query = "INSERT OR IGNORE INTO tasks
        (task_id, last_seq, journal_len, title, harness, repositories) VALUES (?, 0, 0, ?, ?, ?)";
    sqlx::query(query)
        .bind(id.as_str())
        .bind(&about.title)
        .bind(&about.harness)
        .bind(&about.repositories)
        .execute(to)
        .await?;
    Ok(())
}

/// Writes `entries`, which come after event `since`, sorted by their keys.
async fn put(
    to: &mut SqliteConnection,
    task: i64,
    since: u64,
    entries: Vec<(i64, &Entry)>,
) -> Result<(), sqlx::Error> {
    let Some(&(first, _)) = entries.first() else {
        return Ok(());
    };
    let mut left = entries;
    loop {
        let mut put = 0;
        for rows in left.chunks(ROWS) {
            put += put_events(to, task, rows).await?;
        }
        if put == left.len() as u64 {
            break;
        }
        // Of two events of one moment that drew the same lot, one has got it: the other takes the next.
        let done = numbers(to, task, first, since).await?;
        left.retain(|(_, entry)| !done.contains(&signed(entry.seq)));
        for (key, _) in &mut left {
            *key += 1;
        }
    }
    let words = "INSERT INTO words (rowid, text, tags)
        SELECT id, text, tags FROM events WHERE task = ? AND id >= ? AND seq > ? ORDER BY id";
    sqlx::query(words)
        .bind(task)
        .bind(first)
        .bind(signed(since))
        .execute(to)
        .await?;
    Ok(())
}

/// Writes those of `entries` whose keys are not taken; says how many.
async fn put_events(
    to: &mut SqliteConnection,
    task: i64,
    entries: &[(i64, &Entry)],
) -> Result<u64, sqlx::Error> {
    let insert = "INSERT OR IGNORE INTO events (id, task, seq, ts, kind, text, tags) ";
    let mut insert = QueryBuilder::<Sqlite>::new(insert);
    insert.push_values(entries, |mut row, (key, entry)| {
        let kind = entry.words.kind;
        row.push_bind(*key)
            .push_bind(task)
            .push_bind(signed(entry.seq))
            .push_bind(entry.ts)
            .push_bind(kind.as_str())
            .push_bind(entry.words.text.as_str())
            .push_bind(format!("{ANY} {} {}", task_tag(task), kind_tag(kind)));
    });
    // Not kept for the next time, which has another number of rows.
    let insert = insert.build().persistent(false);
    Ok(insert.execute(to).await?.rows_affected())
}

/// The numbers of the events of `task` after `since` whose keys are `first` or greater.
async fn numbers(
    from: &mut SqliteConnection,
    task: i64,
    first: i64,
    since: u64,
) -> Result<BTreeSet<i64>, sqlx::Error> {
    let query = "SELECT seq FROM events WHERE task = ? AND id >= ? AND seq > ?";
    let numbers = sqlx::query_scalar(query)
        .bind(task)
        .bind(first)
        .bind(signed(since));
    Ok(numbers.fetch_all(from).await?.into_iter().collect())
}

async fn forget(pool: &SqlitePool, id: &TaskId) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    let unlist = "INSERT INTO words (words, rowid, text, tags)
        SELECT 'delete', id, text, tags FROM events
        WHERE task = (SELECT task FROM tasks WHERE task_id = ?)";
    let remove = "DELETE FROM events WHERE task = (SELECT task FROM tasks WHERE task_id = ?)";
    for statement in [unlist, remove, "DELETE FROM tasks WHERE task_id = ?"] {
        sqlx::query(statement)
            .bind(id.as_str())
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await
}

fn reach(row: &SqliteRow) -> Option<Reach> {
    let number = |name: &str| Some(u64::try_from(row.try_get::<i64, _>(name).ok()?).unwrap_or(0));
    Some(Reach {
        last_seq: number("last_seq")?,
        journal_len: number("journal_len")?,
    })
}

/// The key of an event: its time, then what tells it from others of the same moment.
fn key(id: &TaskId, entry: &Entry) -> i64 {
    let mut lot = 0xcbf2_9ce4_8422_2325_u64; // FNV-1a
    for byte in id.as_str().bytes().chain(entry.seq.to_le_bytes()) {
        lot = (lot ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    first_key(entry.ts) | i64::try_from(lot >> (64 - KEY_BITS)).unwrap_or(0)
}

/// The first key of the moment `ts`.
pub(super) fn first_key(ts: i64) -> i64 {
    ts.clamp(0, TIME_MAX) << KEY_BITS
}

fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use paddock_domain::SearchKind;

    use super::super::tables;
    use super::*;

    #[tokio::test]
    async fn events_that_draw_the_same_key_are_found_each() {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join("search.sqlite");
        let pools = tables::open(&path).await.unwrap();
        let entry = |seq| Entry {
            seq,
            ts: 7,
            words: Words {
                kind: SearchKind::Notice,
                text: format!("note n{seq}"),
            },
        };
        let most = ROWS as u64;
        for (since, last) in [(0, 2 * most), (2 * most, 2 * most + 3)] {
            let page: Vec<_> = (since + 1..=last).map(entry).collect();
            let lot = |seq| first_key(7) + 10 * signed(seq / 3);
            let drawn = page.iter().map(|entry| (lot(entry.seq), entry));
            let mut connection = pools.writer.acquire().await.unwrap();
            put(&mut connection, 1, since, drawn.collect())
                .await
                .unwrap();
        }
        let all: Vec<_> = (1..=signed(2 * most + 3)).collect();
        for (typed, expected) in [("note", all), ("n258", vec![258])] {
            let found = "SELECT seq FROM words JOIN events ON events.id = words.rowid
                WHERE words MATCH ? ORDER BY seq";
            let found = sqlx::query_scalar(found).bind(typed);
            let found: Vec<i64> = found.fetch_all(&pools.readers).await.unwrap();
            assert_eq!(found, expected, "{typed}");
        }
        pools.close().await;
    }
}
