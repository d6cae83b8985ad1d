//! Names of branches.

use std::fmt;

/// A branch name that git accepts, without `refs/heads/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch(String);

/// The name is one that git refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{offered}` is not a branch name that git accepts: choose another")]
pub struct InvalidBranch {
    /// What was offered, cut to a length that fits a message.
    pub offered: String,
}

impl Branch {
    /// Longest name accepted, in bytes.
    pub const MAX_LEN: usize = 200;

    /// What the names of task branches begin with.
    pub const PREFIX: &str = "paddock-";

    /// Takes `text` as a branch name, by the rules of `git check-ref-format --branch`.
    ///
    /// # Errors
    /// [`InvalidBranch`] when git would refuse it.
    pub fn parse(text: &str) -> Result<Self, InvalidBranch> {
        if is_valid(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidBranch {
            offered: text.chars().take(80).collect(),
        })
    }

    /// The `n`th task branch.
    #[must_use]
    pub fn of_task(n: u64) -> Self {
        Self(format!("{}{n}", Self::PREFIX))
    }

    /// Which task branch it is, or lies under.
    #[must_use]
    pub fn task_number(name: &str) -> Option<u64> {
        let digits = name.strip_prefix(Self::PREFIX)?.split('/').next()?;
        let plain = digits.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten()
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The full name of its ref.
    #[must_use]
    pub fn full(&self) -> String {
        format!("refs/heads/{}", self.0)
    }
}

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_valid(name: &str) -> bool {
    let forbidden = |c: char| c.is_ascii_control() || " ~^:?*[\\".contains(c);
    let component =
        |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    name.len() <= Branch::MAX_LEN
        && name != "HEAD"
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !name.contains("..")
        && !name.contains("@{")
        && name != "@"
        && !name.contains(forbidden)
        && name.split('/').all(component)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_be_options_or_revisions_are_refused() {
        for bad in [
            "", "-d", "a..b", "a b", "a~1", "a^", "x:y", "a//b", "/a", "a/", ".a", "a/.b",
            "a.lock", "a.", "@", "a@{1}", "a\\b", "a\nb", "HEAD", "a[b",
        ] {
            assert!(Branch::parse(bad).is_err(), "{bad:?}");
        }
        for good in ["main", "feature/ünïcode", "paddock-0", "a.b", "x-"] {
            assert!(Branch::parse(good).is_ok(), "{good:?}");
        }
    }

    #[test]
    fn task_branches_are_told_from_look_alikes() {
        assert_eq!(Branch::task_number("paddock-7"), Some(7));
        assert_eq!(Branch::task_number("paddock-7/sub"), Some(7));
        for other in [
            "paddock-",
            "paddock-x",
            "paddock-+1",
            "paddock",
            "mypaddock-1",
        ] {
            assert_eq!(Branch::task_number(other), None, "{other}");
        }
    }
}
