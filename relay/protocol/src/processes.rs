//! What a relay says about the processes in its box.

use serde::{Deserialize, Serialize};

use crate::RunId;

/// One process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessInfo {
    /// Its id in the box.
    pub pid: u32,
    /// Its parent's id.
    pub ppid: u32,
    /// Its command line, cut to 256 bytes; its short name in brackets when it has none.
    pub command: String,
    /// The kernel's letter for its state: `R`, `S`, `D`, `Z`, `T`, …
    pub state: char,
    /// Resident memory, in bytes.
    pub resident: u64,
    /// Processor time used so far, in milliseconds.
    pub cpu_ms: u64,
    /// When it started, in the kernel's clock ticks: with its id it names one process and no later one.
    /// 0 of older relays.
    #[serde(default)]
    pub start: u64,
    /// How long it runs, in milliseconds; 0 of older relays.
    #[serde(default)]
    pub age_ms: u64,
    /// Whether it is the relay itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub relay: bool,
    /// The run that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
}

/// The answer to [`Open::Processes`](crate::Open::Processes).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Processes {
    /// In a container all of it; of a host only the relay and what descends from it.
    pub processes: Vec<ProcessInfo>,
    /// Whether there were more than [`PROCESSES_LISTED`](crate::limits::PROCESSES_LISTED).
    #[serde(default)]
    pub more: bool,
}
