//! The vault: which one there is, and the names of what it keeps. Values go in and never come back.

use std::fmt;

use paddock_domain::HarnessName;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The vault and the names of what it keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SecretList {
    /// Which vault there is.
    pub vault: VaultView,
    /// What it keeps, by name.
    pub items: Vec<SecretView>,
}

/// Which vault there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VaultView {
    /// What it is; absent when it cannot be opened now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<VaultKind>,
    /// Why it is this one, or why it cannot be opened.
    pub why: String,
}

/// What a vault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VaultKind {
    /// The operating system's keychain.
    Keychain,
    /// A file encrypted with a passphrase that the user gives.
    Passphrase,
    /// A file encrypted with a key that lies beside it: as safe as the files of this user are.
    KeyFile,
    /// Memory; gone with the process.
    Memory,
}

/// A secret without its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SecretView {
    /// Its name: a variable such as `ANTHROPIC_API_KEY`, or `provider.<harness>.<VARIABLE>` for one
    /// harness alone.
    pub name: String,
    /// Harnesses that are given it.
    pub used_by: Vec<HarnessName>,
}

/// Keeps a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretRequest {
    /// Its value, 1 to 16,384 bytes.
    pub value: String,
}

/// The value is never shown.
impl fmt::Debug for SecretRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretRequest").finish_non_exhaustive()
    }
}

/// Where a key of a harness comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// The vault.
    Vault,
    /// The settings.
    Settings,
    /// The environment of `paddock serve`.
    Environment,
}

/// A variable that is set for a harness, without its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeyView {
    /// The variable.
    pub variable: String,
    /// Where its value comes from.
    pub source: KeySource,
    /// Whether the agent gets it; otherwise something that goes before it is set elsewhere.
    pub used: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_does_not_show_its_value() {
        let request = SecretRequest {
            value: "hunter2".to_owned(),
        };
        assert!(!format!("{request:?}").contains("hunter2"));
    }
}
