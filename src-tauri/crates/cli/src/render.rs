//! Showing things to people: colours where they are wanted, tables that fit, transcripts.

mod abilities;
mod link;
mod markdown;
mod measure;
mod paint;
mod progress;
mod requests;
mod standing;
mod table;
mod task;
mod transcript;
mod waiting;

use std::io::{IsTerminal as _, Write as _};

pub(crate) use abilities::abilities;
pub(crate) use link::{LinkTeller, describe_link, link_word};
pub(crate) use markdown::MarkdownTranscript;
pub(crate) use measure::{ago, size, span};
pub(crate) use paint::{Paint, Tone, clean};
pub(crate) use progress::Progress;
pub(crate) use standing::cost;
pub(crate) use table::table;
pub(crate) use task::{describe, diff_stat, summary_row};
pub(crate) use transcript::Transcript;
pub(crate) use waiting::{first_line, place_word, queued, why};

/// Prints to standard output. A reader that went away ends nothing: there is nothing left to tell.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a line to standard output.
pub(crate) fn line(text: &str) {
    print(&format!("{text}\n"));
}

/// Tells the user something beside the output.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints `value` as one line of JSON.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> anyhow::Result<()> {
    line(&serde_json::to_string(value)?);
    Ok(())
}

/// Whether standard output is a terminal.
pub(crate) fn on_terminal() -> bool {
    std::io::stdout().is_terminal()
}
