//! Why a command could not be run, or its output not be had.

use crate::Exit;

/// A command failed, or could not be run at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecError {
    /// The program is not there.
    #[error("`{program}` was not found: install it, or put it on the PATH")]
    NotFound {
        /// The program that was asked for.
        program: String,
    },
    /// It could not be started.
    #[error("`{program}` could not be started: {source}")]
    NotStarted {
        /// The program that was asked for.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// It ended with something other than 0.
    #[error("`{program}` ended with {exit:?}: {stderr}")]
    Failed {
        /// The program that ran.
        program: String,
        /// How it ended.
        exit: Exit,
        /// The end of its standard error.
        stderr: String,
    },
    /// It wrote more than was allowed.
    #[error("`{program}` wrote more than {limit} bytes; it was stopped")]
    TooMuchOutput {
        /// The program that ran.
        program: String,
        /// The limit, in bytes.
        limit: usize,
    },
    /// It did not end in time.
    #[error("`{program}` did not end within {limit_ms} ms; it was stopped")]
    TimedOut {
        /// The program that ran.
        program: String,
        /// The limit, in milliseconds.
        limit_ms: u64,
    },
    /// Its streams, or the way to its place, broke.
    #[error("the connection to `{program}` was lost: {source}")]
    Lost {
        /// The program that ran.
        program: String,
        /// What broke.
        source: std::io::Error,
    },
    /// A file or directory could not be moved.
    #[error("`{path}` could not be transferred: {source}")]
    Transfer {
        /// The path in the place.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
}
