//! Names of images.

use std::fmt;

/// What an image is called: `debian`, `debian:12`, `ghcr.io/owner/name:tag`, `name@sha256:…`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImageReference(String);

/// The text is no image's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{offered}` is not an image's name: write NAME, NAME:TAG or REGISTRY/NAME:TAG, in small letters"
)]
pub struct BadReference {
    /// What was offered, cut to a length that fits a message.
    pub offered: String,
}

impl ImageReference {
    /// Longest name accepted, in bytes.
    pub const MAX_LEN: usize = 300;

    /// Takes `text` as an image's name.
    ///
    /// # Errors
    /// [`BadReference`] when it has characters that no such name has.
    pub fn parse(text: &str) -> Result<Self, BadReference> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "._-/:@+".contains(c);
        let fits = (1..=Self::MAX_LEN).contains(&text.len());
        let whole = |part: &str| !part.is_empty() && !part.starts_with(['.', '-', ':', '@']);
        if fits && text.chars().all(allowed) && text.split('/').all(whole) && !text.ends_with(':') {
            return Ok(Self(text.to_owned()));
        }
        let offered = text.chars().take(80).collect();
        Err(BadReference { offered })
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it can only have been made on this machine, so that no registry is asked for it: an
    /// id, a name under `localhost/`, or one of Paddock's own (`paddock…` without a registry).
    #[must_use]
    pub fn is_local(&self) -> bool {
        let first = self.0.split(['/', ':', '@']).next().unwrap_or_default();
        let own = first.starts_with("paddock") && !first.contains('.');
        self.0.starts_with("sha256:") || self.0.starts_with("localhost/") || own
    }

    /// The name and the tag (or digest) apart; `latest` when it has neither.
    pub(crate) fn split(&self) -> (&str, &str) {
        if let Some((name, digest)) = self.0.split_once('@') {
            return (name, digest);
        }
        match self.0.rsplit_once(':') {
            Some((name, tag)) if !tag.contains('/') => (name, tag),
            _ => (&self.0, "latest"),
        }
    }
}

impl fmt::Display for ImageReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(text: &str) -> ImageReference {
        ImageReference::parse(text).unwrap()
    }

    #[test]
    fn the_tag_is_told_from_a_registrys_port() {
        let split = |text: &str| {
            let reference = reference(text);
            let (name, tag) = reference.split();
            format!("{name} {tag}")
        };
        assert_eq!(split("debian"), "debian latest");
        assert_eq!(split("debian:12"), "debian 12");
        assert_eq!(split("host:5000/a/b"), "host:5000/a/b latest");
        assert_eq!(split("host:5000/a:x"), "host:5000/a x");
        assert_eq!(split("a@sha256:00"), "a sha256:00");
    }

    #[test]
    fn local_images_are_never_looked_for_elsewhere() {
        for local in ["paddock-test:tiny", "localhost/x", "sha256:abc", "paddock"] {
            assert!(reference(local).is_local(), "{local}");
        }
        for distant in [
            "debian:12",
            "ghcr.io/paddock/x",
            "paddock.dev/x",
            "localhost:5000/x",
        ] {
            assert!(!reference(distant).is_local(), "{distant}");
        }
    }

    #[test]
    fn what_could_be_a_path_or_a_query_is_refused() {
        for bad in [
            "", "a b", "../x", "/a", "a//b", "a?b", "a#b", "-a", "ä", "a:", "a%2e",
        ] {
            assert!(ImageReference::parse(bad).is_err(), "{bad}");
        }
    }
}
