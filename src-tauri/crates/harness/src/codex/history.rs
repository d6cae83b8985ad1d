//! What Codex writes down of its sessions: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`,
//! the first line about the session, then one for everything.

use std::borrow::Cow;

use paddock_domain::Speaker;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::launch;
use crate::history::{History, PastLine, called, said, time};

/// See the head of this file.
pub(super) const HISTORY: History = History {
    dir: DIR,
    depth: 3,
    session,
    read,
    moved: |path, _| path.to_owned(),
    adapted,
};

pub(super) const DIR: &str = ".codex/sessions";

/// What names the provider in a history. The program goes on with no session whose provider it does not know.
const PROVIDERS: [&[u8]; 2] = [b"\"model_provider\":\"", b"\"model_provider_id\":\""];

/// How long the id at the end of a file's name is.
const UUID: usize = 36;

fn session(file: &str) -> Option<&str> {
    let stem = file.strip_prefix("rollout-")?.strip_suffix(".jsonl")?;
    let at = stem.len().checked_sub(UUID)?;
    let id = stem.get(at..)?;
    stem.get(..at)?.ends_with('-').then_some(id)
}

/// With our provider in place of the user's. What was said cannot hold these keys: its quotes are escaped.
fn adapted(content: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(content.len());
    let mut rest = content;
    while let Some(at) = rest.iter().position(|byte| *byte == b'"') {
        let (before, found) = rest.split_at(at);
        whole.extend_from_slice(before);
        let key = PROVIDERS.iter().find(|key| found.starts_with(key));
        let (kept, after) = found.split_at(key.map_or(1, |key| key.len()));
        whole.extend_from_slice(kept);
        rest = after;
        if let Some(end) = key.and_then(|_| after.iter().position(|byte| *byte == b'"')) {
            whole.extend_from_slice(launch::PROVIDER.as_bytes());
            rest = after.split_at(end).1;
        }
    }
    whole.extend_from_slice(rest);
    whole
}

#[derive(Deserialize)]
struct Line<'l> {
    #[serde(borrow, default)]
    timestamp: Option<Cow<'l, str>>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'l, str>,
    #[serde(borrow)]
    payload: &'l RawValue,
}

#[derive(Deserialize)]
struct Meta {
    cwd: Option<String>,
}

/// An item of the conversation, as the model has it.
#[derive(Deserialize)]
struct Item {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    role: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    content: Value,
    #[serde(default)]
    arguments: Value,
    #[serde(default)]
    input: Value,
    #[serde(default)]
    action: Value,
}

/// Something that the program told its user.
#[derive(Deserialize)]
struct News {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    message: Value,
    #[serde(default)]
    item: Value,
    #[serde(default)]
    thread_name: Value,
}

fn read(line: &[u8], tell: &mut dyn FnMut(PastLine)) {
    let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else {
        return;
    };
    let at = time(line.timestamp.as_deref());
    let payload = line.payload.get();
    let found = match &*line.kind {
        "session_meta" => {
            if let Ok(Meta { cwd: Some(cwd) }) = serde_json::from_str(payload) {
                tell(PastLine::Directory(cwd));
            }
            at.map(PastLine::At)
        }
        "response_item" => serde_json::from_str(payload)
            .ok()
            .and_then(|item: Item| agent(&item))
            .and_then(|(by, text)| said(by, &text, at)),
        "event_msg" => serde_json::from_str(payload)
            .ok()
            .and_then(|news: News| told(&news, at)),
        _ => None,
    };
    if let Some(found) = found {
        tell(found);
    }
}

/// What the agent said or called.
fn agent(item: &Item) -> Option<(Speaker, String)> {
    match item.kind.as_str() {
        "message" if item.role == "assistant" => Some((Speaker::Agent, texts(&item.content))),
        "function_call" => {
            let arguments = item.arguments.as_str().unwrap_or_default();
            let input = serde_json::from_str(arguments).unwrap_or(Value::Null);
            Some((Speaker::Tool, called(&item.name, &input)))
        }
        "custom_tool_call" => Some((Speaker::Tool, called(&item.name, &item.input))),
        "local_shell_call" => Some((Speaker::Tool, called("shell", &item.action))),
        _ => None,
    }
}

