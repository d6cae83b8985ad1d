//! What a person sees of a command: one line a step, on standard error.

use std::io::IsTerminal;
use std::time::Duration;

/// A step begins.
pub(crate) fn begin(what: &str) {
    eprintln!("{} {what}", mark("▸", "36"));
}

/// Something is as it should be.
pub(crate) fn good(what: &str) {
    eprintln!("{} {what}", mark("✓", "32"));
}

/// Something cannot be had, and how to get it.
pub(crate) fn lack(what: &str, remedy: &str) {
    eprintln!("{} {what}\n    {remedy}", mark("!", "33"));
}

/// A length of time, short: `8.1 s`, `3 min 20 s`.
pub(crate) fn time(length: Duration) -> String {
    let seconds = length.as_secs();
    match seconds {
        0..=59 => format!("{:.1} s", length.as_secs_f64()),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// `text` in a colour of the terminal's, where standard error is one.
fn mark(text: &str, colour: &str) -> String {
    if std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        return format!("\u{1b}[{colour}m{text}\u{1b}[0m");
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!(time(Duration::from_millis(8140)), "8.1 s");
        assert_eq!(time(Duration::from_secs(200)), "3 min 20 s");
    }
}
