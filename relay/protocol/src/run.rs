//! What a relay says about its runs.

use serde::{Deserialize, Serialize};

use crate::{ClientId, Exit, RunId};

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Its agent runs.
    Running,
    /// A stop was asked for and is under way.
    Stopping,
    /// Its exit record is written.
    Ended,
}

/// One run, as the relay sees it now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunInfo {
    /// Its id.
    pub run: RunId,
    /// Where it stands.
    pub state: RunState,
    /// The program that it runs, by name.
    #[serde(default)]
    pub program: String,
    /// The agent's process id in the box, while it lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Who owns its input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<ClientId>,
    /// Length of its log in bytes: whole records only.
    pub log_len: u64,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
    /// Bytes of a half-written record that were cut from its log when the relay was started again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torn: Option<u64>,
    /// What keeps it from going on just now, such as a full disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}
