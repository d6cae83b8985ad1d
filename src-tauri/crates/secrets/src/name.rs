//! Names of secrets.

use std::fmt;

/// The name of a secret, such as `provider.claude.ANTHROPIC_API_KEY`. It is no secret itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretName(String);

/// What was offered is no name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this is not a name of a secret: use 1 to {max} characters of a-z, A-Z, 0-9, `.`, `-`, `_` and `/`"
)]
pub struct InvalidName {
    /// Longest name, in bytes.
    pub max: usize,
}

impl SecretName {
    /// Longest name, in bytes.
    pub const MAX_LEN: usize = 200;

    /// Takes `text` as a name.
    ///
    /// # Errors
    /// [`InvalidName`]. It does not show what came: that may be the secret, in the wrong place.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/');
        let fits = (1..=Self::MAX_LEN).contains(&text.len()) && text.chars().all(allowed);
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidName { max: Self::MAX_LEN })
        }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_name_is_refused_and_not_shown() {
        for bad in ["", "a b", "a\n", "*names*", "sk-key=1", &"x".repeat(201)] {
            let refused = SecretName::parse(bad).unwrap_err();
            assert!(bad.is_empty() || !refused.to_string().contains(bad));
        }
        assert_eq!(
            SecretName::parse("provider.claude.KEY_1").unwrap().as_str(),
            "provider.claude.KEY_1"
        );
    }
}