/// What the user said is told apart from what the program says in the user's voice only here. Releases say
/// it in one of two ways.
fn told(news: &News, at: Option<paddock_domain::Timestamp>) -> Option<PastLine> {
    match news.kind.as_str() {
        "user_message" => said(Speaker::User, news.message.as_str()?, at),
        "item_completed" if news.item.get("type")? == "UserMessage" => {
            said(Speaker::User, &texts(news.item.get("content")?), at)
        }
        "thread_name_updated" => {
            let name = news.thread_name.as_str()?.trim();
            (!name.is_empty()).then(|| PastLine::Title(name.to_owned()))
        }
        _ => None,
    }
}

/// The texts of a message's parts.
fn texts(content: &Value) -> String {
    let parts = content.as_array().into_iter().flatten();
    let texts = parts.filter_map(|part| part.get("text")?.as_str());
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use crate::history::tests::told;

    /// Lines that Codex 0.169.0 wrote, shortened; the last as older releases say it.
    const LINES: &str = r#"{"timestamp":"2026-11-22T13:11:25.773Z","ordinal":0,"type":"session_meta","payload":{"id":"01a2","cwd":"/home/u/repo","base_instructions":{"text":"x"}}}
{"timestamp":"2026-11-22T13:11:25.832Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>"}]}}
{"timestamp":"2026-11-22T13:11:25.846Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Mend it"}]}}
{"timestamp":"2026-11-22T13:11:25.847Z","type":"event_msg","payload":{"type":"item_completed","thread_id":"01a2","item":{"type":"UserMessage","content":[{"type":"text","text":"Mend it"}]}}}
{"timestamp":"2026-11-22T13:11:25.878Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I will look."}]}}
{"timestamp":"2026-11-22T13:11:25.883Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"pwd\"}"}}
{"timestamp":"2026-11-22T13:11:25.958Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch"}}
{"timestamp":"2026-11-22T13:11:25.958Z","type":"response_item","payload":{"type":"function_call_output","output":"x"}}
{"type":"event_msg","payload":7}
{"type":"event_msg","payload":{"type":"user_message","message":"And the rest"}}
"#;

    #[test]
    fn what_was_said_and_called_is_told_and_nothing_else() {
        let expected = [
            "in /home/u/repo",
            "at 2026-11-22T13:11:25.773Z",
            "User: Mend it",
            "Agent: I will look.",
            "Tool: exec_command pwd",
            "Tool: apply_patch *** Begin Patch",
            "User: And the rest",
        ];
        assert_eq!(told("codex", LINES), expected);
    }

    #[test]
    fn a_session_of_another_provider_becomes_one_of_ours() {
        let adapted = |text: &str| String::from_utf8(super::adapted(text.as_bytes())).unwrap();
        let told = r#"{"payload":{"model_provider":"openai","x":{"model_provider_id":"own"}}}"#;
        let ours =
            r#"{"payload":{"model_provider":"paddock","x":{"model_provider_id":"paddock"}}}"#;
        assert_eq!(adapted(told), ours);
        for same in [
            r#"{"text":"a \"model_provider\":\"x\" said"}"#,
            "",
            r#""model_provider":"torn"#,
        ] {
            let torn = same.replace("torn", "");
            assert!(adapted(same).starts_with(&torn), "{same}");
        }
    }

    #[test]
    fn a_session_is_named_by_the_end_of_its_file() {
        let id = "01a20362-0712-7b60-960e-fd295f61ad1b";
        let history = super::HISTORY;
        let file = format!("rollout-2026-11-22T13-11-25-{id}.jsonl");
        assert_eq!(history.session_of(&file), Some(id));
        for bad in [
            "rollout-x.jsonl",
            "rollout-.jsonl",
            "x.jsonl",
            "",
            "rollout-2026-../../../../../../../../etc/passwdx.jsonl",
        ] {
            assert_eq!(history.session_of(bad), None, "{bad}");
        }
    }
}
