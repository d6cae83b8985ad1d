//! What a box uses: samples taken every few seconds, shown and forgotten, never journalled.
//!
//! A figure that cannot be known is absent, never 0: a worktree box shares the machine's network, and
//! not every kernel counts what goes to disks.
//!
//! Start at [`Statistics`].

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Timestamp;

/// One sample of what a box uses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Statistics {
    /// When it was taken.
    pub sampled_at: Timestamp,
    /// Processor time since the sample before, in percent of one core: 100 is one whole core.
    pub cpu_percent: f64,
    /// The same as a share of all that the box may use, 0 to 1.
    pub cpu_share: f64,
    /// Memory in use, in bytes, without page cache that can be dropped at once.
    pub memory_bytes: u64,
    /// The highest such sample since this server follows the box, in bytes.
    pub memory_peak_bytes: u64,
    /// In a container processes and threads, as its limit counts them; in a worktree box processes.
    pub processes: u64,
    /// What went over its network; absent where that is not its own, or there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Flow>,
    /// What was read from disks (`in`) and written to them (`out`); absent where the kernel does not
    /// count it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_io: Option<Flow>,
    /// What its directory holds; absent until it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<DiskUse>,
}

/// Bytes that went in and out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Flow {
    /// Bytes in since the box started.
    pub in_bytes: u64,
    /// Bytes out since the box started.
    pub out_bytes: u64,
    /// Bytes in per second since the sample before.
    pub in_per_s: f64,
    /// Bytes out per second since the sample before.
    pub out_per_s: f64,
}

/// What the directory of a box holds on disk. An image's own files are not counted, nor what a box
/// writes outside its directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiskUse {
    /// Bytes of disk that its files take.
    pub bytes: u64,
    /// Whether there is more: counting was given up at its limit, or something could not be read.
    pub at_least: bool,
    /// When it was counted.
    pub measured_at: Timestamp,
}

/// What a box may use at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BoxLimits {
    /// Processors.
    pub cpus: f64,
    /// Memory, in bytes.
    pub memory_bytes: u64,
    /// Processes and threads; absent without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u64>,
    /// Whether the box is held to them. A worktree box is not: these are the machine's.
    pub enforced: bool,
}

/// One process in a box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BoxProcess {
    /// Its id in the box.
    pub pid: u32,
    /// Its parent's id.
    pub parent_pid: u32,
    /// When it started, by the kernel's clock: with the id it names one process and no later one.
    pub start: u64,
    /// Its command line, cut, with control characters escaped.
    pub command: String,
    /// The kernel's letter for its state: `R`, `S`, `D`, `Z`, `T`, …
    pub state: char,
    /// Processor time used so far, in milliseconds.
    pub cpu_ms: u64,
    /// The same in percent of one core, over its whole life.
    pub cpu_percent: f64,
    /// Resident memory, in bytes.
    pub memory_bytes: u64,
    /// How long it runs, in milliseconds.
    pub age_ms: u64,
    /// The run that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<crate::RunId>,
    /// Whether it is the relay, which may not be signalled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub relay: bool,
}

/// A signal that a user may send to a process in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessSignal {
    /// Its terminal is gone, or: read the configuration again.
    Hup,
    /// As Ctrl-C.
    Int,
    /// As Ctrl-\.
    Quit,
    /// Ends it at once.
    Kill,
    /// What the program makes of it.
    Usr1,
    /// What the program makes of it.
    Usr2,
    /// Asks it to end.
    Term,
    /// Goes on after a stop.
    Cont,
    /// Stops it until it is continued.
    Stop,
}

impl ProcessSignal {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Hup,
        Self::Int,
        Self::Quit,
        Self::Kill,
        Self::Usr1,
        Self::Usr2,
        Self::Term,
        Self::Cont,
        Self::Stop,
    ];

    /// Its name, as on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hup => "hup",
            Self::Int => "int",
            Self::Quit => "quit",
            Self::Kill => "kill",
            Self::Usr1 => "usr1",
            Self::Usr2 => "usr2",
            Self::Term => "term",
            Self::Cont => "cont",
            Self::Stop => "stop",
        }
    }

    /// Its number on Linux, where every box runs.
    #[must_use]
    pub fn number(self) -> i32 {
        match self {
            Self::Hup => 1,
            Self::Int => 2,
            Self::Quit => 3,
            Self::Kill => 9,
            Self::Usr1 => 10,
            Self::Usr2 => 12,
            Self::Term => 15,
            Self::Cont => 18,
            Self::Stop => 19,
        }
    }
}

impl std::str::FromStr for ProcessSignal {
    type Err = String;
    /// Takes a name as on the wire, also in capitals and with `SIG` before it.
    fn from_str(text: &str) -> Result<Self, String> {
        let plain = text.to_ascii_lowercase();
        let plain = plain.strip_prefix("sig").unwrap_or(&plain);
        let found = Self::ALL
            .into_iter()
            .find(|signal| signal.as_str() == plain);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            format!("there is no such signal here; there are {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_absent() {
        let sample = Statistics {
            sampled_at: Timestamp::from_unix_ms(0),
            cpu_percent: 12.5,
            cpu_share: 0.125,
            memory_bytes: 1,
            memory_peak_bytes: 2,
            processes: 3,
            network: None,
            block_io: None,
            disk: None,
        };
        let json = serde_json::to_string(&sample).unwrap();
        assert!(
            !json.contains("network") && !json.contains("disk"),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<Statistics>(&json).unwrap(), sample);
    }

    #[test]
    fn a_signal_is_read_as_people_write_it_and_no_other_is_taken() {
        for text in ["term", "TERM", "SIGTERM", "sigterm"] {
            assert_eq!(text.parse(), Ok(ProcessSignal::Term));
        }
        for text in ["", "sig", "15", "segv", "term "] {
            assert!(text.parse::<ProcessSignal>().is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_those_of_the_wire() {
        for signal in ProcessSignal::ALL {
            let json = serde_json::to_string(&signal).unwrap();
            assert_eq!(json, format!("\"{}\"", signal.as_str()));
        }
    }
}
