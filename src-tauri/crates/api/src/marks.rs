//! How a user keeps a task in their lists: put aside, archived.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Puts aside what a task calls for, or takes it up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AsideRequest {
    /// Whether it is put aside.
    pub aside: bool,
    /// The last event that the user knows of; what was called for after it is not put aside. The last that there
    /// is when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to_seq: Option<u64>,
    /// The task was only looked at: what an agent waits for is not put aside by that, and nothing is refused.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub seen: bool,
}

impl Default for AsideRequest {
    fn default() -> Self {
        Self {
            aside: true,
            up_to_seq: None,
            seen: false,
        }
    }
}

/// Puts a task into the archive, or takes it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ArchiveRequest {
    /// Whether it is to be in the archive.
    pub archived: bool,
}

impl Default for ArchiveRequest {
    fn default() -> Self {
        Self { archived: true }
    }
}
