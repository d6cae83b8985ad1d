//! The arguments of a call, named as the tool's schema names them.
//!
//! Start at [`of`].

use serde_json::{Map, Value, json};

use crate::conversation::Tool;
use crate::sample;
use crate::story::Call;

/// The arguments for `call` that fit the schema of `tool`.
pub(super) fn of(call: &Call, tool: &Tool) -> Value {
    let properties = &tool.schema["properties"];
    let mut out = match call {
        Call::Todo { items } => todo(&tool.name, properties, items),
        Call::Ask { .. } => ask(call, properties),
        Call::Read { path } if is_shell(&tool.name) => {
            let command = format!("cat '{path}'");
            named(&[("command", json!(command))], properties)
        }
        Call::Bash { .. }
        | Call::Write { .. }
        | Call::Edit { .. }
        | Call::Read { .. }
        | Call::ExitPlan { .. }
        | Call::Subagent { .. }
        | Call::Mcp { .. }
        | Call::Named { .. } => named(&fields(call), properties),
    };
    if let Call::Edit { old, new, .. } = call {
        nest_edits(&mut out, properties, old, new);
    }
    fill_required(&mut out, tool);
    Value::Object(out)
}

/// The arguments of a tool that is not on offer, in Claude Code's shape.
pub(super) fn unasked(call: &Call) -> Value {
    let out = match call {
        Call::Todo { items } => {
            let known = json!({"todos": {"items": {"properties": {"activeForm": {}}}}});
            todo("TodoWrite", &known, items)
        }
        Call::Ask { .. } => {
            let known = json!({"questions": {"items": {"properties": {"multiSelect": {}}}}});
            ask(call, &known)
        }
        Call::Bash { .. }
        | Call::Write { .. }
        | Call::Edit { .. }
        | Call::Read { .. }
        | Call::ExitPlan { .. }
        | Call::Subagent { .. }
        | Call::Mcp { .. }
        | Call::Named { .. } => named(&fields(call), &Value::Null),
    };
    Value::Object(out)
}

fn is_shell(name: &str) -> bool {
    matches!(name, "exec_command" | "shell_command")
}

/// The call's arguments by their abstract names.
fn fields(call: &Call) -> Vec<(&'static str, Value)> {
    match call {
        Call::Bash {
            command,
            description,
        } => vec![
            ("command", json!(command)),
            ("description", json!(description)),
        ],
        Call::Write { path, content } => vec![("path", json!(path)), ("content", json!(content))],
        Call::Edit { path, old, new } => vec![
            ("path", json!(path)),
            ("old", json!(old)),
            ("new", json!(new)),
        ],
        Call::Read { path } => vec![("path", json!(path))],
        Call::ExitPlan { plan } => vec![("plan", json!(plan))],
        Call::Subagent {
            description,
            prompt,
        } => vec![
            ("description", json!(description)),
            ("prompt", json!(prompt)),
            ("run_in_background", json!(false)),
        ],
        Call::Mcp { text } => vec![("text", json!(text))],
        Call::Named { text, .. } => vec![("input", json!(text))],
        Call::Todo { .. } | Call::Ask { .. } => Vec::new(),
    }
}

