//! Which git there is, and which is needed.

use std::fmt;

use paddock_exec::Place;

use crate::GitError;
use crate::git::{Git, LOOK, must};

/// A version of git.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// 2 in 2.39.5.
    pub major: u32,
    /// 39 in 2.39.5.
    pub minor: u32,
}

impl Version {
    /// The oldest that will do, on the host and in a box: Debian 12's.
    pub const NEEDED: Self = Self {
        major: 2,
        minor: 39,
    };

    /// Reads what `git version` prints.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.trim().strip_prefix("git version ")?.split(['.', ' ']);
        Some(Self {
            major: numbers.next()?.parse().ok()?,
            minor: numbers.next()?.parse().ok()?,
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The git in `place`, when it is new enough.
///
/// # Errors
/// [`GitError::Missing`] or [`GitError::TooOld`].
pub async fn version(place: &dyn Place) -> Result<Version, GitError> {
    let output = must(place, &Git::nowhere().command(["version"]), LOOK).await?;
    let text = output.text();
    let found = Version::parse(&text).ok_or_else(|| GitError::unreadable("version", text))?;
    if found < Version::NEEDED {
        return Err(GitError::TooOld { found });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_every_distributor_are_read_and_compared() {
        for (text, major, minor) in [
            ("git version 2.39.5\n", 2, 39),
            ("git version 2.39.5 (Apple Git-154)", 2, 39),
            ("git version 2.47.1.windows.2", 2, 47),
            ("git version 3.0.0-rc1", 3, 0),
        ] {
            assert_eq!(Version::parse(text), Some(Version { major, minor }));
        }
        assert_eq!(Version::parse("hg 1.2"), None);
        assert!(
            Version {
                major: 2,
                minor: 38
            } < Version::NEEDED
        );
        assert!(Version { major: 3, minor: 0 } > Version::NEEDED);
    }
}
