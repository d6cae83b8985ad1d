//! Runs a short command to its end and keeps what it printed.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use paddock_relay_protocol::Launch;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::timeout;

use super::children::{Started, WaitStatus};
use super::{Children, Tree};
use crate::launch::{self, Marker, NotStarted};

/// Most bytes of stderr that are kept.
const STDERR_LEN: u64 = 4 * 1024;

/// A command with pipes.
pub(crate) struct Piped {
    pub(crate) started: Started,
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
}

/// Starts `command` with three pipes, in a process group of its own.
pub(crate) fn start_piped(mut command: Command, children: &Children) -> io::Result<Piped> {
    command.process_group(0);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (mut child, started) = children.start(|| command.spawn())?;
    let (Some(stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(io::Error::other("its pipes are missing"));
    };
    Ok(Piped {
        started,
        stdin: ChildStdin::from_std(stdin)?,
        stdout: ChildStdout::from_std(stdout)?,
        stderr: ChildStderr::from_std(stderr)?,
    })
}

/// What a command printed, and how it ended.
pub(crate) struct Captured {
    pub(crate) status: WaitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Runs `launch` for at most `time`; what it prints over `limit` bytes is an error, as is everything
/// else that keeps it from ending by itself.
pub(crate) async fn capture(
    launch: &Launch,
    marker: &Marker,
    children: &Children,
    limit: usize,
    time: Duration,
) -> Result<Captured, String> {
    let command = launch::command(launch, marker).map_err(|why| why.message)?;
    let piped = start_piped(command, children);
    let Piped {
        mut started,
        stdin,
        stdout,
        stderr,
    } = piped.map_err(|error| NotStarted::from_io(&launch.program, &error).message)?;
    drop(stdin);
    let tree = Tree::new(started.pid, marker.clone(), children.clone());
    let mut kill = KillOnDrop::new(tree);
    let all = async {
        let (stdout, stderr) =
            tokio::join!(read(stdout, limit as u64 + 1), read(stderr, STDERR_LEN));
        Captured {
            status: started.ended().await,
            stdout,
            stderr,
        }
    };
    let captured = timeout(time, all).await.map_err(|_| {
        format!(
            "`{}` did not end within {} s",
            launch.program,
            time.as_secs()
        )
    })?;
    if captured.stdout.len() > limit {
        return Err(format!(
            "`{}` printed more than {limit} bytes",
            launch.program
        ));
    }
    kill.disarm();
    Ok(captured)
}

/// Reads up to `limit` bytes, and closes the pipe.
async fn read(pipe: impl AsyncRead + Unpin, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before an error is all there is.
    let _ = pipe.take(limit).read_to_end(&mut bytes).await;
    bytes
}

/// Kills a tree when it is given up, which may be by dropping the task that attends to it.
pub(crate) struct KillOnDrop(Option<Tree>);

impl KillOnDrop {
    pub(crate) fn new(tree: Tree) -> Self {
        Self(Some(tree))
    }

    /// Lets it be.
    pub(crate) fn disarm(&mut self) {
        self.0 = None;
    }
}

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        if let (Some(tree), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { tree.kill().await });
        }
    }
}
