//! Changes of how an agent works, and of what it does at a limit.

use paddock_domain::{AccountName, PermissionMode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Changes how an agent works from now on; what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TuneRequest {
    /// Another model, in the harness's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Another effort, in the harness's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// Another permission mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<PermissionMode>,
    /// Another account of the harness, from the next run on; refused while an agent runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountName>,
}

/// Has an agent shorten its context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CompactRequest {
    /// What is to be kept in mind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// Whether a task that a usage limit holds up goes on by itself when the limit is lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitRequest {
    /// Whether it does.
    pub resume: bool,
}
