//! Query strings from the API's own query types.

use paddock_api::paths;
use serde::Serialize;

/// `path` with the fields of `query` behind it; absent fields are left out.
pub(crate) fn with_query<Q: Serialize>(path: &str, query: &Q) -> String {
    let mut full = path.to_owned();
    let fields = serde_json::to_value(query).unwrap_or_default();
    for (name, value) in fields.as_object().into_iter().flatten() {
        let text = match value {
            serde_json::Value::Null => continue,
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Bool(_)
            | serde_json::Value::Number(_)
            | serde_json::Value::Array(_)
            | serde_json::Value::Object(_) => value.to_string(),
        };
        full.push(if full.contains('?') { '&' } else { '?' });
        paths::encode(name, &mut full);
        full.push('=');
        paths::encode(&text, &mut full);
    }
    full
}

#[cfg(test)]
mod tests {
    use super::*;
    use paddock_api::TaskQuery;

    #[test]
    fn absent_fields_are_left_out_and_odd_characters_are_encoded() {
        let query = TaskQuery {
            repository: Some("/a b&c".into()),
            needs_me: true,
            limit: Some(3),
            ..TaskQuery::default()
        };
        assert_eq!(
            with_query("/x", &query),
            "/x?limit=3&needs_me=true&repository=%2Fa%20b%26c"
        );
        assert_eq!(with_query("/x", &TaskQuery::default()), "/x");
    }
}
