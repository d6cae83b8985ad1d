//! Terminals on the wire: the list, and the messages of the one WebSocket through which a client looks at
//! all terminals that it shows.
//!
//! A text message is JSON, [`TerminalSay`] from a client and [`TerminalTell`] from the server. A binary
//! message is one byte, the channel, and then bytes: keys from a client, output from the server. A channel
//! is a number that the client chose when it opened it.

use paddock_domain::{RunExit, TaskId, Terminal, TerminalName, TerminalSize};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ErrorDetail;

/// The terminals of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TerminalList {
    /// Oldest first.
    pub items: Vec<Terminal>,
    /// Whether the harness has a program of its own for people, so that `what: agent` can be opened.
    pub agent: bool,
    /// Where the work tree lies on the server's machine, for a box that is a worktree: what an editor can
    /// open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// A terminal was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TerminalClosed {
    /// How its program ended.
    pub exit: RunExit,
}

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum TerminalSay {
    /// Look at a terminal through a channel that is free.
    Open {
        /// The channel.
        channel: u8,
        /// The task.
        task: TaskId,
        /// The terminal.
        terminal: TerminalName,
    },
    /// The terminal is to have this size.
    Resize {
        /// The channel.
        channel: u8,
        /// The size.
        size: TerminalSize,
    },
    /// So many bytes of output have been dealt with since the last time this was said. At most
    /// [`TerminalTell::WINDOW`] are sent ahead.
    Ack {
        /// The channel.
        channel: u8,
        /// How many bytes.
        bytes: u32,
    },
    /// Look no more. The terminal goes on.
    Close {
        /// The channel.
        channel: u8,
    },
}

/// What the server tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TerminalTell {
    /// The channel is open.
    Opened {
        /// The channel.
        channel: u8,
        /// The terminal as it is.
        terminal: Terminal,
    },
    /// Forget what was shown: the next `bytes` bytes of output make an empty terminal of this size show what
    /// it shows now.
    Screen {
        /// The channel.
        channel: u8,
        /// Its size.
        size: TerminalSize,
        /// How many bytes.
        bytes: u32,
    },
    /// The terminal has this size from here on.
    Resized {
        /// The channel.
        channel: u8,
        /// The size.
        size: TerminalSize,
    },
    /// The box cannot be reached; it is tried again. A `screen` says that it can.
    Reconnecting {
        /// The channel.
        channel: u8,
    },
    /// The program has ended; the channel is closed.
    Exit {
        /// The channel.
        channel: u8,
        /// How it ended.
        exit: RunExit,
    },
    /// What was asked cannot be done, or the terminal cannot be looked at any more. The channel is closed,
    /// unless the code is `overloaded`: then what was typed last was dropped because the program does not
    /// read.
    Error {
        /// The channel.
        channel: u8,
        /// Why.
        error: ErrorDetail,
    },
}

impl TerminalSay {
    /// Longest message that a client may send, in bytes.
    pub const MAX: usize = 64 << 10;
    /// Most channels of one socket.
    pub const CHANNELS: usize = 16;
}

impl TerminalTell {
    /// Bytes of output that are sent on a channel before the client has acknowledged them.
    pub const WINDOW: u32 = 512 << 10;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_keeps_its_shape() {
        let size = TerminalSize { rows: 24, cols: 80 };
        let open = TerminalSay::Open {
            channel: 1,
            task: TaskId::parse("t1").unwrap(),
            terminal: TerminalName::parse("shell-1").unwrap(),
        };
        for (said, json) in [
            (
                open,
                r#"{"type":"open","channel":1,"task":"t1","terminal":"shell-1"}"#,
            ),
            (
                TerminalSay::Resize { channel: 1, size },
                r#"{"type":"resize","channel":1,"size":{"rows":24,"cols":80}}"#,
            ),
            (
                TerminalSay::Ack {
                    channel: 1,
                    bytes: 9,
                },
                r#"{"type":"ack","channel":1,"bytes":9}"#,
            ),
            (
                TerminalSay::Close { channel: 1 },
                r#"{"type":"close","channel":1}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&said).unwrap(), json);
            assert_eq!(serde_json::from_str::<TerminalSay>(json).unwrap(), said);
        }
        let exit = TerminalTell::Exit {
            channel: 2,
            exit: RunExit::Code { code: 7 },
        };
        let json = r#"{"type":"exit","channel":2,"exit":{"how":"code","code":7}}"#;
        assert_eq!(serde_json::to_string(&exit).unwrap(), json);
    }

    #[test]
    fn a_message_with_more_than_is_known_is_refused() {
        let json = r#"{"type":"close","channel":1,"also":true}"#;
        assert!(serde_json::from_str::<TerminalSay>(json).is_err());
        assert!(serde_json::from_str::<TerminalSay>(r#"{"type":"open","channel":300}"#).is_err());
    }
}
