//! Where an agent's keys and addresses come from, and which of several wins.
//!
//! For each variable that a harness reads: the vault (`provider.<harness>.<VARIABLE>`, then
//! `<VARIABLE>` for every harness that reads it), then the settings, then the environment of
//! `paddock serve`. Where the vault or the settings hold any key of a harness, no other key of it is taken
//! from the environment: one that was left there long ago never wins in silence. A vault that would have
//! had a key and does not open fails the launch. Values are never shown.
//!
//! Start at [`given`].

use std::collections::{BTreeMap, BTreeSet};

use paddock_boxes::Check;
use paddock_domain::HarnessName;
use paddock_harness::{Harness, registry};
use paddock_secrets::{ExposeSecret as _, SecretName, SecretString, VaultError};
use serde::Serialize;

use crate::rooms::Rooms;
use crate::{OrchestratorSettings, vault::Secrets};

/// What a secret's name for one harness begins with.
const PROVIDER: &str = "provider";

/// Where a variable's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// The vault.
    Vault,
    /// The settings.
    Settings,
    /// The environment of `paddock serve`.
    Environment,
}

/// A variable that is set for a harness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyFound {
    /// The variable.
    pub variable: String,
    /// Where its value comes from.
    pub source: KeySource,
    /// Whether the agent gets it; otherwise something that goes before it is set elsewhere.
    pub used: bool,
}

/// What a harness is given.
pub(crate) struct Given {
    used: BTreeMap<String, (KeySource, SecretString)>,
    /// What is set in the environment and not used.
    passed_over: BTreeSet<String>,
}

impl Given {
    /// The values by variable, for the one place that hands them on.
    pub(crate) fn values(&self) -> BTreeMap<String, String> {
        let value = |(name, (_, value)): (&String, &(KeySource, SecretString))| {
            (name.clone(), value.expose_secret().to_owned())
        };
        self.used.iter().map(value).collect()
    }

    /// What was found where, without values.
    pub(crate) fn found(&self) -> Vec<KeyFound> {
        let used = self.used.iter().map(|(variable, (source, _))| KeyFound {
            variable: variable.clone(),
            source: *source,
            used: true,
        });
        let passed_over = self.passed_over.iter().map(|variable| KeyFound {
            variable: variable.clone(),
            source: KeySource::Environment,
            used: false,
        });
        used.chain(passed_over).collect()
    }
}

/// What `harness` is given.
///
/// # Errors
/// [`VaultError`] when the vault has a key for it and does not open.
pub(crate) async fn given(rooms: &Rooms, harness: &dyn Harness) -> Result<Given, VaultError> {
    gather(&rooms.secrets, &rooms.settings, harness).await
}

async fn gather(
    secrets: &Secrets,
    settings: &OrchestratorSettings,
    harness: &dyn Harness,
) -> Result<Given, VaultError> {
    let kept = from_vault(secrets, harness).await?;
    let own = settings.provider.get(harness.name().as_str());
    let mut given = Given {
        used: kept,
        passed_over: BTreeSet::new(),
    };
    for variable in harness.provider_variables().iter().copied() {
        if let Some(value) = own.and_then(|own| own.get(variable)) {
            let value = || (KeySource::Settings, value.clone().into());
            given.used.entry(variable.to_owned()).or_insert_with(value);
        }
    }
    let is_address = |variable: &str| harness.base_url_variable() == Some(variable);
    let decided = given.used.keys().any(|variable| !is_address(variable));
    for variable in harness.provider_variables().iter().copied() {
        let value = settings.environment.get(variable);
        let Some(value) = value.filter(|value| !value.trim().is_empty()) else {
            continue;
        };
        let is_set = given.used.contains_key(variable);
        if is_set || (decided && !is_address(variable)) {
            given.passed_over.insert(variable.to_owned());
        } else {
            let value = (KeySource::Environment, value.clone().into());
            given.used.insert(variable.to_owned(), value);
        }
    }
    Ok(given)
}

async fn from_vault(
    secrets: &Secrets,
    harness: &dyn Harness,
) -> Result<BTreeMap<String, (KeySource, SecretString)>, VaultError> {
    let names = secrets.names().await?;
    let mut kept = BTreeMap::new();
    for variable in harness.provider_variables().iter().copied() {
        let for_all = SecretName::parse(variable).ok();
        let candidates = [own_name(harness.name().as_str(), variable), for_all];
        let mut candidates = candidates.into_iter().flatten();
        let Some(name) = candidates.find(|name| names.contains(name)) else {
            continue;
        };
        if let Some(value) = secrets.get(&name).await? {
            kept.insert(variable.to_owned(), (KeySource::Vault, value));
        }
    }
    Ok(kept)
}

fn own_name(harness: &str, variable: &str) -> Option<SecretName> {
    SecretName::parse(&format!("{PROVIDER}.{harness}.{variable}")).ok()
}

/// Names of the harnesses that read the secret `name`.
#[must_use]
pub fn readers(name: &SecretName) -> Vec<HarnessName> {
    let reads = |harness: &&&'static dyn Harness| {
        harness.provider_variables().iter().any(|variable| {
            name.as_str() == *variable
                || own_name(harness.name().as_str(), variable).as_ref() == Some(name)
        })
    };
    let readers = registry().iter().filter(reads);
    readers.map(|harness| harness.name()).collect()
}

/// What `doctor` says of keys: where each comes from, and what is passed over.
pub(crate) async fn checks(secrets: &Secrets, settings: &OrchestratorSettings) -> Vec<Check> {
    let mut found = Vec::new();
    for harness in registry() {
        match gather(secrets, settings, *harness).await {
            Ok(given) => found.extend(told(&harness.name().to_string(), &given.found())),
            Err(error) => return vec![unopened(&error)],
        }
    }
    let detail = if found.is_empty() {
        "none is set: `paddock secret set ANTHROPIC_API_KEY` stores one".to_owned()
    } else {
        found.join("; ")
    };
    vec![Check {
        name: "keys",
        ok: true,
        detail,
        remedy: None,
    }]
}

fn unopened(error: &VaultError) -> Check {
    Check {
        name: "keys",
        ok: false,
        detail: error.to_string(),
        remedy: Some("agents whose keys are in the vault do not start until it opens".to_owned()),
    }
}

fn told(harness: &str, found: &[KeyFound]) -> Option<String> {
    let said = found.iter().map(|key| {
        let source = match key.source {
            KeySource::Vault => "the vault",
            KeySource::Settings => "the settings",
            KeySource::Environment => "the environment",
        };
        let passed_over = if key.used { "" } else { " is not used" };
        format!("{} from {source}{passed_over}", key.variable)
    });
    let said: Vec<_> = said.collect();
    (!said.is_empty()).then(|| format!("{harness}: {}", said.join(", ")))
}
