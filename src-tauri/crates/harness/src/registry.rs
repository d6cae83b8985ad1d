//! The harnesses there are.

use crate::Harness;
use crate::acp::Acp;
use crate::acp::profile::{COPILOT, GEMINI, KIMI, OPENCODE, QWEN};
use crate::claude::Claude;
use crate::codex::Codex;
use crate::pi::Pi;
use crate::scripted::Scripted;

/// Every harness, in the order in which users see them.
#[must_use]
pub fn registry() -> &'static [&'static dyn Harness] {
    static ACP: [Acp; 5] = [
        Acp::new(&OPENCODE),
        Acp::new(&GEMINI),
        Acp::new(&QWEN),
        Acp::new(&KIMI),
        Acp::new(&COPILOT),
    ];
    static ALL: [&dyn Harness; 9] = [
        &Claude, &Codex, &ACP[0], &ACP[1], &ACP[2], &ACP[3], &ACP[4], &Pi, &Scripted,
    ];
    &ALL
}

/// The harness of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Harness> {
    registry()
        .iter()
        .copied()
        .find(|harness| harness.name().as_str() == name)
}

/// A name that is known to be one.
pub(crate) fn name(text: &'static str) -> paddock_domain::HarnessName {
    // `HarnessName` offers no infallible way in; a test proves that every registered name parses.
    match paddock_domain::HarnessName::parse(text) {
        Ok(name) => name,
        Err(_) => unreachable!("`{text}` is not a harness name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_harness_is_found_by_its_name_and_has_a_version() {
        for harness in registry() {
            let name = harness.name();
            let found = find(name.as_str()).unwrap();
            assert_eq!(found.name(), name);
            assert!(!found.versions().is_empty());
        }
        assert!(find("nobody").is_none());
    }
}
