//! The harnesses there are.

use std::sync::{PoisonError, RwLock};

use crate::acp::Acp;
use crate::acp::profile::{COPILOT, GEMINI, KIMI, OPENCODE, QWEN};
use crate::claude::Claude;
use crate::codex::Codex;
use crate::pi::Pi;
use crate::scripted::Scripted;
use crate::{AcpAgent, BadAcpAgent, Harness};

/// Those that a configuration added. Set when a process starts; what was there is never freed, so that
/// whoever holds a harness may keep it.
static ADDED: RwLock<&'static [&'static dyn Harness]> = RwLock::new(&[]);

/// Every harness, in the order in which users see them.
#[must_use]
pub fn registry() -> &'static [&'static dyn Harness] {
    let all = *ADDED.read().unwrap_or_else(PoisonError::into_inner);
    match all {
        [] => built_in(),
        all => all,
    }
}

/// Adds agents that a configuration describes, in place of those that were added before.
///
/// # Errors
/// [`BadAcpAgent`] for the first that is not whole, or has the name of another harness. None is added then.
pub fn add_acp_agents(agents: &[AcpAgent]) -> Result<(), BadAcpAgent> {
    let mut all: Vec<&'static dyn Harness> = built_in().to_vec();
    for agent in agents {
        agent.check()?;
        if all.iter().any(|known| known.name().as_str() == agent.name) {
            return Err(BadAcpAgent {
                name: agent.name.clone(),
                reason: "there is a harness of this name: choose another",
            });
        }
        all.push(Box::leak(Box::new(Acp::new(agent.profile()))));
    }
    *ADDED.write().unwrap_or_else(PoisonError::into_inner) = match agents {
        [] => &[],
        _ => Vec::leak(all),
    };
    Ok(())
}

/// Those that come with Paddock.
fn built_in() -> &'static [&'static dyn Harness] {
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

    #[test]
    fn an_agent_of_the_configuration_is_a_harness_and_no_other_gives_way_to_it() {
        let agent = |name: &str| AcpAgent {
            name: name.to_owned(),
            program: "/opt/agent".to_owned(),
            ..AcpAgent::default()
        };
        let taken = add_acp_agents(&[agent("goose"), agent("claude")]).unwrap_err();
        assert!(taken.to_string().contains("`claude`"), "{taken}");
        assert!(find("goose").is_none());
        add_acp_agents(&[agent("goose")]).unwrap();
        let goose = find("goose").unwrap();
        assert_eq!(goose.local_program(), Some("/opt/agent"));
        assert!(goose.launch(&request()).is_ok(), "it needs no key");
        add_acp_agents(&[]).unwrap();
        assert!(find("goose").is_none());
    }

    fn request() -> crate::LaunchRequest<'static> {
        static NONE: std::collections::BTreeMap<String, String> = std::collections::BTreeMap::new();
        crate::LaunchRequest {
            home: "/home",
            work_dir: "/work",
            session_id: "s",
            provider: &NONE,
            model: None,
            effort: None,
            permission_mode: paddock_domain::PermissionMode::FullAuto,
            resume: None,
            fork: false,
        }
    }
}
