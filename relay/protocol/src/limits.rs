//! Every limit of the protocol, by name.
//!
//! Both ends enforce them on what they receive, so a peer that ignores one gets a typed error.

use std::time::Duration;

/// Longest greeting, in bytes of JSON.
pub const GREETING_LEN: usize = 4 * 1024;

/// How long either end waits for the other's greeting.
pub const GREETING_TIME: Duration = Duration::from_secs(10);

/// Longest header that opens or answers a stream, in bytes of JSON.
pub const HEADER_LEN: usize = 1024 * 1024;

/// How long either end waits for the header of a stream that was opened.
pub const HEADER_TIME: Duration = Duration::from_secs(30);

/// How often either end asks whether the other is there.
pub const PULSE_EVERY: Duration = Duration::from_secs(5);

/// Within this time either end notices that the other has fallen silent.
pub const SILENCE: Duration = Duration::from_secs(15);

/// Longest payload of one frame, in bytes.
pub const FRAME_LEN: usize = 256 * 1024;

/// Payload size in which bulk bytes are cut into frames.
pub const CHUNK_LEN: usize = 64 * 1024;

/// Most streams that one side has open on one connection.
pub const STREAMS: usize = 256;

/// Bytes that may wait unread on all streams of one connection beyond the 256 KiB each stream has.
pub const WINDOW_EXTRA: usize = 64 * 1024 * 1024;

/// Longest line of agent output that is kept whole, in bytes; the rest of a longer one is dropped
/// and its record says how much.
pub const LINE_LEN: usize = 64 * 1024 * 1024;

/// Longest record in a log, in bytes with its newline: a line at its limit with every byte escaped
/// to two, and room for the fields around it.
pub const RECORD_LEN: usize = 2 * LINE_LEN + 4 * 1024;

/// Longest input message, in bytes.
pub const INPUT_LEN: usize = 16 * 1024 * 1024;

/// Most input ids that a run remembers; more than any client has in flight.
pub const INPUTS_REMEMBERED: usize = 1024;

/// Most last lines of stderr kept in an exit record.
pub const STDERR_LINES: usize = 20;

/// Longest such line, in bytes.
pub const STDERR_LINE_LEN: usize = 1024;

/// Most runs that one list names, newest first.
pub const RUNS_LISTED: usize = 1000;

/// Most processes that one list names.
pub const PROCESSES_LISTED: usize = 4096;

/// Most files that the diff statistics of one repository name.
pub const DIFF_FILES: usize = 1000;

/// Most terminals that a relay holds.
pub const TERMINALS: usize = 8;

/// Bytes that each keeps of what it showed.
pub const TERMINAL_KEPT: usize = 512 * 1024;

/// Most rows and most columns of a terminal.
pub const TERMINAL_SIDE: u16 = 1000;

/// Longest note of a client on a terminal, in bytes.
pub const TERMINAL_NOTE_LEN: usize = 256;
