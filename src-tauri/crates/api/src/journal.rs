//! Looking after journals: what clients ask.

use paddock_domain::Expired;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Mends a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RepairRequest {
    /// Only say what would be done.
    pub dry_run: bool,
}

/// Chooses what is looked for beside what is kept too long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RetentionRequest {
    /// Large outputs that no journal refers to; journals are read for them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unreferenced: bool,
}

/// What is kept too long, or was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExpiredList {
    /// One entry a task and kind, oldest first.
    pub items: Vec<Expired>,
    /// Bytes that they take on the disk.
    pub bytes: u64,
}

impl From<Vec<Expired>> for ExpiredList {
    fn from(items: Vec<Expired>) -> Self {
        let bytes = items.iter().map(|expired| expired.bytes).sum();
        Self { items, bytes }
    }
}
