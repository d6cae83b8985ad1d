//! The shell's own words: what stands in tray, notifications and dialogs, in the language that the user chose.
//!
//! They are written where they are used, in English; what each is in another language stands in a table of its
//! own. The page chooses and tells the shell, which keeps it for a start without a page; until a page was
//! there it is the language of the session.

use std::io;
use std::path::Path;

use serde::Deserialize;

/// A language that the page speaks too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Language {
    /// English.
    En,
    /// German.
    De,
}

/// Each English text and what it is in German, a line each.
const DE: &str = include_str!("words/de.txt");
/// What stands between them.
const IS: &str = " = ";

impl Language {
    /// The name of the file that keeps it.
    pub(crate) const FILE: &'static str = "language";

    /// `english` in this language.
    #[must_use]
    pub(crate) fn say(self, english: &'static str) -> &'static str {
        let table = match self {
            Self::En => "",
            Self::De => DE,
        };
        let mut pairs = table.lines().filter_map(|line| line.split_once(IS));
        let said = pairs.find(|(text, _)| *text == english);
        said.map_or(english, |(_, said)| said)
    }

    /// `one` in this language where `n` is one, else `many` with the figure in it.
    #[must_use]
    pub(crate) fn count(self, n: usize, one: &'static str, many: &'static str) -> String {
        let text = self.say(if n == 1 { one } else { many });
        text.replace("{n}", &n.to_string())
    }

    /// What `file` keeps; where it keeps nothing, what `environment` says of the session's language.
    pub(crate) fn kept(file: &Path, environment: impl Fn(&str) -> Option<String>) -> Self {
        let is_said = |text: &String| !text.is_empty();
        let mut session = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
        let kept = std::fs::read_to_string(file).ok().filter(is_said);
        match kept.or_else(|| session.find_map(|name| environment(name).filter(is_said))) {
            Some(said) if said.starts_with("de") => Self::De,
            Some(_) | None => Self::En,
        }
    }

    /// Keeps it in `file`.
    pub(crate) fn keep(self, file: &Path) -> io::Result<()> {
        std::fs::create_dir_all(file.parent().unwrap_or(file))?;
        std::fs::write(file, if self == Self::De { "de" } else { "en" })
    }
}

#[cfg(test)]
mod tests;
