//! What an agent program writes down of its sessions for itself, and how that is read.
//!
//! A [`History`] is data: where the files are and two functions over names and lines. It does no IO; who
//! reads the files bounds them. The lines are hostile: what cannot be understood says nothing.
//!
//! Start at [`History::read`].

use paddock_domain::{PastMessage, Speaker, Timestamp};
use serde_json::Value;

use crate::SessionFiles;

/// Most characters that are told of what a tool was called with.
const TOOL_MAX: usize = 300;

/// Where a program keeps its sessions, and how they are read.
#[derive(Clone, Copy, Debug)]
pub struct History {
    /// The directory, relative to the home.
    pub dir: &'static str,
    /// How many directories there are between it and a session's own file.
    pub depth: usize,
    pub(crate) session: fn(&str) -> Option<&str>,
    pub(crate) read: fn(&[u8], &mut dyn FnMut(PastLine)),
    pub(crate) moved: fn(&str, &str) -> String,
    pub(crate) adapted: fn(&[u8]) -> Vec<u8>,
}

/// What a line of a history says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PastLine {
    /// Where the session works.
    Directory(String),
    /// When something happened in it.
    At(Timestamp),
    /// What it is called; the last one holds.
    Title(String),
    /// Something was said.
    Said(PastMessage),
}

impl History {
    /// The session whose own file is called `file`; nothing for any other file.
    #[must_use]
    pub fn session_of<'n>(&self, file: &'n str) -> Option<&'n str> {
        let id = (self.session)(file)?;
        // What could be a path or a pattern is no id.
        SessionFiles::named(self.dir, id).map(|_| id)
    }

    /// Tells what `line` says, in order.
    pub fn read(&self, line: &[u8], mut tell: impl FnMut(PastLine)) {
        (self.read)(line, &mut tell);
    }

    /// Where the file at `path`, relative to the home, belongs when the session goes on in `work_dir`.
    #[must_use]
    pub fn moved(&self, path: &str, work_dir: &str) -> String {
        (self.moved)(path, work_dir)
    }

    /// The content of a file, as the program takes it when Paddock has started it.
    #[must_use]
    pub fn adapted(&self, content: &[u8]) -> Vec<u8> {
        (self.adapted)(content)
    }
}

/// The name of a tool, and the part of its input that says most, on one line.
pub(crate) fn called(name: &str, input: &Value) -> String {
    const TELLING: [&str; 11] = [
        "command",
        "cmd",
        "file_path",
        "path",
        "pattern",
        "url",
        "query",
        "skill",
        "description",
        "prompt",
        "input",
    ];
    let found = TELLING.iter().find_map(|key| match input.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let parts: Vec<_> = parts.iter().filter_map(Value::as_str).collect();
            (!parts.is_empty()).then(|| parts.join(" "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    });
    let found = found.or_else(|| input.as_str().map(str::to_owned));
    let words = found.unwrap_or_default();
    let words: Vec<_> = words.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(TOOL_MAX).collect();
    format!("{name} {line}").trim_end().to_owned()
}

/// What was said, where it was anything.
pub(crate) fn said(by: Speaker, text: &str, at: Option<Timestamp>) -> Option<PastLine> {
    let text = text.trim();
    (!text.is_empty()).then(|| {
        let text = text.to_owned();
        PastLine::Said(PastMessage { by, text, at })
    })
}

/// The time that a line bears, where it is one.
pub(crate) fn time(text: Option<&str>) -> Option<Timestamp> {
    text?.parse().ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::registry;

    /// What the lines of `text` say of a history of this harness, each in a few words.
    pub(crate) fn told(harness: &str, text: &str) -> Vec<String> {
        let history = crate::find(harness).unwrap().history().unwrap();
        let mut told = Vec::new();
        for line in text.lines() {
            history.read(line.as_bytes(), |line| {
                told.push(match line {
                    PastLine::Directory(path) => format!("in {path}"),
                    PastLine::At(at) => format!("at {at}"),
                    PastLine::Title(title) => format!("title {title}"),
                    PastLine::Said(message) => format!("{:?}: {}", message.by, message.text),
                });
            });
        }
        told
    }

    #[test]
    fn only_harnesses_with_a_history_offer_their_sessions() {
        for harness in registry() {
            let name = harness.name();
            assert_eq!(
                harness.history().is_some(),
                harness.abilities().adopt,
                "{name}"
            );
            let Some(history) = harness.history() else {
                continue;
            };
            let files = harness.session_files("0b8e2a52-7c1f-4a63-9a0e-1b2c3d4e5f60");
            assert_eq!(files.unwrap().dir, history.dir, "{name}");
        }
    }

    #[test]
    fn a_tool_is_told_by_what_says_most_of_its_call() {
        let told = |input| called("Bash", &input);
        assert_eq!(
            told(json!({"description": "x", "command": "ls\n -l"})),
            "Bash ls -l"
        );
        assert_eq!(told(json!({"command": ["a", "b"]})), "Bash a b");
        assert_eq!(told(json!("raw")), "Bash raw");
        assert_eq!(told(json!({"n": 1})), "Bash");
        assert!(told(json!({"path": "x".repeat(9000)})).len() < 400);
    }

    proptest! {
        #[test]
        fn no_line_makes_a_reader_panic(line in prop::collection::vec(any::<u8>(), 0..400)) {
            for harness in registry() {
                if let Some(history) = harness.history() {
                    history.read(&line, |_| ());
                    let name = String::from_utf8_lossy(&line);
                    let id = history.session_of(&name);
                    prop_assert!(id.is_none_or(|id| !id.contains(['/', '*', '.', '\0'])));
                }
            }
        }
    }
}
