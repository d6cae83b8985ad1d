//! Claude Code's tools: what they do, what they are given, what they gave.

use paddock_domain::{ToolCallFinished, ToolCallStarted, ToolKind};
use serde_json::Value;
use serde_json::value::RawValue;

use super::wire::{ContentBlock, ToolUseResult};
use crate::given::{self, Given};
use crate::patch::Patch;

/// The tool that asks the user.
pub(super) const ASK: &str = "AskUserQuestion";
/// The tool that proposes a plan.
pub(super) const EXIT_PLAN: &str = "ExitPlanMode";

/// What the tool of this name does.
pub(super) fn kind(name: &str) -> ToolKind {
    match name {
        "Bash" | "BashOutput" | "KillShell" => ToolKind::Bash,
        "Read" => ToolKind::Read,
        "Write" => ToolKind::Write,
        "Edit" | "MultiEdit" | "NotebookEdit" => ToolKind::Edit,
        "Glob" | "LS" => ToolKind::Glob,
        "Grep" => ToolKind::Grep,
        "WebFetch" | "WebSearch" => ToolKind::Web,
        "Agent" | "Task" => ToolKind::Subagent,
        "TodoWrite" | "TaskCreate" | "TaskUpdate" | "TaskGet" | "TaskList" => ToolKind::Todo,
        _ if name.starts_with("mcp__") => ToolKind::Mcp,
        _ => ToolKind::Other,
    }
}

/// The start of the call `id` of the tool `name`.
pub(super) fn started(
    id: String,
    name: String,
    input: Option<&RawValue>,
    parent: Option<String>,
) -> ToolCallStarted {
    let args: Option<Value> = input.and_then(|raw| serde_json::from_str(raw.get()).ok());
    let text = |key: &str| {
        let value = args.as_ref().and_then(|args| args.get(key));
        value.and_then(Value::as_str).map(str::to_owned)
    };
    let timeout = args.as_ref().and_then(|args| args.get("timeout"));
    let timeout_s = timeout.and_then(Value::as_f64).map(|ms| ms / 1000.0);
    let server = name
        .strip_prefix("mcp__")
        .and_then(|rest| rest.split("__").next());
    ToolCallStarted {
        tool_call_id: id,
        tool: kind(&name),
        command: text("command"),
        path: text("file_path")
            .or_else(|| text("notebook_path"))
            .or_else(|| text("path")),
        cwd: None,
        server: server.map(str::to_owned),
        timeout_s,
        args_ref: None,
        parent_tool_call_id: parent,
        tool_name: name,
        args,
    }
}

/// The end of a call: `block` is its result as the model sees it, `detail` as the program has it.
pub(super) fn finished(
    block: &ContentBlock<'_>,
    id: String,
    tool: Option<ToolKind>,
    parent: Option<String>,
    detail: Option<&RawValue>,
    work_dir: &str,
) -> ToolCallFinished {
    let is_error = block.is_error.unwrap_or(false);
    let given = block.content.map(given);
    // Where a tool failed the detail is text and says nothing new.
    let detail: ToolUseResult<'_> = detail
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    let (output, unkept) =
        given.map_or((None, Vec::new()), |given| (Some(given.text), given.images));
    let exit_code = match tool {
        Some(ToolKind::Bash) if is_error => output.as_deref().and_then(stated_exit_code),
        Some(ToolKind::Bash) => plain_success(&detail).then_some(0),
        Some(_) | None => None,
    };
    let patch = (!is_error).then(|| patch(&detail, work_dir)).flatten();
    ToolCallFinished {
        tool_call_id: id,
        is_error,
        exit_code,
        output,
        unkept,
        patch,
        parent_tool_call_id: parent,
        ..ToolCallFinished::default()
    }
}

/// A result's content: a text, or blocks of texts and images.
fn given(content: &RawValue) -> Given {
    let raw = content.get();
    let text = serde_json::from_str::<String>(raw).ok();
    let whole = |text: String| Given {
        text,
        ..Given::default()
    };
    text.map(whole)
        .or_else(|| given::parts(raw))
        .unwrap_or_else(|| whole(raw.to_owned()))
}

/// A failed command's result begins with its exit code.
fn stated_exit_code(output: &str) -> Option<i32> {
    let rest = output.strip_prefix("Exit code ")?;
    rest.split(|c: char| !c.is_ascii_digit() && c != '-')
        .next()?
        .parse()
        .ok()
}

/// Whether the command ran to its end and gave 0: a few commands count as successful with others.
fn plain_success(detail: &ToolUseResult<'_>) -> bool {
    !detail.interrupted
        && detail.return_code_interpretation.is_none()
        && detail.background_task_id.is_none()
}

/// What was applied to the file, where the tool changed one.
fn patch(detail: &ToolUseResult<'_>, work_dir: &str) -> Option<String> {
    let path = detail.file_path.as_deref()?;
    if !detail.structured_patch.is_empty() {
        let mut patch = Patch::change(path, path, work_dir);
        for hunk in &detail.structured_patch {
            let old = (hunk.old_start, hunk.old_lines);
            let new = (hunk.new_start, hunk.new_lines);
            patch.hunk(old, new, hunk.lines.iter().map(|line| &**line));
        }
        return Some(patch.into_text());
    }
    // No hunks: a new file, whose content is all there is, or a write that changed nothing.
    let is_new = detail.original_file.is_none();
    let content: String = serde_json::from_str(detail.content?.get()).ok()?;
    is_new.then(|| Patch::whole(path, work_dir, &content, false).into_text())
}

/// What a call would do, in one line.
pub(super) fn summary(call: &ToolCallStarted, description: Option<&str>) -> String {
    let what = call
        .command
        .as_deref()
        .or(call.path.as_deref())
        .or(description);
    let line = what.unwrap_or_default().lines().next().unwrap_or_default();
    let line: String = line.chars().take(SUMMARY_MAX).collect();
    match line.is_empty() {
        true => call.tool_name.clone(),
        false => format!("{}: {line}", call.tool_name),
    }
}

/// Most characters of a summary beside the tool's name.
const SUMMARY_MAX: usize = 200;
