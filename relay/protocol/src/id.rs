//! The ids that clients choose and the relay keeps.
//!
//! Invariant: a [`RunId`] and a [`BoxId`] are safe as a file name, every id is short.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An id was empty, too long, or held a character that it may not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no valid {what}: 1 to 64 bytes{rule}")]
pub struct InvalidId {
    what: &'static str,
    text: String,
    rule: &'static str,
}

/// Longest id, in bytes.
const MAX_LEN: usize = 64;

fn check(
    what: &'static str,
    text: String,
    rule: &'static str,
    allowed: fn(char) -> bool,
) -> Result<String, InvalidId> {
    if (1..=MAX_LEN).contains(&text.len()) && text.chars().all(allowed) {
        return Ok(text);
    }
    let text = text.chars().take(MAX_LEN).collect();
    Err(InvalidId { what, text, rule })
}

fn file_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

fn printable(c: char) -> bool {
    !c.is_control()
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $rule:literal, $allowed:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl $name {
            /// Takes `text` as an id.
            ///
            /// # Errors
            /// [`InvalidId`] when it is empty, longer than 64 bytes or holds a forbidden character.
            pub fn parse(text: impl Into<String>) -> Result<Self, InvalidId> {
                check($what, text.into(), $rule, $allowed).map(Self)
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                Self::parse(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// A run: one life of an agent process. Also the name of its directory.
    RunId, "run id", " of letters, digits, `-` and `_`", file_name_char
}
id! {
    /// The box that a relay serves.
    BoxId, "box id", " of letters, digits, `-` and `_`", file_name_char
}
id! {
    /// A message to an agent, unique within its run.
    InputId, "input id", " without control characters", printable
}
id! {
    /// A terminal, unique within its relay.
    TerminalId, "terminal id", " without control characters", printable
}
id! {
    /// A client that may own the input of a run: the same after a reconnect.
    ClientId, "client id", " without control characters", printable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_id_is_safe_as_a_file_name() {
        for bad in ["", "..", "a/b", "a b", "é", "a\0", &"x".repeat(65)] {
            assert!(RunId::parse(bad).is_err(), "{bad:?}");
        }
        assert_eq!(RunId::parse("01JD-run_7").unwrap().as_str(), "01JD-run_7");
    }

    #[test]
    fn an_input_id_may_be_any_short_line() {
        assert!(InputId::parse("msg 7 / é").is_ok());
        assert!(InputId::parse("two\nlines").is_err());
        assert!(InputId::parse("é".repeat(33)).is_err());
    }

    #[test]
    fn an_invalid_id_is_refused_in_json_too() {
        assert!(serde_json::from_str::<RunId>("\"../../etc\"").is_err());
    }
}
