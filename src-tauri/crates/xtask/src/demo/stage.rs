//! What the audience sees: events as short lines, kept for the picture.

use std::io::IsTerminal;

use serde_json::Value;

/// What a line is; it decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Said by the demo.
    Plain,
    /// A command as one would type it.
    Command,
    /// A state of the task.
    State,
    /// Said by the agent.
    Agent,
    /// Done by the agent.
    Tool,
    /// Well done.
    Good,
    /// Gone wrong.
    Bad,
    /// In the background.
    Dim,
}

impl Tone {
    /// The terminal's colour code.
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "0",
            Self::Command => "1",
            Self::State => "36",
            Self::Agent => "0",
            Self::Tool => "33",
            Self::Good => "32",
            Self::Bad => "31",
            Self::Dim => "2",
        }
    }
}

/// The lines shown so far.
pub(crate) struct Stage {
    lines: Vec<(Tone, String)>,
    coloured: bool,
}

/// Longest line that is shown, in characters.
const WIDTH: usize = 110;

impl Stage {
    pub(crate) fn new() -> Self {
        let coloured = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        Self {
            lines: Vec::new(),
            coloured,
        }
    }

    /// All that was shown.
    pub(crate) fn lines(&self) -> &[(Tone, String)] {
        &self.lines
    }

    pub(crate) fn title(&mut self, text: &str) {
        self.show(Tone::Dim, &format!("── {text} ──"));
    }

    pub(crate) fn command(&mut self, text: &str) {
        self.show(Tone::Command, &format!("$ {text}"));
    }

    pub(crate) fn plain(&mut self, text: &str) {
        let tone = match text.chars().next() {
            Some('+') if !text.starts_with("+++") => Tone::Good,
            Some('-') if !text.starts_with("---") => Tone::Bad,
            Some(_) | None => Tone::Plain,
        };
        self.show(tone, text);
    }

    pub(crate) fn good(&mut self, text: &str) {
        self.show(Tone::Good, &format!("✓ {text}"));
    }

    /// Shows a journal event, where it is one for people.
    pub(crate) fn event(&mut self, event: &Value) {
        if let Some((tone, text)) = line_of(event) {
            for line in text.lines() {
                self.show(tone, line);
            }
        }
    }

    fn show(&mut self, tone: Tone, text: &str) {
        let mut text = text.replace('\t', "    ");
        if text.chars().count() > WIDTH {
            text = text.chars().take(WIDTH - 1).chain(['…']).collect();
        }
        if self.coloured {
            println!("\u{1b}[{}m{text}\u{1b}[0m", tone.code());
        } else {
            println!("{text}");
        }
        self.lines.push((tone, text));
    }
}

/// An event as a person reads it; nothing for those that only programs need.
fn line_of(event: &Value) -> Option<(Tone, String)> {
    let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
    Some(match event["type"].as_str()? {
        "state_changed" => (Tone::State, format!("● {}", text("to"))),
        "branch_claimed" => (
            Tone::Dim,
            format!("  branch {} from {}", text("branch"), text("base")),
        ),
        "box_created" => (Tone::Dim, format!("  {} {}", text("kind"), text("name"))),
        "run_started" => (
            Tone::Dim,
            format!("  {} {}", text("harness"), text("version")),
        ),
        "assistant_message" => {
            let blocks = event["blocks"]
                .as_array()?
                .iter()
                .filter_map(|block| block["content"].as_str());
            (Tone::Agent, blocks.collect::<Vec<_>>().join("\n"))
        }
        "tool_call_started" => {
            let what = ["command", "path"]
                .iter()
                .find_map(|name| event[*name].as_str());
            (
                Tone::Tool,
                format!("  ▸ {} {}", text("tool"), what.unwrap_or_default()),
            )
        }
        "tool_call_finished" => {
            let output = text("output");
            let indented: Vec<String> = output
                .lines()
                .take(6)
                .map(|line| format!("    {line}"))
                .collect();
            (Tone::Dim, indented.join("\n"))
        }
        "commit_made" => {
            let commit: String = text("commit").chars().take(7).collect();
            (Tone::Good, format!("  commit {commit} {}", text("subject")))
        }
        "turn_finished" => (Tone::State, format!("● turn {}", text("outcome"))),
        "error" => (Tone::Bad, text("message")),
        "notice" => (Tone::Dim, format!("  {}", text("text"))),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn people_see_states_words_and_tools_and_no_plumbing() {
        let line = |event: Value| line_of(&event).map(|(_, text)| text);
        assert_eq!(
            line(json!({"type": "state_changed", "to": "running"})).as_deref(),
            Some("● running")
        );
        assert_eq!(
            line(json!({"type": "tool_call_started", "tool": "bash", "command": "ls"})).as_deref(),
            Some("  ▸ bash ls")
        );
        assert_eq!(line(json!({"type": "usage_updated"})), None);
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut stage = Stage {
            lines: Vec::new(),
            coloured: false,
        };
        stage.plain(&"x".repeat(WIDTH + 1));
        assert_eq!(stage.lines()[0].1.chars().count(), WIDTH);
    }
}
