//! A command that runs, and what is left when it has ended.

use std::pin::Pin;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::ExecError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl Exit {
    /// Whether it returned 0.
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }
}

/// All that a finished command said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended.
    pub exit: Exit,
    /// Its standard output, at most the limit that was given.
    pub stdout: Bytes,
    /// The end of its standard error, at most [`Output::STDERR_KEPT`] bytes.
    pub stderr: Bytes,
}

impl Output {
    /// How much of the end of standard error is kept, in bytes.
    pub const STDERR_KEPT: usize = 64 * 1024;

    /// Standard output as text, with what is not UTF-8 replaced.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text, trimmed, with what is not UTF-8 replaced.
    #[must_use]
    pub fn error_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).trim().to_owned()
    }
}

/// A command that runs, its output readable while it does.
///
/// Dropping it closes the streams and ends the command: where it is a process of this machine it is asked to, so
/// that it can tidy up, and killed only when it does not.
pub struct Process {
    /// Bytes written here reach its standard input; dropping closes it.
    pub stdin: Pin<Box<dyn AsyncWrite + Send>>,
    /// Its standard output.
    pub stdout: Pin<Box<dyn AsyncRead + Send>>,
    /// Its standard error.
    pub stderr: Pin<Box<dyn AsyncRead + Send>>,
    /// Resolves when it has ended.
    pub exit: Pin<Box<dyn Future<Output = Result<Exit, ExecError>> + Send>>,
}
