//! Search in the history of all tasks.

use axum::Json;
use axum::extract::State;
use paddock_api::{
    Cursor, ErrorCode, InvalidCursor, PAGE_DEFAULT, PAGE_MAX, SearchHit, SearchMark, SearchPage,
    SearchRequest, paths,
};
use paddock_orchestrator::{Snapshot, WordsHit};

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::Asked;

/// Search in what was said and done
#[utoipa::path(get, path = paths::SEARCH, tag = "tasks", params(SearchRequest),
    responses((status = 200, body = SearchPage)))]
pub(crate) async fn find(
    State(door): State<Door>,
    Asked(request): Asked<SearchRequest>,
) -> Answer<Json<SearchPage>> {
    let skip = match &request.cursor {
        None => 0,
        Some(cursor) => cursor.key().parse().map_err(|_| no_cursor())?,
    };
    let limit = request.limit.unwrap_or(PAGE_DEFAULT).clamp(1, PAGE_MAX);
    let orchestrator = door.orchestrator();
    let found = orchestrator.search(&request.q, skip, limit).await?;
    let reached = skip + found.hits.hits.len();
    let is_last = found.hits.hits.is_empty() || reached >= found.hits.ranked;
    let snapshot = orchestrator.snapshot();
    Ok(Json(SearchPage {
        next_cursor: (!is_last).then(|| Cursor::after(&reached.to_string())),
        ranked: found.hits.ranked as u64,
        more: found.hits.more,
        unread: found.unread as u64,
        items: found
            .hits
            .hits
            .into_iter()
            .map(|hit| shown(&snapshot, hit))
            .collect(),
    }))
}

fn no_cursor() -> Failure {
    Failure::new(ErrorCode::Invalid, InvalidCursor.to_string())
}

fn shown(snapshot: &Snapshot, hit: WordsHit) -> SearchHit {
    let task = snapshot.tasks.get(&hit.task_id);
    SearchHit {
        state: task.map(|task| task.state),
        task_id: hit.task_id,
        title: hit.title,
        harness: hit.harness,
        seq: hit.seq,
        happened_at: hit.at,
        kind: hit.kind,
        snippet: hit.snippet,
        marks: hit
            .marks
            .into_iter()
            .map(|(from, to)| SearchMark { from, to })
            .collect(),
    }
}
