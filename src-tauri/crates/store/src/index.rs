//! The index: what the journals fold into, in SQLite, so that a start need not read them.
//!
//! It is never the truth. Every row says how many bytes of its journal it stands for; a row that is
//! behind is caught up from the journal, one that is wrong is folded again, and a file that is broken
//! or of another version is deleted. Entries reach it through a bounded queue and one task; writers of
//! journals never wait for it.

mod runs;
mod tasks;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use paddock_domain::{TaskId, Timestamp};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::fold::Snapshot;
use crate::report::IndexFound;
use crate::{Listed, StoreError, file};

pub(crate) use tasks::Row;

/// The version of the tables and of the fold that fills them. Raise it when either changes.
const VERSION: i64 = 1;
const SET_VERSION: &str = "PRAGMA user_version = 1";

/// Entries that may wait to be written.
const QUEUE: usize = 256;
/// Most entries written in one transaction.
const BATCH: usize = 256;
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
pub(crate) struct IndexSender(mpsc::Sender<Input>);

#[derive(Debug)]
enum Input {
    Put(Box<Entry>),
    Flush(oneshot::Sender<()>),
    Close,
}

impl IndexSender {
    /// Leaves `entry` to be written soon. False when there is no room for it now.
    pub(crate) fn offer(&self, entry: Entry) -> bool {
        self.0.try_send(Input::Put(Box::new(entry))).is_ok()
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
        for beside in ["", "-wal", "-shm", "-journal"] {
            let mut name = path.as_os_str().to_owned();
            name.push(beside);
            let _ = std::fs::remove_file(PathBuf::from(name)); // what is in the way shows below
        }
        let (pool, found) = match connect(path).await {
            Ok(pool) => (pool, IndexFound::Remade { why }),
            Err(_) => (in_memory().await?, IndexFound::InMemory { why }),
        };
        Ok((Self::over(pool), found))
    }

    fn over(pool: SqlitePool) -> Self {
        let (sender, inputs) = mpsc::channel(QUEUE);
        let writer = tokio::spawn(write(pool.clone(), inputs));
        Self {
            pool,
            sender: IndexSender(sender),
            writer: Mutex::new(Some(writer)),
        }
    }

    pub(crate) fn sender(&self) -> IndexSender {
        self.sender.clone()
    }

    /// Every row, without the task in it.
    pub(crate) async fn rows(&self) -> Result<HashMap<TaskId, Row>, StoreError> {
        Ok(tasks::rows(&self.pool).await?)
    }

    /// What the journal of task `id` folded into when the index was last told.
    pub(crate) async fn snapshot(&self, id: &TaskId) -> Result<Option<Snapshot>, StoreError> {
        let Some((task, len)) = tasks::task(&self.pool, id).await? else {
            return Ok(None);
        };
        let sources = runs::sources(&self.pool, id).await?;
        Ok(Some(Snapshot { task, sources, len }))
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
        let (done, written) = oneshot::channel();
        let sent = self.sender.0.send(Input::Flush(done)).await;
        sent.map_err(|_| StoreError::Closed)?;
        written.await.map_err(|_| StoreError::Closed)
    }

    /// Writes what was left to be written and closes the file.
    pub(crate) async fn close(&self) {
        let writer = self
            .writer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(writer) = writer
            && self.sender.0.send(Input::Close).await.is_ok()
        {
            let _ = writer.await; // it cannot fail but by a panic, and the index is rebuildable
        }
        self.pool.close().await;
    }
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

/// Writes what comes, as much at once as waits; of one task only the latest.
async fn write(pool: SqlitePool, mut inputs: mpsc::Receiver<Input>) {
    let mut batch = Vec::with_capacity(BATCH);
    while inputs.recv_many(&mut batch, BATCH).await > 0 {
        let (mut entries, mut flushed, mut closing) = (HashMap::new(), Vec::new(), false);
        for input in batch.drain(..) {
            match input {
                Input::Put(entry) => {
                    entries.insert(entry.snapshot.task.task_id.clone(), entry);
                }
                Input::Flush(done) => flushed.push(done),
                Input::Close => closing = true,
            }
        }
        if let Err(error) = write_batch(&pool, entries.into_values()).await {
            tracing::warn!(%error, "the index is behind; it is caught up at the next start");
        }
        for done in flushed {
            let _ = done.send(()); // whoever asked may be gone
        }
        if closing {
            return;
        }
    }
}

async fn write_batch(
    pool: &SqlitePool,
    entries: impl Iterator<Item = Box<Entry>>,
) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    for entry in entries {
        put(&mut transaction, &entry).await?;
    }
    transaction.commit().await
}

async fn put(to: &mut sqlx::SqliteConnection, entry: &Entry) -> Result<(), sqlx::Error> {
    tasks::put(to, entry).await?;
    runs::put(to, &entry.snapshot).await
}
