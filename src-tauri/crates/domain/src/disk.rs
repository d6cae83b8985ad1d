//! The disk that holds the journals, and whether there is room on it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The disk that holds the data directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Disk {
    /// How it stands.
    pub state: DiskState,
    /// Bytes that can still be written; absent where it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_bytes: Option<u64>,
    /// Below this many free bytes no new work is taken; 0 when there is no such mark.
    pub low_water_bytes: u64,
    /// What it means and what to do; absent while there is room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// How a disk stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiskState {
    /// There is room.
    #[default]
    Ok,
    /// There is little: no new work is taken, what runs goes on.
    Low,
    /// A write was refused for want of room: nothing that must be written down is taken.
    Full,
}
