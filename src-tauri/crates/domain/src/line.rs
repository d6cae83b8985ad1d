//! The line of tasks that wait for a place on their host.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineEnd {
    /// Who stands there is served next.
    Front,
    /// Who stands there is served last.
    Back,
}
