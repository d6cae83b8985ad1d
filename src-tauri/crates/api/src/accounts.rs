//! Accounts: what clients ask and are told. Values go in and never come back.

use std::collections::BTreeMap;
use std::fmt;

use paddock_domain::{Account, AccountName, HarnessName, TaskId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Makes an account, or gives one new values.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountRequest {
    /// The harness that it is for.
    pub harness: HarnessName,
    /// Its name.
    pub name: AccountName,
    /// Its values by variable, such as `ANTHROPIC_API_KEY`.
    pub values: BTreeMap<String, String>,
    /// Where the agent calls; as without an account when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Whether tasks use it that name none; the first account of a harness is used so anyway.
    #[serde(default)]
    pub is_default: bool,
}

/// The values are never shown.
impl fmt::Debug for AccountRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountRequest")
            .field("harness", &self.harness)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// An account, and who works with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AccountView {
    /// The account.
    #[serde(flatten)]
    pub account: Account,
    /// Tasks that work with it and are not over.
    pub in_use_by: Vec<TaskId>,
}

/// How an account is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AccountRemoval {
    /// Also when tasks work with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub force: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_does_not_show_its_values() {
        let json = r#"{"harness":"claude","name":"work","values":{"ANTHROPIC_API_KEY":"hunter2"}}"#;
        let request: AccountRequest = serde_json::from_str(json).unwrap();
        assert!(!format!("{request:?}").contains("hunter2"));
    }
}
