//! Accounts: logins and keys for a harness, by name. Their values stand in the vault and nowhere else.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountName, HarnessName, Timestamp};

/// One login or key for a harness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// The harness that it is for.
    pub harness: HarnessName,
    /// Its name among the accounts of that harness.
    pub name: AccountName,
    /// The variables that it gives the agent; their values are in the vault.
    pub variables: Vec<String>,
    /// Where the agent calls; as without an account when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Whether tasks use it that name none.
    #[serde(default)]
    pub is_default: bool,
    /// When it was made.
    pub made_at: Timestamp,
}
