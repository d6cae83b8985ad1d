//! The index: what the journals fold into, in SQLite, so that a start need not read them.
//!
//! It is never the truth. Every row says how many bytes of its journal it stands for; a row that is
//! behind is caught up from the journal, one that is wrong is folded again, and a file that is broken
//! or of another version is deleted. Entries reach it over a desk and one task; writers of journals
//! never wait for it.

mod desk;
mod runs;
mod tasks;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use paddock_domain::{TaskId, Timestamp};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use tokio::task::JoinHandle;

use crate::fold::Snapshot;
use crate::report::IndexFound;
use crate::search::Growth;
use crate::{Listed, StoreError, file};

pub(crate) use tasks::Row;

use desk::Desk;

/// The version of the tables and of the fold that fills them. Raise it when either changes.
const VERSION: i64 = 7;
const SET_VERSION: &str = "PRAGMA user_version = 7";

/// Most entries written in one transaction.
const BATCH: usize = 64;
/// How long a statement waits for another program that reads the file.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the index holds of one task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) snapshot: Snapshot,
    pub(crate) archived: bool,
}

/// The index and the task that writes it.
#[derive(Debug)]
pub(crate) struct Index {
    pool: SqlitePool,
    sender: IndexSender,
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// Where writers of journals leave what they have.
#[derive(Clone, Debug)]
pub(crate) struct IndexSender(Arc<Desk>);

impl IndexSender {
    /// Leaves `entry` to be written soon.
    pub(crate) fn leave(&self, entry: Entry) {
        self.0.leave(entry);
    }
}

impl Index {
    /// Opens the index at `path`. One that is missing, broken or of another version is made anew; where
    /// that cannot be, one is kept in memory.
    pub(crate) async fn open(path: &Path) -> Result<(Self, IndexFound), StoreError> {
        let existed = path.exists();
        let why = match connect(path).await {
            Ok(pool) => {
                let found = if existed {
                    IndexFound::Good
                } else {
                    IndexFound::Made
                };
                return Ok((Self::over(pool), found));
            }
            Err(error) => error.to_string(),
        };
        file::remove_database(path);
        let (pool, found) = match connect(path).await {
            Ok(pool) => (pool, IndexFound::Remade { why }),
            Err(_) => (in_memory().await?, IndexFound::InMemory { why }),
        };
        Ok((Self::over(pool), found))
    }

    /// Opens the index at `path` as it is; refuses one that is missing, broken or of another version.
    pub(crate) async fn peek(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(StoreError::Index {
                source: sqlx::Error::Io(missing),
            });
        }
        Ok(Self::over(connect(path).await?))
    }

    fn over(pool: SqlitePool) -> Self {
        let desk = Arc::new(Desk::new());
        let writer = tokio::spawn(write(pool.clone(), Arc::clone(&desk)));
        Self {
            pool,
            sender: IndexSender(desk),
            writer: Mutex::new(Some(writer)),
        }
    }

    pub(crate) fn sender(&self) -> IndexSender {
        self.sender.clone()
    }

    /// Where search is told which journals grew.
    pub(crate) fn growth(&self) -> Arc<Growth> {
        self.sender.0.growth()
    }

    /// Every row, without the task in it.
    pub(crate) async fn rows(&self) -> Result<HashMap<TaskId, Row>, StoreError> {
        Ok(tasks::rows(&self.pool).await?)
    }

    /// What the journal of task `id` folded into when the index was last told.
    pub(crate) async fn snapshot(&self, id: &TaskId) -> Result<Option<Snapshot>, StoreError> {
        snapshot(&self.pool, id).await
    }

    /// All that it holds of task `id`.
    pub(crate) async fn entry(&self, id: &TaskId) -> Result<Option<Entry>, StoreError> {
        let archived = tasks::is_archived(&self.pool, id).await?;
        let snapshot = self.snapshot(id).await?;
        Ok(snapshot.map(|snapshot| Entry { snapshot, archived }))
    }

