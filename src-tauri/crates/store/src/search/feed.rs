//! Filling the search index from journals, page by page, each page in one transaction.

use std::collections::BTreeMap;

use bytes::Bytes;
use paddock_domain::{Body, Event, TaskId};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::query::{ANY, kind_tag, task_tag};
use super::words::{self, Words};
use super::{Pools, Search};
use crate::{JournalReader, StoreError};

/// How much of a journal is read and written at once, in bytes.
const AT_ONCE: usize = 1 << 20;
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
        held.last_seq = reached;
        held.journal_len += page.iter().map(|line| line.len() as u64 + 1).sum::<u64>();
        let read = tokio::task::spawn_blocking(move || read(&page));
        let read = read
            .await
            .map_err(|_| Failed::Reading(Box::new(StoreError::Closed)))?;
        write(&pools.writer, id, &read, held).await?;
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

async fn write(
    pool: &SqlitePool,
    id: &TaskId,
    read: &Read,
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
        return Ok(()); // its first event cannot be read
    };
    let mut entries: Vec<_> = read
        .entries
        .iter()
        .map(|entry| (key(id, entry), entry))
        .collect();
    entries.sort_by_key(|(key, _)| *key); // the database likes keys that grow
    for (key, entry) in entries {
        put(&mut transaction, task, key, entry).await?;
    }
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

async fn put(
    to: &mut SqliteConnection,
    task: i64,
    key: i64,
    entry: &Entry,
) -> Result<(), sqlx::Error> {
    let kind = entry.words.kind;
    let tags = format!("{ANY} {} {}", task_tag(task), kind_tag(kind));
    let mut key = key;
    let event = "INSERT OR IGNORE INTO events (id, task, seq, ts, kind, text, tags)
        VALUES (?, ?, ?, ?, ?, ?, ?)";
    loop {
        let put = sqlx::query(event)
            .bind(key)
            .bind(task)
            .bind(signed(entry.seq))
            .bind(entry.ts)
            .bind(kind.as_str())
            .bind(&entry.words.text)
            .bind(&tags)
            .execute(&mut *to)
            .await?;
        if put.rows_affected() > 0 {
            break;
        }
        key += 1; // two events of one moment that drew the same lot
    }
    sqlx::query("INSERT INTO words (rowid, text, tags) VALUES (?, ?, ?)")
        .bind(key)
        .bind(&entry.words.text)
        .bind(&tags)
        .execute(to)
        .await?;
    Ok(())
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
