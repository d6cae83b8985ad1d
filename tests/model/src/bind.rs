//! Fits a story's abstract tool calls to the tools that an agent offers in the same request.
//!
//! A tool is found by the names that agents give it, its arguments by the names in its schema, and
//! what the schema requires beyond that is made up. A tool that is not on offer is called all the
//! same, in Claude Code's shape: agents defer tools, and answer what they do not have with an error
//! that the story goes on from. Start at [`bind`].

mod arguments;
mod patch;

use serde_json::{Value, json};

use crate::conversation::{Shape, Tool};
use crate::story::Call;

/// A call that the agent can carry out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bound {
    pub(crate) name: String,
    pub(crate) input: Input,
}

/// What a tool is called with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Input {
    Object(Value),
    Text(String),
    /// An object for a function inside a named group.
    Grouped {
        group: String,
        object: Value,
    },
}

/// Whether `tools` are those of an agent that has no tool for plans and marks them in its text.
pub(crate) fn plans_in_text(tools: &[Tool]) -> bool {
    let codex = ["exec", "exec_command", "shell_command"];
    codex.iter().any(|name| offered(name, tools).is_some())
}

/// Fits `call` to `tools`.
pub(crate) fn bind(call: &Call, tools: &[Tool]) -> Bound {
    if let Some(tool) = find(call, tools) {
        return fit(call, tool);
    }
    if let Some(tool) = offered("exec", tools).filter(|tool| tool.shape == Shape::Custom) {
        return Bound {
            name: tool.name.clone(),
            input: Input::Text(patch::code(call)),
        };
    }
    let shell = ["exec_command", "shell_command"];
    let shell = shell.iter().find_map(|name| offered(name, tools));
    if let (Some(shell), Some(patch)) = (shell, patch::of(call)) {
        // Codex looks into its shell commands for patches and applies them itself.
        let apply = Call::Bash {
            command: format!("apply_patch <<'PATCH'\n{patch}\nPATCH"),
            description: "Apply a patch".into(),
        };
        return fit(&apply, shell);
    }
    Bound {
        name: names(call).first().copied().unwrap_or_default().to_owned(),
        input: Input::Object(arguments::unasked(call)),
    }
}

fn fit(call: &Call, tool: &Tool) -> Bound {
    let object = || arguments::of(call, tool);
    let input = match (&tool.shape, call, patch::of(call)) {
        (Shape::Custom, Call::Named { text, .. }, _) => Input::Text(text.clone()),
        (Shape::Custom, _, Some(patch)) => Input::Text(patch),
        (_, _, Some(patch)) if tool.name == "apply_patch" => {
            // Each agent has its own name for the text.
            let field = tool.schema["required"][0].as_str().unwrap_or("input");
            Input::Object(json!({ field: patch }))
        }
        (Shape::Custom | Shape::Function, _, _) => Input::Object(object()),
        (Shape::Grouped(group), _, _) => Input::Grouped {
            group: group.clone(),
            object: object(),
        },
    };
    Bound {
        name: tool.name.clone(),
        input,
    }
}

fn find<'a>(call: &Call, tools: &'a [Tool]) -> Option<&'a Tool> {
    let names = names(call);
    let exact = names.iter().find_map(|name| offered(name, tools));
    let is_mcp = matches!(call, Call::Mcp { .. });
    let mut endings = names.iter().filter(|_| is_mcp);
    exact.or_else(|| endings.find_map(|name| tools.iter().find(|tool| tool.name.ends_with(name))))
}

fn offered<'a>(name: &str, tools: &'a [Tool]) -> Option<&'a Tool> {
    tools.iter().find(|tool| tool.name == name)
}

