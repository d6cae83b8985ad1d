//! Names of git objects.

use std::fmt;

use crate::GitError;

/// How a repository names its objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObjectFormat {
    /// 40 hexadecimal digits.
    #[default]
    Sha1,
    /// 64 hexadecimal digits.
    Sha256,
}

impl ObjectFormat {
    /// As git spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
        }
    }

    /// Reads git's spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "sha1" => Some(Self::Sha1),
            "sha256" => Some(Self::Sha256),
            _ => None,
        }
    }
}

/// The full name of an object: 40 or 64 lower-case hexadecimal digits, never a short form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Oid(String);

impl Oid {
    /// Takes `text` as a full object name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        (digits && matches!(text.len(), 40 | 64)).then(|| Self(text.to_owned()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first digits, for people.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..10]
    }

    /// Which repositories it can belong to.
    #[must_use]
    pub fn format(&self) -> ObjectFormat {
        match self.0.len() {
            64 => ObjectFormat::Sha256,
            _ => ObjectFormat::Sha1,
        }
    }

    /// The name of the tree without entries.
    #[must_use]
    pub(crate) fn empty_tree(format: ObjectFormat) -> Self {
        Self(
            match format {
                ObjectFormat::Sha1 => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
                ObjectFormat::Sha256 => {
                    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
                }
            }
            .to_owned(),
        )
    }

    /// The name that stands for "no object", as long as this one.
    #[must_use]
    pub(crate) fn zero(&self) -> String {
        "0".repeat(self.0.len())
    }

    /// What `verb` printed, as one object name.
    pub(crate) fn read(verb: &str, text: &str) -> Result<Self, GitError> {
        Self::parse(text.trim()).ok_or_else(|| GitError::unreadable(verb, "this is no object name"))
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_lower_case_names_are_taken() {
        assert!(Oid::parse(&"a".repeat(40)).is_some());
        assert!(Oid::parse(&"0".repeat(64)).is_some());
        for bad in [
            "",
            "HEAD",
            "abc123",
            &"A".repeat(40),
            &"g".repeat(40),
            &"a".repeat(41),
        ] {
            assert_eq!(Oid::parse(bad), None, "{bad}");
        }
    }
}
