//! Makes a value that fits a JSON schema, for required fields that a story does not know.
//!
//! Total: any JSON is taken as a schema, and nesting beyond [`DEEPEST`] yields a plain text.
//! Start at [`from_schema`].

use serde_json::{Map, Value, json};

const DEEPEST: usize = 6;
const MOST_ITEMS: u64 = 16;

/// A value for the field `key` that fits `schema`.
pub(crate) fn from_schema(schema: &Value, key: &str) -> Value {
    sample(schema, key, 0)
}

fn sample(schema: &Value, key: &str, depth: usize) -> Value {
    let Some(object) = schema.as_object().filter(|_| depth <= DEEPEST) else {
        return json!("x");
    };
    if let Some(fixed) = object.get("const").or_else(|| schema["enum"].get(0)) {
        return fixed.clone();
    }
    let choices = ["anyOf", "oneOf", "allOf"];
    if let Some(first) = choices.iter().find_map(|choice| schema[choice].get(0)) {
        return sample(first, key, depth + 1);
    }
    match kind(schema).as_str() {
        "object" => fields(schema, depth),
        "array" => items(schema, key, depth),
        "number" | "integer" => either(object, ["minimum", "default"], json!(1)),
        "boolean" => either(object, ["default", "default"], json!(false)),
        "null" => Value::Null,
        _ => text(key),
    }
}

fn kind(schema: &Value) -> String {
    let named = match schema["type"].as_array() {
        Some(kinds) => kinds.iter().find(|kind| *kind != "null"),
        None => Some(&schema["type"]),
    };
    let fallback = if schema["properties"].is_object() {
        "object"
    } else {
        "string"
    };
    let named = named.and_then(Value::as_str).unwrap_or(fallback);
    named.to_ascii_lowercase()
}

fn fields(schema: &Value, depth: usize) -> Value {
    let required: Vec<&str> = match (&schema["required"], &schema["properties"]) {
        (Value::Array(names), _) => names.iter().filter_map(Value::as_str).collect(),
        (_, Value::Object(all)) => all.keys().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let pairs = required.into_iter().map(|name| {
        let value = sample(&schema["properties"][name], name, depth + 1);
        (name.to_owned(), value)
    });
    Value::Object(pairs.collect())
}

fn items(schema: &Value, key: &str, depth: usize) -> Value {
    let count = schema["minItems"].as_u64().unwrap_or(1);
    let count = count.clamp(1, MOST_ITEMS);
    (0..count)
        .map(|_| sample(&schema["items"], key, depth + 1))
        .collect()
}

fn either(schema: &Map<String, Value>, keys: [&str; 2], otherwise: Value) -> Value {
    let found = keys.iter().find_map(|key| schema.get(*key));
    found.cloned().unwrap_or(otherwise)
}

fn text(key: &str) -> Value {
    match key {
        "title" => json!("Fake session title"),
        "summary" => json!("Fake summary"),
        "" => json!("fake text"),
        other => json!(format!("fake {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_fields_are_filled_in_and_optional_ones_left_out() {
        let schema = json!({"type": "object", "required": ["title", "n", "kind", "on"], "properties": {
            "title": {"type": "string"}, "n": {"type": ["null", "integer"]}, "kind": {"enum": ["a", "b"]},
            "on": {"type": "boolean"}, "more": {"type": "string"}}});
        let expected = json!({"title": "Fake session title", "n": 1, "kind": "a", "on": false});
        assert_eq!(from_schema(&schema, ""), expected);
    }

    #[test]
    fn lists_have_as_many_items_as_they_must() {
        let schema = json!({"type": "array", "minItems": 2, "items": {"type": "string"}});
        assert_eq!(from_schema(&schema, "tag"), json!(["fake tag", "fake tag"]));
    }

    #[test]
    fn what_is_no_schema_or_too_deep_still_yields_a_value() {
        assert_eq!(from_schema(&json!(7), "a"), json!("x"));
        let mut deep = json!({});
        for _ in 0..50 {
            deep = json!({"type": "object", "properties": {"a": deep}});
        }
        assert!(from_schema(&deep, "").is_object());
    }
}
