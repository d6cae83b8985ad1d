//! A shell command that runs while the agent listens on.
//!
//! Its end comes as a message in the agent's queue. Start at [`Running::start`].

use std::io::{self, PipeReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::ears::Heard;
use crate::offspring;

/// Most output that is kept, in bytes.
pub(crate) const MOST_OUTPUT: usize = 64 * 1024;

/// How long to wait for the rest of the output once the command ended: what it left behind may
/// hold the pipe open for ever.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// A command that ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) pid: u32,
    /// Its exit code, or 128 and the number of the signal that ended it.
    pub(crate) exit: i32,
    pub(crate) output: String,
}

/// A command that runs.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) pid: u32,
}

impl Running {
    /// Starts `command` in a shell; `queue` gets a [`Finished`] when it ends.
    pub(crate) fn start(command: &str, queue: SyncSender<Heard>) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        let child = shell()?
            .args(["-c", command])
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .spawn()?;
        let pid = child.id();
        std::thread::spawn(move || {
            let finished = finish(child, reader, pid);
            // When nobody listens any more the agent is about to end.
            let _ = queue.send(Heard::Finished(finished));
        });
        Ok(Self { pid })
    }

    /// Kills the command and what runs in its process group.
    pub(crate) fn kill(&self) {
        let pid = i32::try_from(self.pid).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid
            && kill_process_group(pid, Signal::KILL).is_err()
        {
            // It has no group yet, or has ended.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

fn shell() -> io::Result<Command> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let has_bash = std::env::split_paths(&folders).any(|folder| folder.join("bash").is_file());
    offspring::in_session(if has_bash { "bash" } else { "sh" })
}

fn finish(mut child: Child, reader: PipeReader, pid: u32) -> Finished {
    let (kept, ended) = collect(reader);
    let status = child.wait();
    // Either the output has ended, or enough time has passed.
    let _ = ended.recv_timeout(LAST_WORDS);
    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    Finished {
        pid,
        exit: status.map_or(-1, exit_code),
        output: String::from_utf8_lossy(&kept).into_owned(),
    }
}

fn exit_code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    let signal = status.signal().map(|signal| 128 + signal);
    status.code().or(signal).unwrap_or(-1)
}

/// Reads to the end, keeps the first [`MOST_OUTPUT`] bytes, and says when it is done.
fn collect(mut reader: PipeReader) -> (Arc<Mutex<Vec<u8>>>, Receiver<()>) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let (done, ended) = mpsc::sync_channel(1);
    let into = Arc::clone(&kept);
    std::thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
            let room = MOST_OUTPUT.saturating_sub(kept.len());
            kept.extend_from_slice(&buffer[..count.min(room)]);
        }
        // Nobody waits any more when the time was up.
        let _ = done.send(());
    });
    (kept, ended)
}
