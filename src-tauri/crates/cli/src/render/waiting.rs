//! What waits, for people: messages for after a turn, and a task for its place.

use std::fmt::Write as _;

use paddock_api::TaskPlace;
use paddock_domain::{FollowUp, FollowUpHold, Task};

use super::{Paint, Tone, clean};

/// Messages in the queue, one line each; empty without any.
pub(crate) fn queued(task: &Task, paint: Paint) -> String {
    let mut text = String::new();
    for message in &task.follow_ups {
        let next = paint.text(Tone::Quiet, "then say");
        let _ = writeln!(text, "{next}  {}", first_line(message));
    }
    if let Some(hold) = task.follow_ups_hold.filter(|_| !text.is_empty()) {
        let _ = writeln!(text, "          waits for you: {}", why(hold));
    }
    text
}

/// The first line of a message.
pub(crate) fn first_line(message: &FollowUp) -> String {
    let text = clean(&message.content);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let more = if lines.next().is_some() { " …" } else { "" };
    format!("{first}{more}")
}

/// Why a queue does not go on by itself.
pub(crate) fn why(hold: FollowUpHold) -> &'static str {
    match hold {
        FollowUpHold::Failed => "the last turn failed",
        FollowUpHold::Interrupted => "the last turn was interrupted",
        FollowUpHold::RunEnded => "the agent ended",
    }
}

/// A place in a line, in few words.
pub(crate) fn place_word(place: &TaskPlace) -> String {
    format!("{} of {}", place.position, place.of)
}
