//! Colours, only where somebody sees them and wants them; and agent output without its control characters.

use std::io::IsTerminal as _;

/// What a colour means; the same everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// The user is needed.
    Attention,
    /// It failed.
    Failure,
    /// It went well.
    Success,
    /// It goes on.
    Progress,
    /// Less important.
    Quiet,
    /// More important.
    Strong,
}

/// Colours or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// Colours where standard output is a terminal, `NO_COLOR` is not set and the terminal is not dumb.
    pub(crate) fn of_stdout() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            on: std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb,
        }
    }

    /// No colours.
    pub(crate) fn never() -> Self {
        Self { on: false }
    }

    /// `text` in the colour of `tone`.
    pub(crate) fn text(self, tone: Tone, text: &str) -> String {
        if !self.on || text.is_empty() {
            return text.to_owned();
        }
        let code = match tone {
            Tone::Attention => "33",
            Tone::Failure => "31",
            Tone::Success => "32",
            Tone::Progress => "36",
            Tone::Quiet => "2",
            Tone::Strong => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// A unified diff in colours.
    pub(crate) fn diff(self, diff: &str) -> String {
        if !self.on {
            return diff.to_owned();
        }
        let mut painted = String::with_capacity(diff.len() + diff.len() / 8);
        for line in diff.split_inclusive('\n') {
            let (text, end) = line
                .strip_suffix('\n')
                .map_or((line, ""), |text| (text, "\n"));
            let tone = match text.as_bytes().first() {
                Some(b'+') if !text.starts_with("+++") => Some(Tone::Success),
                Some(b'-') if !text.starts_with("---") => Some(Tone::Failure),
                Some(b'@') => Some(Tone::Progress),
                Some(b'd') if text.starts_with("diff ") => Some(Tone::Strong),
                _ => None,
            };
            let text = clean(text);
            painted.push_str(&tone.map_or(text.clone(), |tone| self.text(tone, &text)));
            painted.push_str(end);
        }
        painted
    }
}

/// `text` without what would move the cursor, colour the screen or ring the bell: agents and
/// repositories are not trusted with the terminal.
pub(crate) fn clean(text: &str) -> String {
    let shown = text
        .chars()
        .filter(|c| matches!(c, '\n' | '\t') || !is_control(*c));
    shown.collect()
}

fn is_control(c: char) -> bool {
    // The second half reorders text so that it reads as something else.
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_cannot_write_to_the_terminal_but_text() {
        assert_eq!(
            clean("a\u{1b}[2J\u{7}b\r\n\tc\u{9b}31m\u{202e}d"),
            "a[2Jb\n\tc31md"
        );
    }

    #[test]
    fn without_colours_nothing_is_added() {
        assert_eq!(Paint::never().text(Tone::Failure, "x"), "x");
        assert_eq!(Paint { on: true }.diff("+a\n"), "\u{1b}[32m+a\u{1b}[0m\n");
    }
}
