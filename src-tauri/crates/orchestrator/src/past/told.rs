//! What a history tells of a session, bounded: its title, where it worked, and what was said in it.
//!
//! Pure. The first thing that the user said is always kept; of the rest the newest.

use std::collections::VecDeque;

use paddock_domain::{PastMessage, Speaker, Timestamp};
use paddock_harness::{History, PastLine};

/// Most characters of a title.
const TITLE_MAX: usize = 120;

/// What is told of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Past {
    pub(super) directory: Option<String>,
    pub(super) began_at: Option<Timestamp>,
    /// What was said, oldest first.
    pub(super) messages: Vec<PastMessage>,
    /// Messages that are not told.
    pub(super) left_out: u64,
    /// How often the user said something; nothing when not all of it was read.
    pub(super) prompts: Option<u64>,
    title: Option<String>,
}

impl Past {
    /// Its title, or the first words of the user.
    pub(super) fn title(&self) -> String {
        let mut said = self.messages.iter();
        let first = said.find(|message| message.by == Speaker::User);
        let first = first.map(|message| message.text.as_str());
        let text = self.title.as_deref().or(first).unwrap_or_default();
        let line = text.lines().map(str::trim).find(|line| !line.is_empty());
        cut(line.unwrap_or_default())
    }

    /// Takes the title that a later part of the history gives.
    pub(super) fn retitled(mut self, later: &Self) -> Self {
        if later.title.is_some() {
            self.title.clone_from(&later.title);
        }
        self
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(TITLE_MAX) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// What `content` tells: whole lines, of which one may be torn.
pub(super) fn past(history: &History, content: &[u8]) -> Past {
    let mut past = Past::default();
    let mut prompts = 0;
    let mut first: Option<PastMessage> = None;
    let mut newest = Newest::default();
    for line in content.split(|byte| *byte == b'\n') {
        history.read(line, |line| match line {
            PastLine::Directory(path) => past.directory = past.directory.take().or(Some(path)),
            PastLine::At(at) => past.began_at = past.began_at.or(Some(at)),
            PastLine::Title(title) => past.title = Some(cut(&title)),
            PastLine::Said(message) => {
                past.began_at = past.began_at.or(message.at);
                let message = message.shortened();
                if message.by == Speaker::User {
                    prompts += 1;
                }
                match &first {
                    None if message.by == Speaker::User => first = Some(message),
                    None | Some(_) => newest.push(message),
                }
            }
        });
    }
    past.prompts = Some(prompts);
    past.left_out = newest.dropped;
    past.messages = first.into_iter().chain(newest.kept).collect();
    past
}

/// The newest of many messages.
#[derive(Debug, Default)]
struct Newest {
    kept: VecDeque<PastMessage>,
    bytes: usize,
    dropped: u64,
}

impl Newest {
    fn push(&mut self, message: PastMessage) {
        self.bytes += message.text.len();
        self.kept.push_back(message);
        // The first message has its place beside these.
        let (count, bytes) = (
            PastMessage::COUNT_MAX - 1,
            PastMessage::TOTAL_MAX - PastMessage::TEXT_MAX,
        );
        while (self.kept.len() > count || self.bytes > bytes)
            && let Some(oldest) = self.kept.pop_front()
        {
            self.bytes -= oldest.text.len();
            self.dropped += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> History {
        paddock_harness::find("claude").unwrap().history().unwrap()
    }

    fn line(by: &str, text: &str) -> String {
        let content = serde_json::json!([{"type": "text", "text": text}]);
        serde_json::json!({"type": by, "cwd": "/r", "message": {"content": content}}).to_string()
    }

    #[test]
    fn of_a_long_session_the_first_words_and_the_newest_are_told() {
        let lines: Vec<_> = (0..1000)
            .map(|n| {
                line(
                    if n % 2 == 0 { "user" } else { "assistant" },
                    &format!("word {n}"),
                )
            })
            .collect();
        let past = past(&history(), lines.join("\n").as_bytes());
        assert_eq!(past.messages.len(), PastMessage::COUNT_MAX);
        assert_eq!(past.left_out, 600);
        assert_eq!(past.prompts, Some(500));
        let texts: Vec<_> = past.messages.iter().map(|m| m.text.as_str()).collect();
        assert_eq!((texts[0], texts[1]), ("word 0", "word 601"));
        assert_eq!(texts.last(), Some(&"word 999"));
        assert_eq!(past.title(), "word 0");
        assert_eq!(past.directory.as_deref(), Some("/r"));
    }

    #[test]
    fn huge_messages_are_cut_and_never_come_to_more_than_the_bound() {
        let huge = "x".repeat(100_000);
        let lines: Vec<_> = (0..200).map(|_| line("assistant", &huge)).collect();
        let past = past(&history(), lines.join("\n").as_bytes());
        let total: usize = past.messages.iter().map(|m| m.text.len()).sum();
        assert!(total <= PastMessage::TOTAL_MAX, "{total}");
        assert!(
            past.messages
                .iter()
                .all(|m| m.text.len() <= PastMessage::TEXT_MAX)
        );
        assert_eq!(past.left_out + past.messages.len() as u64, 200);
    }

    #[test]
    fn a_torn_line_and_noise_cost_nothing_else() {
        let text = format!(
            "{}\nnoise\n\n{{\"type\":\"user\",\"mess\n{}",
            line("user", "one"),
            line("assistant", "two")
        );
        let past = past(&history(), text.as_bytes());
        assert_eq!(past.messages.len(), 2);
        assert_eq!((past.left_out, past.title().as_str()), (0, "one"));
    }
}
