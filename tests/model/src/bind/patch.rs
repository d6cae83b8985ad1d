//! Codex's own ways to change files: its patch text, and code that calls tools.
//!
//! Start at [`of`] and [`code`].

use serde_json::json;

use crate::story::Call;

/// The patch that does what `call` does; `None` when it changes no file.
pub(super) fn of(call: &Call) -> Option<String> {
    let (head, lines) = match call {
        Call::Write { path, content } => (format!("Add File: {path}"), marked('+', content)),
        Call::Edit { path, old, new } => {
            let lines = format!("@@\n{}{}", marked('-', old), marked('+', new));
            (format!("Update File: {path}"), lines)
        }
        Call::Bash { .. }
        | Call::Read { .. }
        | Call::Todo { .. }
        | Call::Ask { .. }
        | Call::ExitPlan { .. }
        | Call::Subagent { .. }
        | Call::Mcp { .. }
        | Call::Named { .. } => return None,
    };
    Some(format!("*** Begin Patch\n*** {head}\n{lines}*** End Patch"))
}

/// JavaScript for agents whose only tool runs code that calls the others.
pub(super) fn code(call: &Call) -> String {
    let wanted = match (call, of(call)) {
        (Call::Bash { command, .. }, _) => {
            format!("tools.exec_command({})", json!({"cmd": command}))
        }
        (Call::Read { path }, _) => {
            let command = format!("cat '{path}'");
            format!("tools.exec_command({})", json!({"cmd": command}))
        }
        (_, Some(patch)) => format!("tools.apply_patch({})", json!(patch)),
        (_, None) => return "text('this tool is not on offer');\n".to_owned(),
    };
    format!("const r = await {wanted};\ntext(JSON.stringify(r));\n")
}

fn marked(mark: char, text: &str) -> String {
    text.lines().map(|line| format!("{mark}{line}\n")).collect()
}
