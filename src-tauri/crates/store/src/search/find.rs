//! Finding: the latest events that match, ranked by how well and how lately, a page of them with snippets.
//!
//! Ranking looks at no more than [`CANDIDATES`] events, so a word that is everywhere costs no more than
//! one that is rare; the page says when there are more. Start at [`Search::find`].

use std::collections::HashMap;

use paddock_domain::{HarnessName, SearchKind, TaskId, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite, SqlitePool};

use super::feed::first_key;
use super::words::MARKS;
use super::{CANDIDATES, Hit, Hits, Search, SearchQuery};
use crate::StoreError;

/// More tasks than this are not named to the database one by one: their events are picked afterwards.
const TASKS_NAMED: usize = 200;
/// Words of a snippet.
const SNIPPET_WORDS: i64 = 28;
/// After how many milliseconds a hit is worth half as much more for being new.
const HALF_LIFE_MS: f64 = 14.0 * 24.0 * 60.0 * 60.0 * 1000.0;
/// How much more the newest hit is worth than one that is as good and very old.
const NEWNESS: f64 = 1.0;

/// An event that matches, before it is shown.
struct Candidate {
    key: i64,
    task: i64,
    ts: i64,
    seq: i64,
    goodness: f64,
}

/// A task of the index.
struct Known {
    task_id: String,
    title: String,
    harness: String,
    repositories: String,
}

impl Search {
    /// The events that match `query`, best first: at most `limit` of them after the first `skip`.
    ///
    /// # Errors
    /// [`StoreError::Index`].
    pub(crate) async fn find(
        &self,
        query: &SearchQuery,
        skip: usize,
        limit: usize,
    ) -> Result<Hits, StoreError> {
        let pools = self.pools().await?;
        match find(&pools.readers, query, skip, limit).await {
            Ok(hits) => Ok(hits),
            Err(error) => Err(self.failed(error).await),
        }
    }
}

async fn find(
    pool: &SqlitePool,
    query: &SearchQuery,
    skip: usize,
    limit: usize,
) -> Result<Hits, sqlx::Error> {
    let known = known(pool).await?;
    let chosen = chosen(&known, query);
    if chosen.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Hits::default());
    }
    let named = chosen.as_deref().filter(|tasks| tasks.len() <= TASKS_NAMED);
    let expression = query.expression(named);
    let mut found = candidates(pool, &expression, query).await?;
    let more = found.len() > CANDIDATES;
    found.truncate(CANDIDATES);
    if let (Some(chosen), None) = (&chosen, named) {
        found.retain(|candidate| chosen.binary_search(&candidate.task).is_ok());
    }
    rank(&mut found);
    let page: Vec<_> = found.iter().skip(skip).take(limit).collect();
    Ok(Hits {
        hits: shown(pool, &expression, &page, &known).await?,
        ranked: found.len(),
        more,
    })
}

async fn known(pool: &SqlitePool) -> Result<HashMap<i64, Known>, sqlx::Error> {
    let query = sqlx::query("SELECT task, task_id, title, harness, repositories FROM tasks");
    let known = |row: &SqliteRow| {
        let known = Known {
            task_id: row.try_get("task_id")?,
            title: row.try_get("title")?,
            harness: row.try_get("harness")?,
            repositories: row.try_get("repositories")?,
        };
        Ok((row.try_get("task")?, known))
    };
    query.fetch_all(pool).await?.iter().map(known).collect()
}

/// The tasks that the query's filters leave, sorted; nothing when it has none.
fn chosen(known: &HashMap<i64, Known>, query: &SearchQuery) -> Option<Vec<i64>> {
    let is_open =
        query.tasks.is_empty() && query.repositories.is_empty() && query.harnesses.is_empty();
    if is_open {
        return None;
    }
    let any = |wanted: &[String], fits: &dyn Fn(&str) -> bool| {
        wanted.is_empty() || wanted.iter().any(|wanted| fits(wanted))
    };
    let fits = |task: &Known| {
        any(&query.tasks, &|id| {
            task.task_id.starts_with(id) || task.task_id.ends_with(id)
        }) && any(&query.harnesses, &|harness| task.harness == harness)
            && any(&query.repositories, &|part| {
                task.repositories.contains(part)
            })
    };
    let chosen = known.iter().filter(|(_, task)| fits(task));
    let mut chosen: Vec<_> = chosen.map(|(key, _)| *key).collect();
    chosen.sort_unstable();
    Some(chosen)
}

