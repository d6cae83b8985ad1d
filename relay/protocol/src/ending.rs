//! How a run or a command ended.

use serde::{Deserialize, Serialize};

/// The ending of a process, and why it came to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Ending {
    /// It returned this code.
    Exited {
        /// The code.
        code: i32,
    },
    /// This signal ended it.
    Signalled {
        /// The signal's number.
        signal: i32,
    },
    /// It never ran.
    NotStarted {
        /// What happened and what to do.
        message: String,
        /// The system's error number, where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        errno: Option<i32>,
    },
    /// The relay itself died while it ran; nobody saw its end.
    Lost,
}

/// The last word on a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// How the agent's own process ended.
    #[serde(flatten)]
    pub ending: Ending,
    /// Whether a client had asked for the stop.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// Processes of the run that outlived the agent and were ended by the relay.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub strays: u32,
    /// The last lines of its stderr, oldest first; bounded by
    /// [`STDERR_LINES`](crate::limits::STDERR_LINES).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

impl Exit {
    /// An exit that nobody asked for, with nothing else to say.
    #[must_use]
    pub fn plain(ending: Ending) -> Self {
        Self {
            ending,
            stopped: false,
            strays: 0,
            stderr: Vec::new(),
        }
    }
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}
