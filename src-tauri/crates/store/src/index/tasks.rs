//! The table `tasks`: one row a task, with its fold as JSON and how much of the journal that stands for.

use std::collections::{BTreeMap, HashMap};

use paddock_domain::{RunId, Source, StateName, Task, TaskId, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::Entry;
use crate::Listed;
use crate::chain::Chain;
use crate::fold::Snapshot;

/// The table.
pub(super) const TABLE: &str = "CREATE TABLE tasks (
    task_id TEXT PRIMARY KEY NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    harness TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    journal_len INTEGER NOT NULL,
    chain TEXT NOT NULL,
    seal TEXT NOT NULL,
    task TEXT NOT NULL
) STRICT";

const PUT: &str = "INSERT OR REPLACE INTO tasks (
    task_id, title, state, harness, created_at, updated_at, archived, last_seq, journal_len, chain, seal, task
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

const OLDER: &str = "SELECT task_id, title, state, created_at, updated_at FROM tasks
    WHERE archived = 1 AND updated_at < ? ORDER BY updated_at DESC, task_id";

/// A row without its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Bytes of the journal that it stands for.
    pub(crate) journal_len: u64,
    /// The number of the last event in them.
    pub(crate) last_seq: u64,
    /// When that happened.
    pub(crate) updated_at: Timestamp,
    /// Whether it knows the task as archived.
    pub(crate) archived: bool,
}

pub(super) async fn put(to: &mut SqliteConnection, entry: &Entry) -> Result<(), sqlx::Error> {
    let snapshot = &entry.snapshot;
    let task = &snapshot.task;
    let json = json(task)?;
    sqlx::query(PUT)
        .bind(task.task_id.as_str())
        .bind(&task.title)
        .bind(task.state.as_str())
        .bind(task.spec.harness.as_str())
        .bind(task.created_at.unix_ms())
        .bind(task.updated_at.unix_ms())
        .bind(entry.archived)
        .bind(signed(task.last_seq))
        .bind(signed(snapshot.len))
        .bind(snapshot.chain.to_hex())
        .bind(seal(
            &json,
            &snapshot.chain,
            snapshot.len,
            &snapshot.sources,
        ))
        .bind(json)
        .execute(to)
        .await?;
    Ok(())
}

pub(super) async fn remove(from: &mut SqliteConnection, id: &TaskId) -> Result<(), sqlx::Error> {
    let query = sqlx::query("DELETE FROM tasks WHERE task_id = ?");
    query.bind(id.as_str()).execute(from).await?;
    Ok(())
}

pub(super) async fn rows(from: &SqlitePool) -> Result<HashMap<TaskId, Row>, sqlx::Error> {
    let query = "SELECT task_id, journal_len, last_seq, updated_at, archived FROM tasks";
    let found = sqlx::query(query).fetch_all(from).await?;
    let row = |row: &SqliteRow| {
        let read = Row {
            journal_len: unsigned(row.try_get("journal_len")?),
            last_seq: unsigned(row.try_get("last_seq")?),
            updated_at: Timestamp::from_unix_ms(row.try_get("updated_at")?),
            archived: row.try_get("archived")?,
        };
        Ok((task_id(row)?, read))
    };
    found.iter().map(row).collect()
}

/// What row `id` holds, with the `sources` that the index has of its runs; nothing when there is no such row,
/// when it is not as it was written, or holds no task that this version knows.
pub(super) async fn snapshot(
    from: &SqlitePool,
    id: &TaskId,
    sources: BTreeMap<RunId, Source>,
) -> Result<Option<Snapshot>, sqlx::Error> {
    let query = sqlx::query("SELECT task, journal_len, chain, seal FROM tasks WHERE task_id = ?");
    let Some(row) = query.bind(id.as_str()).fetch_optional(from).await? else {
        return Ok(None);
    };
    let (json, len): (&str, _) = (row.try_get("task")?, unsigned(row.try_get("journal_len")?));
    let Some(chain) = Chain::of_hex(row.try_get("chain")?) else {
        return Ok(None);
    };
    let written: &str = row.try_get("seal")?;
    if written != seal(json, &chain, len, &sources) {
        return Ok(None);
    }
    let task: Option<Task> = serde_json::from_str(json).ok();
    Ok(task
        .filter(|task| task.task_id == *id)
        .map(|task| Snapshot {
            task,
            sources,
            len,
            chain,
        }))
}

/// What a row must say of itself: a disk or an editor may have changed it.
fn seal(json: &str, chain: &Chain, len: u64, sources: &BTreeMap<RunId, Source>) -> String {
    let mut seal = *chain;
    seal.add(json.as_bytes());
    seal.add(&len.to_le_bytes());
    for source in sources.values() {
        let place = format!("{} {} {}", source.run_id, source.offset, source.index);
        seal.add(place.as_bytes());
    }
    seal.to_hex()
}

/// Whether row `id` knows its task as archived.
pub(super) async fn is_archived(from: &SqlitePool, id: &TaskId) -> Result<bool, sqlx::Error> {
    let query = sqlx::query_scalar("SELECT archived FROM tasks WHERE task_id = ?");
    let archived: Option<bool> = query.bind(id.as_str()).fetch_optional(from).await?;
    Ok(archived.unwrap_or(false))
}

pub(super) async fn older(
    from: &SqlitePool,
    before: Timestamp,
) -> Result<Vec<Listed>, sqlx::Error> {
    let query = sqlx::query(OLDER).bind(before.unix_ms());
    let found = query.fetch_all(from).await?;
    let listed = |row: &SqliteRow| {
        Ok(Listed {
            task_id: task_id(row)?,
            title: row.try_get("title")?,
            state: state(row.try_get("state")?)?,
            created_at: Timestamp::from_unix_ms(row.try_get("created_at")?),
            updated_at: Timestamp::from_unix_ms(row.try_get("updated_at")?),
        })
    };
    found.iter().map(listed).collect()
}

fn task_id(row: &SqliteRow) -> Result<TaskId, sqlx::Error> {
    TaskId::parse(row.try_get("task_id")?).map_err(|error| sqlx::Error::Decode(error.into()))
}

fn state(name: &str) -> Result<StateName, sqlx::Error> {
    let known = StateName::ALL.iter().find(|state| state.as_str() == name);
    known
        .copied()
        .ok_or_else(|| sqlx::Error::Decode(format!("`{name}` is no state").into()))
}

fn json(task: &Task) -> Result<String, sqlx::Error> {
    serde_json::to_string(task).map_err(|error| sqlx::Error::Encode(error.into()))
}

/// SQLite counts with a sign; what does not fit (no file is that long) is the most there is.
pub(super) fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}