/// The latest events that match, one more than are ranked.
async fn candidates(
    pool: &SqlitePool,
    expression: &str,
    query: &SearchQuery,
) -> Result<Vec<Candidate>, sqlx::Error> {
    let from = query.after.map_or(0, |at| first_key(at.unix_ms()));
    let until = query.before.map_or(i64::MAX, |at| first_key(at.unix_ms()));
    let sql = "SELECT matched.key, matched.goodness, events.task, events.ts, events.seq FROM (
            SELECT rowid AS key, bm25(words, 1.0, 0.0) AS goodness FROM words
            WHERE words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?
        ) AS matched JOIN events ON events.id = matched.key";
    let rows = sqlx::query(sql)
        .bind(expression)
        .bind(from)
        .bind(until)
        .bind(i64::try_from(CANDIDATES + 1).unwrap_or(i64::MAX))
        .fetch_all(pool)
        .await?;
    let candidate = |row: &SqliteRow| {
        Ok(Candidate {
            key: row.try_get("key")?,
            task: row.try_get("task")?,
            ts: row.try_get("ts")?,
            seq: row.try_get("seq")?,
            // The database's is the smaller the better.
            goodness: -row.try_get::<f64, _>("goodness")?,
        })
    };
    let mut found: Vec<Candidate> = rows
        .iter()
        .map(candidate)
        .collect::<Result<_, sqlx::Error>>()?;
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.key));
    Ok(found)
}

/// Best first; new ones count more, and between equals the later one is first.
fn rank(found: &mut [Candidate]) {
    let newest = found
        .iter()
        .map(|candidate| candidate.ts)
        .max()
        .unwrap_or(0);
    for candidate in &mut *found {
        #[allow(clippy::cast_precision_loss)] // milliseconds between two events of ours
        let age = (newest - candidate.ts) as f64;
        let newness = 1.0 + NEWNESS * 0.5_f64.powf(age / HALF_LIFE_MS);
        // A search without words finds all equally good.
        candidate.goodness = candidate.goodness.max(1e-6) * newness;
    }
    found.sort_by(|a, b| {
        b.goodness
            .total_cmp(&a.goodness)
            .then(b.ts.cmp(&a.ts))
            .then(b.seq.cmp(&a.seq))
    });
}

/// The events of `page` as they are shown, in its order; what went while we looked is left out.
async fn shown(
    pool: &SqlitePool,
    expression: &str,
    page: &[&Candidate],
    known: &HashMap<i64, Known>,
) -> Result<Vec<Hit>, sqlx::Error> {
    let keys = page.iter().map(|candidate| candidate.key);
    let (Some(first), Some(last)) = (keys.clone().min(), keys.clone().max()) else {
        return Ok(Vec::new());
    };
    // All in one look through what matches: the database begins each look by gathering a beginning's words. The
    // plus keeps it from looking once for each key.
    let sql = "SELECT words.rowid AS key, snippet(words, 0, ";
    let mut query = QueryBuilder::<Sqlite>::new(sql);
    query.push_bind(MARKS[0].to_string()).push(", ");
    query.push_bind(MARKS[1].to_string()).push(", '…', ");
    query.push_bind(SNIPPET_WORDS);
    query.push(
        ") AS snippet, events.kind AS kind
        FROM words JOIN events ON events.id = words.rowid WHERE words MATCH ",
    );
    query.push_bind(expression);
    query.push(" AND words.rowid >= ").push_bind(first);
    query.push(" AND words.rowid <= ").push_bind(last);
    query.push(" AND +words.rowid IN (");
    let mut listed = query.separated(", ");
    for key in keys {
        listed.push_bind(key);
    }
    query.push(")");
    // Not kept for the next time, which has another number of keys.
    let rows = query.build().persistent(false).fetch_all(pool).await?;
    let rows = rows.iter().map(|row| Ok((row.try_get("key")?, row)));
    let rows: HashMap<i64, _> = rows.collect::<Result<_, sqlx::Error>>()?;
    let hits = page.iter().filter_map(|candidate| {
        let row = rows.get(&candidate.key)?;
        Some(hit(row, candidate, known.get(&candidate.task)?))
    });
    hits.collect()
}

/// `candidate`, an event of `task`, with what `row` shows of it.
fn hit(row: &SqliteRow, candidate: &Candidate, task: &Known) -> Result<Hit, sqlx::Error> {
    let (snippet, marks) = marked(row.try_get("snippet")?);
    let kind: &str = row.try_get("kind")?;
    let named = (
        TaskId::parse(&task.task_id),
        HarnessName::parse(&task.harness),
        SearchKind::named(kind),
    );
    let (Ok(task_id), Ok(harness), Some(kind)) = named else {
        return Err(sqlx::Error::Decode(
            "a row of the search index is none of ours".into(),
        ));
    };
    Ok(Hit {
        task_id,
        title: task.title.clone(),
        harness,
        seq: u64::try_from(candidate.seq).unwrap_or(0),
        at: Timestamp::from_unix_ms(candidate.ts),
        kind,
        snippet,
        marks,
    })
}

/// Takes the marks out of `text` and says which characters they stood around.
fn marked(text: &str) -> (String, Vec<(u32, u32)>) {
    let (mut plain, mut marks, mut began, mut at) = (String::new(), Vec::new(), 0, 0);
    for c in text.chars() {
        if c == MARKS[0] {
            began = at;
        } else if c == MARKS[1] {
            marks.push((began, at));
        } else {
            plain.push(c);
            at += 1;
        }
    }
    (plain, marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_counted_in_characters() {
        let (plain, marks) = marked("ü \u{2}Straße\u{3} x\u{2}y\u{3}");
        assert_eq!(
            (plain.as_str(), marks),
            ("ü Straße xy", vec![(2, 8), (10, 11)])
        );
    }
}