/// The names that agents give to the tool of `call`, the likeliest first.
fn names(call: &Call) -> Vec<&str> {
    let names: &[&str] = match call {
        Call::Bash { .. } => &[
            "Bash",
            "bash",
            "exec_command",
            "shell_command",
            "shell",
            "run_shell_command",
            "Shell",
            "run_command",
        ],
        Call::Write { .. } => &[
            "Write",
            "write",
            "write_file",
            "WriteFile",
            "create",
            "apply_patch",
        ],
        Call::Edit { .. } => &[
            "Edit",
            "edit",
            "replace",
            "edit_file",
            "StrReplaceFile",
            "str_replace",
            "apply_patch",
        ],
        Call::Read { .. } => &[
            "Read",
            "read",
            "read_file",
            "ReadFile",
            "view",
            "exec_command",
            "shell_command",
        ],
        Call::Todo { .. } => &[
            "TodoWrite",
            "todowrite",
            "todo_write",
            "write_todos",
            "update_plan",
            "SetTodoList",
            "TodoList",
            "todo",
            "TaskCreate",
        ],
        Call::Ask { .. } => &[
            "AskUserQuestion",
            "question",
            "ask_user_question",
            "ask_user",
            "request_user_input",
        ],
        Call::ExitPlan { .. } => &["ExitPlanMode", "exit_plan_mode", "plan_exit"],
        Call::Subagent { .. } => &[
            "Agent",
            "Task",
            "task",
            "agent",
            "spawn_agent",
            "invoke_agent",
        ],
        Call::Mcp { .. } => &["mcp__fake__ping", "fake_ping", "mcp_fake_ping", "ping"],
        Call::Named { name, .. } => return vec![name],
    };
    names.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_goes_to_the_shell_that_is_on_offer() {
        let claude = tool(
            "Bash",
            &json!({"command": {}, "description": {}}),
            &["command"],
        );
        check(
            &bash("ls"),
            &[claude],
            "Bash",
            json!({"command": "ls", "description": "d"}),
        );
        let codex = tool(
            "exec_command",
            &json!({"cmd": {"type": "string"}}),
            &["cmd"],
        );
        check(&bash("ls"), &[codex], "exec_command", json!({"cmd": "ls"}));
        let list = tool(
            "shell",
            &json!({"command": {"type": "array"}}),
            &["command"],
        );
        let words = json!({"command": ["bash", "-lc", "ls"]});
        check(&bash("ls"), &[list], "shell", words);
    }

    #[test]
    fn a_write_becomes_a_patch_in_a_shell_where_no_file_tool_is() {
        let codex = tool(
            "exec_command",
            &json!({"cmd": {"type": "string"}}),
            &["cmd"],
        );
        let bound = bind(&write(), &[codex]);
        let Input::Object(object) = bound.input else {
            panic!("an object");
        };
        let command = object["cmd"].as_str().unwrap();
        assert!(
            command.contains("*** Add File: /r/a.txt\n+one\n+two\n*** End Patch"),
            "{command}"
        );
    }

    #[test]
    fn a_tool_that_takes_text_gets_the_bare_patch() {
        let mut custom = tool("apply_patch", &json!({}), &[]);
        custom.shape = Shape::Custom;
        let Input::Text(patch) = bind(&write(), &[custom]).input else {
            panic!("a text");
        };
        assert!(patch.starts_with("*** Begin Patch\n"));
    }

    #[test]
    fn what_the_schema_requires_beyond_the_call_is_made_up() {
        let properties =
            json!({"cmd": {}, "justification": {"type": "string"}, "n": {"type": "integer"}});
        let shell = tool("exec_command", &properties, &["cmd", "justification", "n"]);
        let expected = json!({"cmd": "ls", "justification": "fake justification", "n": 1});
        check(&bash("ls"), &[shell], "exec_command", expected);
    }

    #[test]
    fn a_tool_that_is_not_on_offer_is_called_in_claudes_shape() {
        let expected = json!({"command": "ls", "description": "d"});
        check(&bash("ls"), &[], "Bash", expected);
        let no_such = Call::Named {
            name: "NoSuchTool".into(),
            text: "x".into(),
        };
        check(&no_such, &[], "NoSuchTool", json!({"input": "x"}));
    }

    #[test]
    fn a_question_has_the_fields_that_its_schema_knows() {
        let item = json!({"properties": {"question": {}, "id": {}, "options": {}}});
        let ask = tool(
            "request_user_input",
            &json!({"questions": {"items": item}}),
            &["questions"],
        );
        let call = Call::Ask {
            question: "Which?".into(),
            header: "H".into(),
            options: vec![("A".into(), "a".into())],
        };
        let question = json!({"question": "Which?", "header": "H", "id": "q1",
            "options": [{"label": "A", "description": "a"}]});
        check(
            &call,
            &[ask],
            "request_user_input",
            json!({"questions": [question]}),
        );
    }

    fn check(call: &Call, tools: &[Tool], name: &str, object: Value) {
        let expected = Bound {
            name: name.into(),
            input: Input::Object(object),
        };
        assert_eq!(bind(call, tools), expected);
    }

    fn bash(command: &str) -> Call {
        Call::Bash {
            command: command.into(),
            description: "d".into(),
        }
    }

    fn write() -> Call {
        Call::Write {
            path: "/r/a.txt".into(),
            content: "one\ntwo\n".into(),
        }
    }

    fn tool(name: &str, properties: &Value, required: &[&str]) -> Tool {
        Tool {
            name: name.into(),
            schema: json!({"type": "object", "properties": properties, "required": required}),
            shape: Shape::Function,
        }
    }
}
