//! The table `runs`: how much of each run's output the journal has taken.

use std::collections::BTreeMap;

use paddock_domain::{RunId, Source, TaskId};
use sqlx::{Row, SqliteConnection, SqlitePool};

use super::tasks::{signed, unsigned};
use crate::fold::Snapshot;

/// The table.
pub(super) const TABLE: &str = "CREATE TABLE runs (
    task_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    source_offset INTEGER NOT NULL,
    source_index INTEGER NOT NULL,
    PRIMARY KEY (task_id, run_id)
) STRICT, WITHOUT ROWID";

/// Makes the rows of a task those of `snapshot`.
pub(super) async fn put(to: &mut SqliteConnection, snapshot: &Snapshot) -> Result<(), sqlx::Error> {
    let task = &snapshot.task.task_id;
    remove(to, task).await?;
    for source in snapshot.sources.values() {
        sqlx::query(
            "INSERT INTO runs (task_id, run_id, source_offset, source_index) VALUES (?, ?, ?, ?)",
        )
        .bind(task.as_str())
        .bind(source.run_id.as_str())
        .bind(signed(source.offset))
        .bind(i64::from(source.index))
        .execute(&mut *to)
        .await?;
    }
    Ok(())
}

pub(super) async fn remove(from: &mut SqliteConnection, id: &TaskId) -> Result<(), sqlx::Error> {
    let query = sqlx::query("DELETE FROM runs WHERE task_id = ?");
    query.bind(id.as_str()).execute(from).await?;
    Ok(())
}

/// The last source taken from each run of task `id`.
pub(super) async fn sources(
    from: &SqlitePool,
    id: &TaskId,
) -> Result<BTreeMap<RunId, Source>, sqlx::Error> {
    let query =
        sqlx::query("SELECT run_id, source_offset, source_index FROM runs WHERE task_id = ?");
    let rows = query.bind(id.as_str()).fetch_all(from).await?;
    let mut sources = BTreeMap::new();
    for row in rows {
        let run_id = RunId::parse(row.try_get("run_id")?)
            .map_err(|error| sqlx::Error::Decode(error.into()))?;
        let source = Source {
            run_id: run_id.clone(),
            offset: unsigned(row.try_get("source_offset")?),
            index: row.try_get("source_index")?,
        };
        sources.insert(run_id, source);
    }
    Ok(sources)
}
