//! What a request says, whichever dialect it came in.
//!
//! Dialects read leniently: what they do not know they skip, for an agent's next version sends more.
//! Start at [`Conversation`].

use serde_json::Value;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    User,
    /// The agent program's own instructions, in mid-conversation.
    System,
    Assistant,
    Tool,
}

/// One message, or one item of a dialect that has no messages.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) text: String,
    /// Texts of the tool results that it carries.
    pub(crate) results: Vec<String>,
    pub(crate) images: usize,
}

impl Message {
    /// A message that is text alone.
    pub(crate) fn text(role: Role, text: String) -> Self {
        Self {
            role,
            text,
            results: Vec::new(),
            images: 0,
        }
    }

    /// A message that carries one tool result.
    pub(crate) fn result(text: String) -> Self {
        Self {
            results: vec![text],
            ..Self::text(Role::Tool, String::new())
        }
    }
}

/// How a tool wants its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A JSON object that fits the schema.
    Function,
    /// Plain text.
    Custom,
    /// A function inside a named group.
    Grouped(String),
}

/// A tool that the agent offers.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) schema: Value,
    pub(crate) shape: Shape,
}

/// A request, read.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    pub(crate) model: String,
    pub(crate) stream: bool,
    pub(crate) system: String,
    pub(crate) messages: Vec<Message>,
    pub(crate) tools: Vec<Tool>,
    /// The JSON schema that the answer has to fit, when one is demanded.
    pub(crate) schema: Option<Value>,
    /// The request is a call to condense the conversation, by its path.
    pub(crate) condense: bool,
    /// Size of the request's body, in bytes.
    pub(crate) bytes: usize,
}

impl Conversation {
    /// The results that came back since the model last spoke, oldest first.
    pub(crate) fn fresh_results(&self) -> Vec<&str> {
        let since = self.messages.iter().rev();
        let mut results: Vec<&str> = since
            .take_while(|message| message.role != Role::Assistant)
            .flat_map(|message| message.results.iter().rev())
            .map(String::as_str)
            .collect();
        results.reverse();
        results
    }

    /// How many images the conversation holds.
    pub(crate) fn images(&self) -> usize {
        self.messages.iter().map(|message| message.images).sum()
    }

    /// The last text that the user wrote.
    pub(crate) fn last_user_text(&self) -> Option<&str> {
        let spoken = self.messages.iter().rev();
        let mut texts = spoken
            .filter(|m| m.role == Role::User)
            .map(|m| m.text.trim());
        texts.find(|text| !text.is_empty())
    }

    /// The working directory that the agent names somewhere in its instructions.
    pub(crate) fn working_directory(&self) -> Option<String> {
        self.texts().find_map(working_directory_in)
    }

    /// The last plan file that the agent names (Claude Code names one in plan mode).
    pub(crate) fn plan_file(&self) -> Option<String> {
        let texts: Vec<&str> = self.texts().collect();
        texts.into_iter().rev().find_map(plan_file_in)
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let spoken = self.messages.iter().map(|message| message.text.as_str());
        std::iter::once(self.system.as_str()).chain(spoken)
    }
}

/// The text of `value`: a string, an object with a text, or a list of these joined by line breaks.
pub(crate) fn flat(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(object) => match object.get("text").and_then(Value::as_str) {
            Some(text) => text.to_owned(),
            None => object.get("content").map(flat).unwrap_or_default(),
        },
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(flat).collect();
            texts.join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// The list at `key`, empty when there is none.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// The string at `key`, empty when there is none.
pub(crate) fn string(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn working_directory_in(text: &str) -> Option<String> {
    const INTRODUCTIONS: [&str; 6] = [
        "Primary working directory: ",
        "<cwd>",
        "Working directory: ",
        "working directory: ",
        "current working directory is: ",
        "working in the directory: ",
    ];
    INTRODUCTIONS.iter().find_map(|introduction| {
        let (_, rest) = text.split_once(introduction)?;
        let path = rest.trim_start_matches('`');
        let end = path.find(|c: char| c.is_control() || matches!(c, '<' | '`' | '"'));
        let path = path[..end.unwrap_or(path.len())].trim_end();
        path.starts_with('/').then(|| path.to_owned())
    })
}

fn plan_file_in(text: &str) -> Option<String> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\\' | '\'');
    let mut words = text.rsplit(is_end).map(|word| word.trim_end_matches('.'));
    let is_plan =
        |word: &&str| word.starts_with('/') && word.contains("/plans/") && word.ends_with(".md");
    words.find(is_plan).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_working_directory_is_found_with_spaces_and_without_its_tags() {
        let find = |text| working_directory_in(text);
        let claude = "x\n - Primary working directory: /a/my repo\n - Is a git repository: true";
        assert_eq!(find(claude).as_deref(), Some("/a/my repo"));
        assert_eq!(find("<cwd>/b</cwd>").as_deref(), Some("/b"));
        assert_eq!(find("working directory: not a path"), None);
    }

    #[test]
    fn the_plan_file_is_found_in_a_sentence() {
        let text = "Write it to /root/.claude/plans/nice-name.md. Then go on.";
        let found = plan_file_in(text);
        assert_eq!(found.as_deref(), Some("/root/.claude/plans/nice-name.md"));
    }

    #[test]
    fn fresh_results_are_those_after_the_last_word_of_the_model() {
        let messages = vec![
            Message::result("old".into()),
            Message::text(Role::Assistant, String::new()),
            Message::result("first".into()),
            Message::result("second".into()),
        ];
        let conversation = Conversation {
            messages,
            ..Conversation::default()
        };
        assert_eq!(conversation.fresh_results(), ["first", "second"]);
    }
}
