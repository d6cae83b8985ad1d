//! Where agent programs keep their sessions.

/// The files of one session, below a home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFiles {
    /// The directory they are in, relative to the home.
    pub dir: &'static str,
    /// What the path of each of them holds; of characters that no pattern gives a meaning.
    pub part: String,
}

impl SessionFiles {
    /// The files below `dir` that `session` names; nothing when it is no name for a file.
    pub(crate) fn named(dir: &'static str, session: &str) -> Option<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let fits = (8..=128).contains(&session.len()) && session.chars().all(plain);
        fits.then(|| Self {
            dir,
            part: session.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_named_like_a_pattern_or_a_path_has_no_files() {
        for bad in ["", "short", "*********", "../../../etc", "a b c d e f"] {
            assert_eq!(SessionFiles::named("d", bad), None, "{bad}");
        }
        let uuid = "0b8e2a52-7c1f-4a63-9a0e-1b2c3d4e5f60";
        assert!(SessionFiles::named("d", uuid).is_some());
    }
}
