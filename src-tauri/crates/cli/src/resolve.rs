//! Tasks by their id, or by the beginning or the end of it.

use anyhow::Result;
use paddock_api::TaskQuery;
use paddock_client::Client;
use paddock_domain::TaskId;

use crate::exit::{Exit, told};

/// Most candidates that are named when an abbreviation fits several.
const NAMED_MAX: usize = 8;

/// The one task that `text` names.
pub(crate) async fn task(client: &Client, text: &str) -> Result<TaskId> {
    let text = text.to_ascii_lowercase();
    let query = TaskQuery {
        id: Some(text.clone()),
        limit: Some(NAMED_MAX + 1),
        ..TaskQuery::default()
    };
    let found = client.tasks(&query).await?.items;
    if let Some(exact) = found.iter().find(|task| task.task_id.as_str() == text) {
        return Ok(exact.task_id.clone());
    }
    match found.as_slice() {
        [one] => Ok(one.task_id.clone()),
        [] => Err(told(
            Exit::NotFound,
            format!("there is no task `{text}`: `paddock ls` lists them"),
        )),
        several => {
            let named = several
                .iter()
                .take(NAMED_MAX)
                .map(|task| format!("\n  {}  {}", task.task_id, task.title));
            let named: String = named.collect();
            Err(told(
                Exit::Usage,
                format!("`{text}` could be several tasks:{named}"),
            ))
        }
    }
}

/// The one of `all` that `text` names by its beginning or its end.
pub(crate) fn among(all: &[TaskId], text: &str) -> Result<TaskId> {
    let text = text.to_ascii_lowercase();
    let is = |id: &&TaskId| id.as_str().starts_with(&text) || id.as_str().ends_with(&text);
    let found: Vec<_> = all.iter().filter(is).collect();
    let exact = found.iter().find(|id| id.as_str() == text);
    match (exact, found.as_slice()) {
        (Some(id), _) | (None, [id]) => Ok((*id).clone()),
        (None, []) => Err(told(
            Exit::NotFound,
            format!("there is no task `{text}`: `paddock journal ls` lists all there are"),
        )),
        (None, several) => {
            let named = several.iter().take(NAMED_MAX).map(|id| format!("\n  {id}"));
            let named: String = named.collect();
            let message = format!("`{text}` could be several tasks:{named}");
            Err(told(Exit::Usage, message))
        }
    }
}

/// The shortest end of `id` that people use to name it.
pub(crate) fn short(id: &TaskId) -> &str {
    let text = id.as_str();
    text.get(text.len().saturating_sub(6)..).unwrap_or(text)
}
