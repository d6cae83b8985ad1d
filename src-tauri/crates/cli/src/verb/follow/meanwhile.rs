//! What a user types while the agent works: a message for after the turn, or one for now.

use paddock_domain::Message;

use super::Following;
use crate::render::say;

/// What a line that is to be said now begins with.
const NOW: char = '!';

impl Following<'_> {
    /// Whether lines that nobody asked for are taken.
    pub(super) fn listens(&self) -> bool {
        let idle = self.asked.is_none() && !self.deaf && !self.json;
        idle && self.interrupts == 0 && self.keyboard.is_there()
    }

    /// Queues what was typed, or says it at once when it begins so.
    pub(super) async fn say_meanwhile(&mut self, typed: Option<String>) {
        let Some(typed) = typed else {
            self.deaf = true;
            return;
        };
        let Some((text, now)) = read(&typed) else {
            return;
        };
        let message = Message {
            input_id: None,
            text: text.to_owned(),
            attachments: Vec::new(),
        };
        let sent = if now {
            self.client.say(&self.task, &message).await
        } else {
            self.client.say_after_turn(&self.task, &message).await
        };
        match sent {
            Ok(sent) if sent.queued => say(&format!(
                "queued for after the turn (begin with {NOW} to say it now)"
            )),
            Ok(_) => say("said"),
            Err(error) => say(&error.to_string()),
        }
    }
}

/// What is to be said, and whether now; nothing when the line is empty.
fn read(typed: &str) -> Option<(&str, bool)> {
    let typed = typed.trim();
    let (text, now) = match typed.strip_prefix(NOW) {
        Some(text) => (text.trim_start(), true),
        None => (typed, false),
    };
    (!text.is_empty()).then_some((text, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_waits_for_the_end_of_the_turn_unless_it_begins_with_a_mark() {
        assert_eq!(read(" then test it \n"), Some(("then test it", false)));
        assert_eq!(read("! stop that"), Some(("stop that", true)));
        assert_eq!(read("  "), None);
        assert_eq!(read("!"), None);
    }
}
