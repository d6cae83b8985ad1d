//! What a person typed into a search box, taken apart.
//!
//! Words of two letters and more match what begins with them, in any case and without accents; words in quotes
//! match together and whole; `-word` must not be there. `task:` `repo:` `harness:` `kind:` `before:` `after:` narrow the
//! search down, and several of one kind widen each other. Whatever else is typed is words: every text is a
//! query or a [`BadQuery`], and none reaches the database but as quoted words.
//!
//! Start at [`SearchQuery::parse`].

use paddock_domain::{SearchKind, Timestamp};

const HOUR_MS: i64 = 60 * 60 * 1000;

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery {
    words: Vec<Word>,
    /// Beginnings or ends of task ids.
    pub(super) tasks: Vec<String>,
    /// Parts of repository paths.
    pub(super) repositories: Vec<String>,
    /// Names of harnesses.
    pub(super) harnesses: Vec<String>,
    kinds: Vec<SearchKind>,
    /// From this time on.
    pub(super) after: Option<Timestamp>,
    /// Before this time.
    pub(super) before: Option<Timestamp>,
}

/// A word, or several that must stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    /// Longer words that begin so match too.
    is_beginning: bool,
    is_unwanted: bool,
}

/// What was typed is no search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadQuery {
    /// There is nothing in it to look for.
    #[error("there is no word in this: type one, or a filter such as kind:error")]
    Nothing,
    /// It is too long.
    #[error("a search has at most {max} characters and {words} words")]
    TooLong {
        /// Most characters.
        max: usize,
        /// Most words.
        words: usize,
    },
    /// There is no such kind.
    #[error("there is no kind `{found}`: use one of {}", SearchKind::ALL.map(SearchKind::as_str).join(", "))]
    NoSuchKind {
        /// What was typed.
        found: String,
    },
    /// It is no time.
    #[error(
        "`{found}` is no time: write a day (2026-11-22), a time (2026-11-22T09:00:00Z), or how long ago (7d, 12h)"
    )]
    BadTime {
        /// What was typed.
        found: String,
    },
}

impl SearchQuery {
    /// Longest query, in characters.
    pub const MAX_LEN: usize = 500;
    /// Most words and filters.
    pub const WORDS_MAX: usize = 32;

    /// Takes `text` apart; `now` is what "7d" counts back from.
    ///
    /// # Errors
    /// [`BadQuery`].
    pub fn parse(text: &str, now: Timestamp) -> Result<Self, BadQuery> {
        let too_long = BadQuery::TooLong {
            max: Self::MAX_LEN,
            words: Self::WORDS_MAX,
        };
        if text.chars().count() > Self::MAX_LEN {
            return Err(too_long);
        }
        let pieces = pieces(text);
        if pieces.len() > Self::WORDS_MAX {
            return Err(too_long);
        }
        let mut query = Self::default();
        for piece in pieces {
            query.take(piece, now)?;
        }
        if query == Self::default() {
            return Err(BadQuery::Nothing);
        }
        Ok(query)
    }

    fn take(&mut self, piece: Piece, now: Timestamp) -> Result<(), BadQuery> {
        let value = || piece.text.clone();
        match piece.filter.as_deref() {
            Some("task") => self.tasks.push(value().to_ascii_lowercase()),
            Some("repo") => self.repositories.push(value()),
            Some("harness") => self.harnesses.push(value().to_ascii_lowercase()),
            Some("kind") => {
                let kind = SearchKind::named(&piece.text.to_ascii_lowercase());
                let found = value();
                self.kinds.push(kind.ok_or(BadQuery::NoSuchKind { found })?);
            }
            Some("after") => self.after = Some(time(&piece.text, now)?),
            Some("before") => self.before = Some(time(&piece.text, now)?),
            // Not a filter of ours: `std::fs` and `http://x` are words.
            Some(_) | None => self.words.extend(piece.word()),
        }
        Ok(())
    }

    /// The query as the database takes it, for the tasks with these keys alone where some are given.
    pub(super) fn expression(&self, tasks: Option<&[i64]>) -> String {
        let mut parts = vec![tagged(&[ANY.to_owned()])];
        let kinds = self.kinds.iter().map(|kind| kind_tag(*kind));
        let kinds: Vec<_> = kinds.collect();
        if !kinds.is_empty() {
            parts.push(tagged(&kinds));
        }
        if let Some(tasks) = tasks {
            let tags: Vec<_> = tasks.iter().map(|task| task_tag(*task)).collect();
            parts.push(tagged(&tags));
        }
        let (unwanted, wanted): (Vec<_>, Vec<_>) =
            self.words.iter().partition(|word| word.is_unwanted);
        parts.extend(wanted.iter().map(|word| word.expression()));
        // The database reads NOT before AND, from the left.
        let mut expression = format!("({})", parts.join(" AND "));
        for word in unwanted {
            expression = format!("({expression} NOT {})", word.expression());
        }
        expression
    }
}

impl Word {
    fn expression(&self) -> String {
        let star = if self.is_beginning { " *" } else { "" };
        format!("text : \"{}\"{star}", self.text.replace('"', "\"\""))
    }
}

/// The tag that every event has.
pub(super) const ANY: &str = "x";

/// The tag of a task's events.
pub(super) fn task_tag(task: i64) -> String {
    format!("t{task}")
}

/// The tag of a kind's events.
pub(super) fn kind_tag(kind: SearchKind) -> String {
    format!("k{}", kind.as_str())
}

fn tagged(tags: &[String]) -> String {
    let quoted: Vec<_> = tags.iter().map(|tag| format!("\"{tag}\"")).collect();
    format!("tags : ({})", quoted.join(" OR "))
}

