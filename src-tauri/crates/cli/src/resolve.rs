//! Tasks and other things by their id, or by the beginning or the end of it.

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
    let none =
        |text: &str| format!("there is no task `{text}`: `paddock journal ls` lists all there are");
    one_of(all, TaskId::as_str, "tasks", text, none).cloned()
}

/// The one of `all`, which are `things` with an `id`, that `text` names; that there is none is said by `none`.
pub(crate) fn one_of<'a, T>(
    all: &'a [T],
    id: impl Fn(&T) -> &str,
    things: &str,
    text: &str,
    none: impl Fn(&str) -> String,
) -> Result<&'a T> {
    let text = text.to_ascii_lowercase();
    let found: Vec<&T> = all.iter().filter(|it| names(&text, id(it))).collect();
    let exact = found.iter().find(|it| id(it) == text);
    match (exact, found.as_slice()) {
        (Some(it), _) | (None, [it]) => Ok(*it),
        (None, []) => Err(told(Exit::NotFound, none(&text))),
        (None, several) => {
            let several = several.iter().take(NAMED_MAX);
            let named = several.map(|it| format!("\n  {}", id(it)));
            let named: String = named.collect();
            let message = format!("`{text}` could be several {things}:{named}");
            Err(told(Exit::Usage, message))
        }
    }
}

/// Whether `text` names `id`: by its beginning or its end, in any case.
pub(crate) fn names(text: &str, id: &str) -> bool {
    let text = text.to_ascii_lowercase();
    id.starts_with(&text) || id.ends_with(&text)
}

/// The shortest end of `id` that people use to name it.
pub(crate) fn short(id: &TaskId) -> &str {
    let text = id.as_str();
    text.get(text.len().saturating_sub(6)..).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_several_things_is_none_of_them() {
        let all = ["01jcaa", "01jcbb", "01jc"];
        let named = |text| {
            one_of(
                &all,
                |id| *id,
                "groups",
                text,
                |text| format!("no `{text}`"),
            )
        };
        assert_eq!(named("BB").unwrap(), &"01jcbb");
        assert_eq!(named("01jc").unwrap(), &"01jc");
        let several = named("01").unwrap_err().to_string();
        assert_eq!(
            several,
            "`01` could be several groups:\n  01jcaa\n  01jcbb\n  01jc"
        );
        assert_eq!(named("x").unwrap_err().to_string(), "no `x`");
    }
}
