//! Codex's items as tool calls.

use paddock_domain::{ToolCallFinished, ToolCallStarted, ToolKind};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::wire::{Change, Item};
use crate::given::{self, Given};
use crate::json::Text;
use crate::patch::Patch;

/// What a tool call of this item does; none for items that are no tool calls.
pub(super) fn kind(item: &Item<'_>) -> Option<ToolKind> {
    Some(match &*item.kind {
        "commandExecution" => ToolKind::Bash,
        "fileChange" => match item.changes.as_deref() {
            Some([change]) if &*change.kind.kind == "add" => ToolKind::Write,
            Some(_) | None => ToolKind::Edit,
        },
        "mcpToolCall" => ToolKind::Mcp,
        "webSearch" => ToolKind::Web,
        "imageView" => ToolKind::Read,
        "collabAgentToolCall" => ToolKind::Subagent,
        "dynamicToolCall" | "imageGeneration" => ToolKind::Other,
        _ => return None,
    })
}

/// The start of the call that `item` is.
pub(super) fn started(item: &Item<'_>, tool: ToolKind, parent: Option<String>) -> ToolCallStarted {
    let owned = |text: &Option<Text<'_>>| text.as_deref().map(str::to_owned);
    let command = item
        .command
        .as_deref()
        .map(|command| unwrapped(command).to_owned());
    let first = item.changes.as_deref().and_then(<[Change<'_>]>::first);
    let path = first.map(|change| change.path.to_string());
    ToolCallStarted {
        tool_call_id: item.id.to_string(),
        tool,
        tool_name: name(item),
        command,
        path: path.or_else(|| owned(&item.path)),
        cwd: owned(&item.cwd),
        server: owned(&item.server),
        timeout_s: None,
        args: args(item),
        args_ref: None,
        parent_tool_call_id: parent,
    }
}

fn name(item: &Item<'_>) -> String {
    let fixed = match &*item.kind {
        "commandExecution" => "shell",
        "fileChange" => "apply_patch",
        "webSearch" => "web_search",
        "imageView" => "view_image",
        "imageGeneration" => "image_generation",
        other => item.tool.as_deref().unwrap_or(other),
    };
    fixed.to_owned()
}

fn args(item: &Item<'_>) -> Option<Value> {
    if let Some(arguments) = item.arguments {
        return serde_json::from_str(arguments.get()).ok();
    }
    if let Some(command) = item.command.as_deref() {
        return Some(json!({"command": command}));
    }
    if let Some(changes) = &item.changes {
        let changes = changes
            .iter()
            .map(|change| json!({"path": &*change.path, "kind": &*change.kind.kind}));
        return Some(json!({"changes": changes.collect::<Vec<_>>()}));
    }
    let words = [("query", &item.query), ("prompt", &item.prompt)];
    let found = words
        .into_iter()
        .find_map(|(key, text)| Some((key, text.as_deref()?)));
    found.map(|(key, text)| json!({key: text}))
}

/// The command within the shell that runs it, where its quoting is plain.
pub(super) fn unwrapped(command: &str) -> &str {
    let inner = ["/bin/bash -lc ", "bash -lc ", "/bin/sh -lc ", "/bin/sh -c "]
        .into_iter()
        .find_map(|shell| command.strip_prefix(shell));
    let quoted = inner.and_then(|inner| {
        let single = inner
            .strip_prefix('\'')
            .and_then(|rest| rest.strip_suffix('\''));
        let double = inner
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        let single = single.filter(|text| !text.contains('\''));
        single.or(double.filter(|text| !text.contains(['"', '\\', '$', '`'])))
    });
    let bare = inner.filter(|inner| !inner.contains(['\'', '"', '\\', ' ']));
    quoted.or(bare).unwrap_or(command)
}

/// The end of the call that `item` is.
pub(super) fn finished(
    item: &Item<'_>,
    parent: Option<String>,
    work_dir: &str,
) -> ToolCallFinished {
    let status = item.status.as_deref().unwrap_or("completed");
    let is_error = status != "completed" || item.error.is_some();
    let changes = item.changes.as_deref().filter(|_| !is_error);
    let (output, unkept) =
        given(item).map_or((None, Vec::new()), |given| (Some(given.text), given.images));
    ToolCallFinished {
        tool_call_id: item.id.to_string(),
        is_error,
        exit_code: item.exit_code,
        duration_ms: item.duration_ms,
        output,
        unkept,
        patch: changes.map(|changes| patch(changes, work_dir)),
        parent_tool_call_id: parent,
        ..ToolCallFinished::default()
    }
}

fn given(item: &Item<'_>) -> Option<Given> {
    #[derive(serde::Deserialize)]
    struct Failure {
        message: String,
    }
    let text = |text: String| Given {
        text,
        ..Given::default()
    };
    if let Some(output) = &item.aggregated_output {
        return Some(text(output.to_string()));
    }
    let failure = item
        .error
        .and_then(|raw| serde_json::from_str::<Failure>(raw.get()).ok());
    if let Some(failure) = failure {
        return Some(text(failure.message));
    }
    let result = item.result.or(item.content_items)?;
    Some(parts(result).unwrap_or_else(|| text(result.get().to_owned())))
}

/// The parts of an MCP result, or of the content of another tool.
fn parts(result: &RawValue) -> Option<Given> {
    #[derive(serde::Deserialize)]
    struct Content<'a> {
        #[serde(borrow)]
        content: &'a RawValue,
    }
    match serde_json::from_str::<Content<'_>>(result.get()) {
        Ok(content) => given::parts(content.content.get()),
        Err(_) => given::parts(result.get()),
    }
}

fn patch(changes: &[Change<'_>], work_dir: &str) -> String {
    let patches = changes.iter().map(|change| {
        let patch = match &*change.kind.kind {
            "add" => Patch::whole(&change.path, work_dir, &change.diff, false),
            "delete" => Patch::whole(&change.path, work_dir, &change.diff, true),
            _ => {
                let to = change.kind.move_path.as_deref().unwrap_or(&change.path);
                Patch::change(&change.path, to, work_dir).hunks(&change.diff)
            }
        };
        patch.into_text()
    });
    patches.collect()
}

#[cfg(test)]
mod tests {
    use super::unwrapped;

    #[test]
    fn a_command_is_shown_without_its_shell_where_quoting_is_plain() {
        assert_eq!(unwrapped("/bin/bash -lc 'ls -la && pwd'"), "ls -la && pwd");
        assert_eq!(unwrapped(r#"/bin/bash -lc "echo 'a'""#), "echo 'a'");
        assert_eq!(unwrapped("/bin/bash -lc ls"), "ls");
        let hard = r#"/bin/bash -lc "echo \"$HOME\"""#;
        assert_eq!(unwrapped(hard), hard);
        assert_eq!(unwrapped("make test"), "make test");
    }
}
