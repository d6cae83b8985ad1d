//! The tables of the search index.
//!
//! `words` is an FTS5 table over `events`: the words of an event, and tags that filters are made of. The
//! key of an event begins with its time, so that "the latest first" and "between two times" are ranges of
//! keys, and is the same in every rebuild.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions as _, Connection as _, SqlitePool};

use super::Pools;
use crate::file;

/// The version of the tables and of what they are filled with. Raise it when either changes.
const VERSION: i64 = 1;
const SET_VERSION: &str = "PRAGMA user_version = 1";

const MADE_OF: [&str; 4] = [
    "CREATE TABLE tasks (
        task INTEGER PRIMARY KEY NOT NULL,
        task_id TEXT NOT NULL UNIQUE,
        last_seq INTEGER NOT NULL,
        journal_len INTEGER NOT NULL,
        title TEXT NOT NULL,
        harness TEXT NOT NULL,
        repositories TEXT NOT NULL
    ) STRICT",
    "CREATE TABLE events (
        id INTEGER PRIMARY KEY NOT NULL,
        task INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        ts INTEGER NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        tags TEXT NOT NULL
    ) STRICT",
    "CREATE INDEX events_of_task ON events (task)",
    "CREATE VIRTUAL TABLE words USING fts5 (
        text, tags, content = 'events', content_rowid = 'id', prefix = '2 3',
        tokenize = 'unicode61 remove_diacritics 2'
    )",
];

/// How long a statement waits for another program that reads the file.
const PATIENCE: Duration = Duration::from_secs(5);
/// Searches at the same time.
const READERS: u32 = 2;

/// Opens the file, made where there is none.
///
/// # Errors
/// Also for one that is broken or of another version.
pub(super) async fn open(path: &Path) -> Result<Pools, sqlx::Error> {
    drop(file::open_private(path)?);
    let options = SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(PATIENCE)
        .disable_statement_logging();
    let writer = pool(&options, 1).await?;
    let prepared = prepare(&writer).await;
    if let Err(error) = prepared {
        writer.close().await;
        return Err(error);
    }
    let readers = pool(&options.pragma("query_only", "ON"), READERS).await?;
    Ok(Pools { writer, readers })
}

async fn pool(options: &SqliteConnectOptions, most: u32) -> Result<SqlitePool, sqlx::Error> {
    SqlitePoolOptions::new()
        .max_connections(most)
        .min_connections(0)
        .idle_timeout(Duration::from_secs(60))
        .connect_with(options.clone())
        .await
}

async fn prepare(pool: &SqlitePool) -> Result<(), sqlx::Error> {
    let version: i64 = sqlx::query_scalar("PRAGMA user_version")
        .fetch_one(pool)
        .await?;
    match version {
        VERSION => {
            // A broken file often opens well and fails here.
            let look = sqlx::query("SELECT count(*) FROM tasks").fetch_one(pool);
            look.await.map(drop)
        }
        0 => {
            let mut connection = pool.acquire().await?;
            make(&mut connection).await
        }
        other => {
            let why = format!("its version is {other}, not {VERSION}");
            Err(sqlx::Error::Configuration(why.into()))
        }
    }
}

async fn make(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin().await?;
    for table in MADE_OF {
        sqlx::query(table).execute(&mut *transaction).await?;
    }
    sqlx::query(SET_VERSION).execute(&mut *transaction).await?;
    transaction.commit().await
}

/// Whether `error` says that the file is no (whole) database.
pub(super) fn is_broken(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(error) = error else {
        return false;
    };
    // SQLITE_CORRUPT with its kinds, SQLITE_NOTADB.
    let code: i64 = error.code().and_then(|code| code.parse().ok()).unwrap_or(0);
    matches!(code & 0xff, 11 | 26)
}