/// The names that agents give to an abstract argument, Claude Code's first.
fn aliases(name: &'static str) -> Vec<&'static str> {
    match name {
        "path" => vec![
            "file_path",
            "filePath",
            "path",
            "absolute_path",
            "target_file",
            "filename",
        ],
        "content" => vec!["content", "file_text", "contents", "text"],
        "command" => vec!["command", "cmd"],
        "old" => vec!["old_string", "oldString", "oldText", "old_str", "old"],
        "new" => vec!["new_string", "newString", "newText", "new_str", "new"],
        "prompt" => vec!["prompt", "message", "request", "objective", "query", "task"],
        other => vec![other],
    }
}

/// Names `fields` as `properties` does and leaves out what it does not know; without properties all
/// are named as Claude Code does.
fn named(fields: &[(&'static str, Value)], properties: &Value) -> Map<String, Value> {
    let known = properties.as_object().filter(|known| !known.is_empty());
    let mut out = Map::new();
    for (name, value) in fields {
        let aliases = aliases(name);
        let chosen = match known {
            Some(known) => aliases.iter().find(|alias| known.contains_key(**alias)),
            None => aliases.first(),
        };
        let Some(chosen) = chosen else {
            continue;
        };
        let wants_list = *name == "command" && properties[*chosen]["type"] == "array";
        let value = match wants_list {
            true => json!(["bash", "-lc", value]),
            false => value.clone(),
        };
        out.insert((*chosen).to_owned(), value);
    }
    out
}

/// Some agents take a list of edits, some one edit as an object.
fn nest_edits(out: &mut Map<String, Value>, properties: &Value, old: &str, new: &str) {
    if properties["edits"].is_object() {
        let inner = &properties["edits"]["items"]["properties"];
        let edit = named(&[("old", json!(old)), ("new", json!(new))], inner);
        out.insert("edits".into(), json!([edit]));
    }
    if properties["edit"].is_object() {
        out.insert("edit".into(), json!({"old": old, "new": new}));
    }
}

fn fill_required(out: &mut Map<String, Value>, tool: &Tool) {
    let required = tool.schema["required"].as_array();
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    for name in required {
        if out.contains_key(name) {
            continue;
        }
        let value = match name {
            "subagent_type" if tool.name == "task" => json!("general"),
            "subagent_type" => json!("general-purpose"),
            "agent_name" => json!("generalist"),
            "name" | "task_name" => json!("fake_helper"),
            other => sample::from_schema(&tool.schema["properties"][other], other),
        };
        out.insert(name.to_owned(), value);
    }
}

fn todo(tool: &str, properties: &Value, items: &[(String, &str)]) -> Map<String, Value> {
    let inner = &properties["todos"]["items"]["properties"];
    let mut out = Map::new();
    match tool {
        "update_plan" => {
            let steps = items
                .iter()
                .map(|(step, status)| json!({"step": step, "status": status}));
            out.insert("explanation".into(), json!("fake plan"));
            out.insert("plan".into(), steps.collect());
        }
        "TaskCreate" => {
            let first = items.first().map_or("nothing", |(text, _)| text.as_str());
            out.insert("subject".into(), json!(first));
            out.insert("description".into(), json!(first));
            out.insert("activeForm".into(), json!(format!("Doing {first}")));
        }
        "SetTodoList" | "TodoList" => {
            let list = items
                .iter()
                .map(|(text, status)| json!({"title": text, "status": status}));
            out.insert("todos".into(), list.collect());
        }
        "write_todos" => {
            let list = items
                .iter()
                .map(|(text, status)| json!({"description": text, "status": status}));
            out.insert("todos".into(), list.collect());
        }
        _ => {
            let list = items
                .iter()
                .enumerate()
                .map(|(n, item)| todo_item(n, item, inner));
            out.insert("todos".into(), list.collect());
        }
    }
    out
}

fn todo_item(number: usize, (text, status): &(String, &str), known: &Value) -> Value {
    let mut item = json!({"content": text, "status": status});
    if known["id"].is_object() {
        item["id"] = json!((number + 1).to_string());
    }
    if known["priority"].is_object() {
        item["priority"] = json!("medium");
    }
    if known["activeForm"].is_object() {
        item["activeForm"] = json!(format!("Doing {text}"));
    }
    item
}

fn ask(call: &Call, properties: &Value) -> Map<String, Value> {
    let mut out = Map::new();
    if let Call::Ask {
        question,
        header,
        options,
    } = call
    {
        let options = options
            .iter()
            .map(|(label, description)| json!({"label": label, "description": description}));
        let options: Vec<Value> = options.collect();
        let mut entry = json!({"question": question, "header": header, "options": options});
        let known = &properties["questions"]["items"]["properties"];
        if known["multiSelect"].is_object() {
            entry["multiSelect"] = json!(false);
        }
        if known["id"].is_object() {
            entry["id"] = json!("q1");
        }
        if known["type"].is_object() {
            entry["type"] = json!("choice");
        }
        out.insert("questions".into(), json!([entry]));
    }
    out
}