    /// Archived tasks to which nothing happened since `before`, latest first.
    pub(crate) async fn older(&self, before: Timestamp) -> Result<Vec<Listed>, StoreError> {
        Ok(tasks::older(&self.pool, before).await?)
    }

    /// Writes `entries` and forgets `gone`, now.
    pub(crate) async fn put_all(
        &self,
        entries: &[Entry],
        gone: &[TaskId],
    ) -> Result<(), StoreError> {
        let mut transaction = self.pool.begin().await?;
        for id in gone {
            tasks::remove(&mut transaction, id).await?;
            runs::remove(&mut transaction, id).await?;
        }
        for entry in entries {
            put(&mut transaction, entry).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Waits until all that was left to be written is written, or given up.
    pub(crate) async fn flush(&self) -> Result<(), StoreError> {
        let written = self.sender.0.flush();
        written.await.map_err(|_| StoreError::Closed)
    }

    /// Writes what was left to be written and closes the file.
    pub(crate) async fn close(&self) {
        let writer = self
            .writer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(writer) = writer {
            self.sender.0.close();
            let _ = writer.await; // it cannot fail but by a panic, and the index is rebuildable
        }
        self.pool.close().await;
    }
}

/// What the index behind `pool` holds of task `id`.
async fn snapshot(pool: &SqlitePool, id: &TaskId) -> Result<Option<Snapshot>, StoreError> {
    let sources = runs::sources(pool, id).await?;
    Ok(tasks::snapshot(pool, id, sources).await?)
}

async fn connect(path: &Path) -> Result<SqlitePool, sqlx::Error> {
    drop(file::open_private(path)?);
    let options = SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(PATIENCE);
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect_with(options)
        .await?;
    prepare(&pool).await?;
    tasks::rows(&pool).await?; // a broken file often opens well and fails here
    Ok(pool)
}

async fn in_memory() -> Result<SqlitePool, sqlx::Error> {
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(SqliteConnectOptions::new().in_memory(true))
        .await?;
    prepare(&pool).await?;
    Ok(pool)
}

/// Makes the tables of an empty file; refuses those of another version.
async fn prepare(pool: &SqlitePool) -> Result<(), sqlx::Error> {
    let version: i64 = sqlx::query_scalar("PRAGMA user_version")
        .fetch_one(pool)
        .await?;
    match version {
        VERSION => Ok(()),
        0 => {
            let mut transaction = pool.begin().await?;
            sqlx::query(tasks::TABLE).execute(&mut *transaction).await?;
            sqlx::query(runs::TABLE).execute(&mut *transaction).await?;
            sqlx::query(SET_VERSION).execute(&mut *transaction).await?;
            transaction.commit().await
        }
        other => {
            let why = format!("its version is {other}, not {VERSION}");
            Err(sqlx::Error::Configuration(why.into()))
        }
    }
}

/// Writes what is left at the desk until it closes.
async fn write(pool: SqlitePool, desk: Arc<Desk>) {
    let mut behind = false;
    loop {
        let waiting = desk.take().await;
        let entries: Vec<Entry> = waiting.entries.into_values().collect();
        for batch in entries.chunks(BATCH) {
            let written = write_batch(&pool, batch).await;
            if let (Err(error), false) = (&written, behind) {
                tracing::warn!(%error, "the index is behind; it is caught up at the next start");
            }
            behind = written.is_err();
        }
        for done in waiting.flushes {
            let _ = done.send(()); // whoever asked may be gone
        }
        if waiting.closing {
            return desk.shut();
        }
    }
}

async fn write_batch(pool: &SqlitePool, entries: &[Entry]) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    for entry in entries {
        put(&mut transaction, entry).await?;
    }
    transaction.commit().await
}

async fn put(to: &mut sqlx::SqliteConnection, entry: &Entry) -> Result<(), sqlx::Error> {
    tasks::put(to, entry).await?;
    runs::put(to, &entry.snapshot).await
}
