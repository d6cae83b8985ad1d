//! Telling a task where its repository is now.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Tells a task that its repository was moved on its host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RelinkRequest {
    /// The path by which the task knows it; the only one that is missing, or the only one, when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Absolute path where it is now.
    pub path: String,
}
