//! The marker `[[fake:NAME key=value …]]` that a prompt carries to pick a story.
//!
//! A text may hold several; the last well-formed one counts. Start at [`Marker::last_in`].

use std::collections::BTreeMap;
use std::str::FromStr;

const OPEN: &str = "[[fake:";
const CLOSE: &str = "]]";

/// A story's name and its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marker {
    pub(crate) name: String,
    parameters: BTreeMap<String, String>,
}

impl Marker {
    /// A marker without parameters.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            parameters: BTreeMap::new(),
        }
    }

    /// The last well-formed marker of `text`.
    pub(crate) fn last_in(text: &str) -> Option<Self> {
        let starts = text.rmatch_indices(OPEN);
        starts.map(|(at, _)| at + OPEN.len()).find_map(|at| {
            let (inside, _) = text[at..].split_once(CLOSE)?;
            Self::parse(inside)
        })
    }

    fn parse(inside: &str) -> Option<Self> {
        let mut words = inside.split_whitespace();
        let name = words.next().filter(|name| is_word(name))?;
        let pairs = words.map(|word| {
            let (key, value) = word.split_once('=')?;
            is_word(key).then(|| (key.to_owned(), value.to_owned()))
        });
        Some(Self {
            name: name.to_owned(),
            parameters: pairs.collect::<Option<_>>()?,
        })
    }

    /// The parameter `key` as text.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.parameters.get(key).map(String::as_str)
    }

    /// The parameter `key` as a number, or `default` when it is absent or no number.
    pub(crate) fn number<T: FromStr>(&self, key: &str, default: T) -> T {
        let value = self.text(key).and_then(|value| value.parse().ok());
        value.unwrap_or(default)
    }
}

/// Whether `text` can name a story or a parameter.
pub(crate) fn is_word(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    !text.is_empty() && text.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_marker_of_a_text_counts() {
        check("a [[fake:write]] b [[fake:slow delay=0.5]] c", Some("slow"));
    }

    #[test]
    fn a_marker_that_is_broken_is_passed_over() {
        check("[[fake:write]] then [[fake:no close", Some("write"));
        check("[[fake:write]] then [[fake:bad value]]", Some("write"));
        check("[[fake:]] and [[fake:a/b]]", None);
    }

    #[test]
    fn parameters_are_read_with_their_defaults() {
        let marker = Marker::last_in("[[fake:sleep s=2.5 file=a/b.txt]]").unwrap();
        assert_eq!(marker.number("s", 30.0), 2.5);
        assert_eq!(marker.number("times", 2), 2);
        assert_eq!(marker.text("file"), Some("a/b.txt"));
    }

    fn check(text: &str, name: Option<&str>) {
        let marker = Marker::last_in(text);
        assert_eq!(marker.as_ref().map(|m| m.name.as_str()), name);
    }
}
