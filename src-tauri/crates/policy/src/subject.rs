//! Whether a subject can be one.

use paddock_domain::{RuleSubject, RuleVerdict};

use crate::pattern::Pattern;

/// A subject covers nothing, or would cover more than it says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` cannot be a rule: {reason}")]
pub struct InvalidSubject {
    /// What was offered, cut.
    pub text: String,
    /// What is wrong with it and what would do.
    pub reason: &'static str,
}

/// Holds the subject of a rule with this verdict against what it must be.
///
/// # Errors
/// [`InvalidSubject`] with what to write in its place.
pub fn check(subject: &RuleSubject, verdict: RuleVerdict) -> Result<(), InvalidSubject> {
    let text = subject.text();
    let wrong = if text.len() > RuleSubject::TEXT_MAX {
        Some("it is too long")
    } else {
        match subject {
            RuleSubject::Command { command } => Pattern::parse(command, verdict).err(),
            RuleSubject::Edit { paths } | RuleSubject::Read { paths } => wrong_path(paths),
            RuleSubject::Web { domain } => wrong_domain(domain),
            RuleSubject::Tool { tool } => wrong_name(tool),
        }
    };
    match wrong {
        None => Ok(()),
        Some(reason) => Err(InvalidSubject {
            text: text.chars().take(120).collect(),
            reason,
        }),
    }
}

fn wrong_path(path: &str) -> Option<&'static str> {
    let parts = || path.split('/');
    if path.is_empty() {
        Some("it is empty; `**` is every file")
    } else if path.starts_with('/') || path.starts_with('~') {
        Some("paths begin at the repository's top, such as src/**")
    } else if parts().any(|part| part.is_empty() || part == "." || part == "..") {
        Some("write the path without empty parts, `.` and `..`")
    } else if parts().any(|part| part.contains("**") && part != "**") {
        Some("`**` stands alone between two slashes")
    } else if path.chars().any(char::is_control) {
        Some("it has characters that cannot be used")
    } else {
        None
    }
}

fn wrong_domain(domain: &str) -> Option<&'static str> {
    let name = domain.strip_prefix("*.").unwrap_or(domain);
    let label = |label: &str| {
        !label.is_empty()
            && label
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    if name.split('.').all(label) {
        None
    } else {
        Some("write the host name in small letters, such as docs.rs or *.docs.rs")
    }
}

fn wrong_name(name: &str) -> Option<&'static str> {
    if name.is_empty() || name.chars().all(|c| c == '*') {
        Some("name the tool, such as mcp__github__*")
    } else if name.chars().any(char::is_control) {
        Some("it has characters that cannot be used")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(paths: &str) -> bool {
        let paths = paths.to_owned();
        check(&RuleSubject::Edit { paths }, RuleVerdict::Allow).is_ok()
    }

    #[test]
    fn paths_stay_below_the_repository() {
        for good in ["**", "src/**", "src/*.rs", "a/b.txt", "*.md"] {
            assert!(edit(good), "{good}");
        }
        for bad in [
            "", "/etc/**", "../x", "a/../b", "a//b", "~/x", "a/**b", "./a",
        ] {
            assert!(!edit(bad), "{bad}");
        }
    }

    #[test]
    fn domains_and_tools_are_named() {
        let web = |domain: &str| {
            check(
                &RuleSubject::Web {
                    domain: domain.to_owned(),
                },
                RuleVerdict::Allow,
            )
            .is_ok()
        };
        assert!(web("docs.rs") && web("*.docs.rs"));
        for bad in ["", "*", "*.", "https://docs.rs", "Docs.rs", "a b"] {
            assert!(!web(bad), "{bad}");
        }
        let tool = |tool: &str| {
            check(
                &RuleSubject::Tool {
                    tool: tool.to_owned(),
                },
                RuleVerdict::Allow,
            )
            .is_ok()
        };
        assert!(tool("mcp__github__*") && !tool("*") && !tool(""));
    }
}
