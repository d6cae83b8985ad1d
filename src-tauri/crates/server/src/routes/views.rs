//! What the orchestrator knows, as the API shows it.

use paddock_api::{Check, ErrorCode, HarnessView, KeyView, RepositoryInfo};

use super::{Answer, secrets};
use crate::failure::Failure;

pub(super) fn repository(found: paddock_orchestrator::RepositoryInfo) -> RepositoryInfo {
    RepositoryInfo {
        path: found.path,
        branch: found.branch,
        default_branch: found.default_branch,
        remotes: found.remotes,
        dirty: found.dirty,
        shallow: found.shallow,
        notices: found.notices,
        branches: found.branches,
    }
}

/// The abilities of a harness are static data that writes itself in the API's own words; a server test
/// holds every harness against them.
pub(super) fn harness(view: paddock_orchestrator::HarnessView) -> Answer<HarnessView> {
    let keys = view.keys.into_iter().map(|key| KeyView {
        variable: key.variable,
        source: secrets::source(key.source),
        used: key.used,
    });
    let abilities = serde_json::to_value(&view.abilities).and_then(serde_json::from_value);
    Ok(HarnessView {
        abilities: abilities.map_err(|error| {
            tracing::error!(%error, harness = %view.name, "its abilities cannot be shown");
            Failure::new(
                ErrorCode::Internal,
                format!("the abilities of {} cannot be shown", view.name),
            )
        })?,
        name: view.name,
        versions: view.versions,
        installed: view.installed,
        provider_set: view.provider_set,
        keys: keys.collect(),
    })
}

pub(super) fn check(check: paddock_orchestrator::Check) -> Check {
    Check {
        name: check.name.to_owned(),
        ok: check.ok,
        detail: check.detail,
        remedy: check.remedy,
    }
}
