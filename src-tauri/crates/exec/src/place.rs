//! The seam between "what to run" and "where".

use std::time::Duration;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

use crate::{Command, ExecError, Output, Process};

/// Somewhere commands can run and files can be put.
#[async_trait]
pub trait Place: Send + Sync {
    /// Starts `command`, giving its streams. `command.stdin` is not written: that is [`Place::run`]'s.
    ///
    /// # Errors
    /// [`ExecError::NotFound`] or [`ExecError::NotStarted`] when it cannot be started,
    /// [`ExecError::Lost`] when the place cannot be reached.
    async fn spawn(&self, command: &Command) -> Result<Process, ExecError>;

    /// Unpacks the tar archive `tar` into the existing directory `dir`.
    ///
    /// # Errors
    /// [`ExecError::Transfer`] when it cannot be written.
    async fn upload(&self, dir: &str, tar: Bytes) -> Result<(), ExecError>;

    /// Packs the file or directory `path` as a tar archive of at most `limit` bytes.
    ///
    /// # Errors
    /// [`ExecError::Transfer`] when it cannot be read, [`ExecError::TooMuchOutput`] over the limit.
    async fn download(&self, path: &str, limit: usize) -> Result<Bytes, ExecError>;

    /// Runs `command` to its end and gives all it said.
    ///
    /// # Errors
    /// As [`Place::spawn`], and [`ExecError::TooMuchOutput`] or [`ExecError::TimedOut`] over a limit.
    /// A command that ends with another code than 0 is not an error here.
    async fn run(&self, command: &Command, limits: Limits) -> Result<Output, ExecError> {
        let process = self.spawn(command).await?;
        let all = collect(process, command, limits.stdout);
        match tokio::time::timeout(limits.time, all).await {
            Ok(output) => output,
            Err(_) => Err(ExecError::TimedOut {
                program: command.program.clone(),
                limit_ms: u64::try_from(limits.time.as_millis()).unwrap_or(u64::MAX),
            }),
        }
    }

    /// Runs `command` and takes any other end than code 0 for an error.
    ///
    /// # Errors
    /// As [`Place::run`], and [`ExecError::Failed`].
    async fn check(&self, command: &Command, limits: Limits) -> Result<Output, ExecError> {
        let output = self.run(command, limits).await?;
        if output.exit.is_success() {
            return Ok(output);
        }
        Err(ExecError::Failed {
            program: command.program.clone(),
            exit: output.exit,
            stderr: output.error_text(),
        })
    }
}

/// How much a command may write and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of standard output.
    pub stdout: usize,
    /// Longest time from start to end.
    pub time: Duration,
}

impl Default for Limits {
    /// 64 MiB and two minutes: enough for plumbing, too little for a runaway.
    fn default() -> Self {
        Self {
            stdout: 64 << 20,
            time: Duration::from_secs(120),
        }
    }
}

async fn collect(process: Process, command: &Command, limit: usize) -> Result<Output, ExecError> {
    let Process {
        mut stdin,
        stdout,
        stderr,
        exit,
    } = process;
    let feed = async {
        // A command that does not read its input closes the pipe: its exit says what went wrong.
        let _ = stdin.write_all(&command.stdin).await;
        let _ = stdin.shutdown().await;
        drop(stdin);
    };
    let lost = |source| ExecError::Lost {
        program: command.program.clone(),
        source,
    };
    let (out, err, ()) = tokio::join!(read_up_to(stdout, limit), read_tail(stderr), feed);
    let Some(stdout) = out.map_err(lost)? else {
        return Err(ExecError::TooMuchOutput {
            program: command.program.clone(),
            limit,
        });
    };
    Ok(Output {
        exit: exit.await?,
        stdout,
        stderr: err.map_err(lost)?,
    })
}

/// All of `from`, or nothing when it is longer than `limit`.
async fn read_up_to(
    mut from: impl AsyncRead + Unpin,
    limit: usize,
) -> std::io::Result<Option<Bytes>> {
    let mut all = BytesMut::new();
    loop {
        all.reserve(16 * 1024);
        if from.read_buf(&mut all).await? == 0 {
            return Ok(Some(all.freeze()));
        }
        if all.len() > limit {
            return Ok(None);
        }
    }
}

/// The last [`Output::STDERR_KEPT`] bytes of `from`.
async fn read_tail(mut from: impl AsyncRead + Unpin) -> std::io::Result<Bytes> {
    let mut tail = BytesMut::new();
    loop {
        tail.reserve(16 * 1024);
        if from.read_buf(&mut tail).await? == 0 {
            return Ok(tail.freeze());
        }
        if let Some(over) = tail.len().checked_sub(Output::STDERR_KEPT) {
            let _ = tail.split_to(over);
        }
    }
}