/// A stretch between spaces, quotes respected.
#[derive(Default)]
struct Piece {
    /// What stood before the colon, in lower case.
    filter: Option<String>,
    text: String,
    is_quoted: bool,
    is_unwanted: bool,
}

impl Piece {
    /// It as a word, if it has anything that a word is made of.
    fn word(self) -> Option<Word> {
        let text = match &self.filter {
            Some(filter) => format!("{filter}:{}", self.text),
            None => self.text,
        };
        let starred = text.ends_with('*');
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        (letters > 0).then_some(Word {
            // One letter begins too much.
            is_beginning: letters > 1 && (starred || !self.is_quoted),
            is_unwanted: self.is_unwanted,
            text,
        })
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let mut piece = Piece::default();
        if let Some(after) = rest
            .strip_prefix('-')
            .filter(|after| !after.starts_with('-'))
        {
            piece.is_unwanted = true;
            rest = after;
        }
        let name_len = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        if let (1.., Some(after)) = (name_len, rest[name_len..].strip_prefix(':'))
            && after.starts_with(|c: char| !c.is_whitespace())
        {
            piece.filter = Some(rest[..name_len].to_ascii_lowercase());
            rest = after;
        }
        let (taken, after) = if let Some(quoted) = rest.strip_prefix('"') {
            piece.is_quoted = true;
            quoted.split_once('"').unwrap_or((quoted, ""))
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || c == '"');
            rest.split_at(end.unwrap_or(rest.len()))
        };
        taken.replace('\0', " ").trim().clone_into(&mut piece.text);
        rest = after;
        if let (true, Some(after)) = (piece.is_quoted, rest.strip_prefix('*')) {
            piece.text.push('*');
            rest = after;
        }
        if !piece.text.is_empty() {
            pieces.push(piece);
        }
        rest = rest.trim_start();
    }
    pieces
}

fn time(text: &str, now: Timestamp) -> Result<Timestamp, BadQuery> {
    let bad = || BadQuery::BadTime {
        found: text.chars().take(40).collect(),
    };
    let ago = |hours: i64| {
        let number: i64 = text.get(..text.len() - 1)?.parse().ok()?;
        let back = number.checked_mul(hours)?.checked_mul(HOUR_MS)?;
        (0..=now.unix_ms())
            .contains(&back)
            .then(|| now.plus_ms(-back))
    };
    match text.chars().last() {
        Some('d') => return ago(24).ok_or_else(bad),
        Some('h') => return ago(1).ok_or_else(bad),
        Some('w') => return ago(24 * 7).ok_or_else(bad),
        Some(_) | None => {}
    }
    let day = format!("{text}T00:00:00Z");
    let found = text.parse().or_else(|_| day.parse());
    found.map_err(|_| bad())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-11-22T12:00:00Z".parse().unwrap()
    }

    #[track_caller]
    fn check(typed: &str, expected: &str) {
        let query = SearchQuery::parse(typed, now()).unwrap();
        assert_eq!(
            query.expression(None),
            format!("(tags : (\"x\") AND {expected})")
        );
    }

    #[test]
    fn words_match_their_beginnings_and_quoted_ones_stand_together() {
        check("auth login", "text : \"auth\" * AND text : \"login\" *");
        check("\"token format\"", "text : \"token format\"");
        check("a", "text : \"a\"");
        check("a*", "text : \"a*\"");
        check("\"to\"*", "text : \"to*\" *");
    }

    #[test]
    fn what_looks_like_syntax_is_words() {
        check("std::fs", "text : \"std::fs\" *");
        check("NEAR(x", "text : \"NEAR(x\" *");
        check("it\"s", "text : \"it\" * AND text : \"s\"");
        check("http://x", "text : \"http://x\" *");
    }

    #[test]
    fn filters_narrow_and_unwanted_words_are_left_out() {
        let query = SearchQuery::parse("kind:error kind:notice -flaky disk", now()).unwrap();
        assert_eq!(
            query.expression(Some(&[1, 2])),
            "((tags : (\"x\") AND tags : (\"kerror\" OR \"knotice\") AND tags : (\"t1\" OR \"t2\") AND text : \"disk\" *) NOT text : \"flaky\" *)"
        );
        let query = SearchQuery::parse(
            "task:7F3K repo:\"my api\" after:7d before:2026-11-22",
            now(),
        );
        let query = query.unwrap();
        assert_eq!(
            (query.tasks, query.repositories),
            (vec!["7f3k".into()], vec!["my api".into()])
        );
        assert_eq!(query.after.unwrap().to_string(), "2026-11-15T12:00:00.000Z");
        assert_eq!(
            query.before.unwrap().to_string(),
            "2026-11-22T00:00:00.000Z"
        );
    }

    #[test]
    fn what_is_no_search_says_why() {
        let bad = |text: &str| SearchQuery::parse(text, now()).unwrap_err();
        assert_eq!(bad("  -- *** \"\""), BadQuery::Nothing);
        assert!(matches!(bad("kind:joke"), BadQuery::NoSuchKind { .. }));
        for time in [
            "after:tomorrow",
            "before:99999999999999999999d",
            "after:d",
            "before:ü",
        ] {
            assert!(matches!(bad(time), BadQuery::BadTime { .. }), "{time}");
        }
        assert!(matches!(bad(&"x".repeat(501)), BadQuery::TooLong { .. }));
        assert!(matches!(bad(&"x ".repeat(33)), BadQuery::TooLong { .. }));
    }
}
