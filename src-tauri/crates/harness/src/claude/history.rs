//! What Claude Code writes down of its sessions: `~/.claude/projects/<directory>/<session>.jsonl`, a line
//! for everything. The directory is named after where the session works.

use std::borrow::Cow;

use paddock_domain::Speaker;
use serde::Deserialize;
use serde_json::Value;

use crate::history::{History, PastLine, called, said, time};

/// See the head of this file.
pub(super) const HISTORY: History = History {
    dir: DIR,
    depth: 1,
    session,
    read,
    moved,
    adapted: <[u8]>::to_vec,
};

pub(super) const DIR: &str = ".claude/projects";

/// What the program writes in the voice of the user begins like this.
const NOT_SAID: [&str; 6] = [
    "<command-",
    "<local-command-",
    "<bash-",
    "<system-reminder>",
    "<task-notification>",
    "Caveat: ",
];

/// Sub-agents have files beside those of sessions, which are named by a UUID.
fn session(file: &str) -> Option<&str> {
    let id = file.strip_suffix(".jsonl")?;
    let dashes = id.match_indices('-').map(|(at, _)| at);
    (id.len() == 36 && dashes.eq([8, 13, 18, 23])).then_some(id)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'l> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'l, str>,
    #[serde(borrow, default)]
    cwd: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    timestamp: Option<Cow<'l, str>>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_compact_summary: bool,
    #[serde(default)]
    summary: Option<Value>,
    #[serde(default)]
    custom_title: Option<Value>,
    #[serde(default)]
    ai_title: Option<Value>,
    #[serde(borrow, default)]
    message: Option<&'l serde_json::value::RawValue>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Value,
}

fn read(line: &[u8], tell: &mut dyn FnMut(PastLine)) {
    let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else {
        return;
    };
    let title = line.custom_title.or(line.ai_title).or(line.summary);
    let title = title.as_ref().and_then(Value::as_str).map(str::trim);
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        tell(PastLine::Title(title.to_owned()));
    }
    let by = match &*line.kind {
        "user" => Speaker::User,
        "assistant" => Speaker::Agent,
        _ => return,
    };
    if let Some(cwd) = line.cwd {
        tell(PastLine::Directory(cwd.into_owned()));
    }
    let at = time(line.timestamp.as_deref());
    if let Some(at) = at {
        tell(PastLine::At(at));
    }
    // What sub-agents say, and what the program says in the user's voice.
    if line.is_sidechain || line.is_meta || line.is_compact_summary {
        return;
    }
    let Some(message) = line.message else { return };
    let Ok(message) = serde_json::from_str::<Message>(message.get()) else {
        return;
    };
    let speak = |text: &str| {
        let put_in = by == Speaker::User && NOT_SAID.iter().any(|start| text.starts_with(start));
        said(by, text, at).filter(|_| !put_in)
    };
    let blocks = message.content.as_array().into_iter().flatten();
    let told = blocks.filter_map(|block| {
        let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "text" => speak(text("text")),
            "tool_use" => {
                let call = called(text("name"), block.get("input").unwrap_or(&Value::Null));
                said(Speaker::Tool, &call, at)
            }
            _ => None,
        }
    });
    let whole = message.content.as_str().and_then(speak);
    whole.into_iter().chain(told).for_each(tell);
}

/// Below the directory that is named after `work_dir`, where the program looks for sessions to go on with.
fn moved(path: &str, work_dir: &str) -> String {
    let below = path
        .strip_prefix(DIR)
        .and_then(|rest| rest.strip_prefix('/'));
    let Some((_, rest)) = below.and_then(|rest| rest.split_once('/')) else {
        return path.to_owned();
    };
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() { c } else { '-' }
    };
    let slug: String = work_dir.chars().map(plain).collect();
    format!("{DIR}/{slug}/{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::tests::told;

    /// Lines that Claude Code 2.1.330 wrote, shortened, and one of each kind that is no conversation.
    const LINES: &str = r#"{"type":"queue-operation","operation":"enqueue","timestamp":"2026-11-22T13:11:26.643Z","sessionId":"e8","content":"Mend it"}
{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"Mend it"},"uuid":"c","timestamp":"2026-11-22T13:11:26.724Z","cwd":"/home/u/repo","sessionId":"e8","gitBranch":"main"}
{"parentUuid":"c","isSidechain":false,"attachment":{"type":"environment"},"type":"attachment","cwd":"/home/u/repo"}
{"parentUuid":"c","isSidechain":false,"message":{"content":[{"text":"I will look.","type":"text"}],"role":"assistant"},"type":"assistant","uuid":"d"}
{"parentUuid":"d","isSidechain":false,"message":{"content":[{"type":"thinking","thinking":"hm"},{"id":"t","input":{"command":"ls -l","description":"List"},"name":"Bash","type":"tool_use"}],"role":"assistant"},"type":"assistant"}
{"isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"x"}]}}
{"isSidechain":true,"type":"user","message":{"role":"user","content":"to the sub-agent"}}
{"isSidechain":false,"isMeta":true,"type":"user","message":{"role":"user","content":"meta"}}
{"isSidechain":false,"type":"user","message":{"role":"user","content":"<command-name>/clear</command-name>"}}
{"type":"summary","summary":"Login mended","leafUuid":"d"}
{"type":"user","message":7}
{"type":"user","mess
"#;

    #[test]
    fn what_was_said_and_called_is_told_and_nothing_else() {
        let expected = [
            "in /home/u/repo",
            "at 2026-11-22T13:11:26.724Z",
            "User: Mend it",
            "Agent: I will look.",
            "Tool: Bash ls -l",
            "title Login mended",
        ];
        assert_eq!(told("claude", LINES), expected);
    }

    #[test]
    fn a_sub_agents_file_is_no_session() {
        let id = "0b8e2a52-7c1f-4a63-9a0e-1b2c3d4e5f60";
        assert_eq!(session(&format!("{id}.jsonl")), Some(id));
        for other in ["agent-a1b2c3d4.jsonl", "0b8e2a52.jsonl", "x", ".jsonl"] {
            assert_eq!(session(other), None, "{other}");
        }
    }

    #[test]
    fn a_session_is_looked_for_where_it_goes_on() {
        let moved = |path| moved(path, "/work/my.repo");
        assert_eq!(
            moved(".claude/projects/-home-u-repo/e8.jsonl"),
            ".claude/projects/-work-my-repo/e8.jsonl"
        );
        assert_eq!(
            moved(".claude/projects/-home-u-repo/e8/subagents/a.jsonl"),
            ".claude/projects/-work-my-repo/e8/subagents/a.jsonl"
        );
        assert_eq!(moved("elsewhere"), "elsewhere");
    }
}
