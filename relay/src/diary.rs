//! What the relay says of itself, on its standard error.
//!
//! Invariant: a diary that cannot be written ends nothing. It stands on the same disk as the runs' logs, so
//! it is full when they are; `eprintln!` would panic then, and take the agents with it.

use std::fmt::Arguments;
use std::io::Write as _;

/// Writes a line into the diary, where that is possible.
pub(crate) fn write(line: Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "paddock-relay: {line}");
}
