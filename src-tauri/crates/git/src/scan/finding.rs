//! Something that should not leave unseen.

use sha2::{Digest, Sha256};

use super::patch::Patch;
use crate::Oid;

/// A secret or a large binary on a line that a push would add. It never holds the secret itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Tells it from every other; the same for the same secret in the same file, wherever it moves.
    pub id: String,
    /// What kind it is, such as `github-token`, `large-binary` or `unscanned`.
    pub rule: &'static str,
    /// The file.
    pub path: String,
    /// The line in it, from 1; 0 for a file as a whole.
    pub line: u64,
    /// The commit that adds it; nothing for changes without a commit.
    pub commit: Option<Oid>,
    /// Enough to recognise it and too little to use it.
    pub excerpt: String,
}

/// How many characters of a secret are shown.
const SHOWN: usize = 4;

impl Finding {
    pub(super) fn secret(file: &Patch<'_>, line: u64, rule: &'static str, secret: &[u8]) -> Self {
        let text = String::from_utf8_lossy(secret);
        let length = text.chars().count();
        let start: String = text.chars().take(SHOWN.min(length / 4)).collect();
        Self {
            id: id(rule, &file.path, secret),
            rule,
            path: file.path.clone(),
            line,
            commit: file.commit.clone(),
            excerpt: format!("{start}… ({length} characters)"),
        }
    }

    pub(super) fn large(file: &Patch<'_>, size: u64) -> Self {
        let blob = file.blob.as_ref().map(Oid::as_str).unwrap_or_default();
        Self {
            id: id("large-binary", &file.path, blob.as_bytes()),
            rule: "large-binary",
            path: file.path.clone(),
            line: 0,
            commit: file.commit.clone(),
            excerpt: format!("binary file of {size} bytes"),
        }
    }

    pub(super) fn unscanned(limit: usize) -> Self {
        Self {
            id: id("unscanned", "", b""),
            rule: "unscanned",
            path: String::new(),
            line: 0,
            commit: None,
            excerpt: format!("the changes are more than {limit} bytes and were not scanned"),
        }
    }
}

/// Those of `findings` that nobody has let pass. `allowed` names ids or rules.
pub fn blocking<'a>(findings: &'a [Finding], allowed: &[String]) -> Vec<&'a Finding> {
    let passes = |finding: &&Finding| {
        let named = |name: &String| *name == finding.id || name == finding.rule;
        !allowed.iter().any(named)
    };
    findings.iter().filter(passes).collect()
}

fn id(rule: &str, path: &str, what: &[u8]) -> String {
    let mut hash = Sha256::new();
    for part in [rule.as_bytes(), path.as_bytes(), what] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let digest = hash.finalize();
    digest
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
