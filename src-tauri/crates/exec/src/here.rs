//! This machine as a place.

use std::io::{Error, ErrorKind};
use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::process::Child;

use crate::{Command, ExecError, Exit, Limits, Place, Process};

/// How long a command that nobody waits for any more may take to tidy up: git removes its locks.
const GRACE: Duration = Duration::from_secs(2);

/// The machine that Paddock runs on, as the user who runs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Here;

#[async_trait]
impl Place for Here {
    async fn spawn(&self, command: &Command) -> Result<Process, ExecError> {
        let mut child = start(command).map_err(|source| refusal(command, source))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(refusal(command, Error::other("its streams are missing")));
        };
        let program = command.program.clone();
        let mut running = Running(Some(child));
        Ok(Process {
            stdin: Box::pin(stdin),
            stdout: Box::pin(stdout),
            stderr: Box::pin(stderr),
            exit: Box::pin(async move {
                let status = running.ended().await;
                status
                    .map(exit_of)
                    .map_err(|source| ExecError::Lost { program, source })
            }),
        })
    }

    async fn upload(&self, dir: &str, tar: Bytes) -> Result<(), ExecError> {
        let unpack = Command::new("tar")
            .args(["-x", "-f", "-", "-C", dir])
            .stdin(tar);
        self.check(&unpack, Limits::default())
            .await
            .map(drop)
            .map_err(|e| transfer(dir, &e))
    }

    async fn download(&self, path: &str, limit: usize) -> Result<Bytes, ExecError> {
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        let parent = if parent.is_empty() { "/" } else { parent };
        let pack = Command::new("tar").args(["-c", "-f", "-", "-C", parent, "--", name]);
        let limits = Limits {
            stdout: limit,
            ..Limits::default()
        };
        match self.check(&pack, limits).await {
            Ok(output) => Ok(output.stdout),
            Err(too_much @ ExecError::TooMuchOutput { .. }) => Err(too_much),
            Err(other) => Err(transfer(path, &other)),
        }
    }
}

fn start(command: &Command) -> std::io::Result<Child> {
    let mut child = tokio::process::Command::new(&command.program);
    child.args(&command.args).envs(&command.env);
    if let Some(dir) = &command.cwd {
        child.current_dir(dir);
    }
    child
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    child.spawn()
}

/// A process that is ended when nobody waits for it any more.
struct Running(Option<Child>);

impl Running {
    async fn ended(&mut self) -> std::io::Result<std::process::ExitStatus> {
        let child = self.0.as_mut();
        child.ok_or(ErrorKind::NotFound)?.wait().await
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(mut child) = self.0.take() else {
            return;
        };
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        ask_to_end(&mut child);
        // Without a runtime Paddock itself ends: what was asked to end does so alone.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if tokio::time::timeout(GRACE, child.wait()).await.is_err() {
                    // One that is gone by now needs no end.
                    let _ = child.kill().await;
                }
            });
        }
    }
}

#[cfg(unix)]
fn ask_to_end(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};

    // It was not waited for, so its number is still its own.
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok());
    if let Some(pid) = pid.and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(child: &mut Child) {
    let _ = child.start_kill();
}

fn refusal(command: &Command, source: Error) -> ExecError {
    let program = command.program.clone();
    let cwd_is_there = command
        .cwd
        .as_ref()
        .is_none_or(|dir| std::path::Path::new(dir).is_dir());
    if source.kind() == ErrorKind::NotFound && cwd_is_there {
        return ExecError::NotFound { program };
    }
    ExecError::NotStarted { program, source }
}

fn transfer(path: &str, cause: &ExecError) -> ExecError {
    ExecError::Transfer {
        path: path.to_owned(),
        source: Error::other(cause.to_string()),
    }
}

#[cfg(unix)]
fn exit_of(status: std::process::ExitStatus) -> Exit {
    use std::os::unix::process::ExitStatusExt;
    match status.code() {
        Some(code) => Exit::Code(code),
        None => Exit::Signal(status.signal().unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn exit_of(status: std::process::ExitStatus) -> Exit {
    Exit::Code(status.code().unwrap_or(-1))
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt as _, BufReader};

    use super::*;

    fn sh(script: &str) -> Command {
        Command::new("sh").args(["-c", script])
    }

    #[tokio::test]
    async fn output_errors_and_exit_code_are_told_apart() {
        let output = Here
            .run(&sh("echo a; echo b >&2; exit 3"), Limits::default())
            .await
            .unwrap();
        assert_eq!(
            (output.text().as_str(), output.error_text().as_str()),
            ("a\n", "b")
        );
        assert_eq!(output.exit, Exit::Code(3));
    }

    #[tokio::test]
    async fn standard_input_arrives_whole_and_is_closed() {
        let big = "x".repeat(1 << 20);
        let output = Here
            .run(&sh("wc -c").stdin(big), Limits::default())
            .await
            .unwrap();
        assert_eq!(output.text().trim(), (1 << 20).to_string());
    }

    #[tokio::test]
    async fn a_missing_program_is_named() {
        let error = Here
            .run(&Command::new("no-such-program"), Limits::default())
            .await;
        assert!(
            matches!(error, Err(ExecError::NotFound { program }) if program == "no-such-program")
        );
    }

    #[tokio::test]
    async fn a_missing_directory_is_not_taken_for_a_missing_program() {
        let error = Here
            .run(&sh("true").cwd("/no/such/dir"), Limits::default())
            .await;
        assert!(matches!(error, Err(ExecError::NotStarted { .. })));
    }

    #[tokio::test]
    async fn a_runaway_is_stopped_at_its_limits() {
        let few = Limits {
            stdout: 1000,
            time: Duration::from_secs(60),
        };
        let error = Here.run(&sh("yes"), few).await;
        assert!(matches!(
            error,
            Err(ExecError::TooMuchOutput { limit: 1000, .. })
        ));
        let short = Limits {
            stdout: 1000,
            time: Duration::from_millis(50),
        };
        let error = Here.run(&sh("exec sleep 60"), short).await;
        assert!(matches!(
            error,
            Err(ExecError::TimedOut { limit_ms: 50, .. })
        ));
    }

    /// A process that runs `script`, and the first line it says.
    async fn speaking(script: &str) -> (Process, String) {
        let mut process = Here.spawn(&sh(script)).await.unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(&mut process.stdout);
        out.read_line(&mut line).await.unwrap();
        (process, line.trim().to_owned())
    }

    #[tokio::test]
    async fn who_is_let_go_of_can_tidy_up() {
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join("lock");
        let held = lock.display();
        let tidy =
            format!(": > {held}; trap 'rm {held}; exit' TERM; echo held; while :; do :; done");
        let (process, _) = speaking(&tidy).await;
        assert!(lock.exists());
        drop(process);
        while lock.exists() {
            tokio::task::yield_now().await;
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn who_is_let_go_of_and_does_not_end_is_killed() {
        let (process, pid) = speaking("trap '' TERM; echo $$; while :; do :; done").await;
        let seen = std::path::PathBuf::from(format!("/proc/{pid}"));
        assert!(seen.exists());
        tokio::time::pause();
        drop(process);
        while seen.exists() {
            tokio::time::advance(GRACE).await;
        }
    }

    #[tokio::test]
    async fn files_travel_as_tar_and_keep_their_names() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(from.path().join("a b.txt"), "hello").unwrap();
        let path = format!("{}/a b.txt", from.path().display());
        let tar = Here.download(&path, 1 << 20).await.unwrap();
        Here.upload(&to.path().display().to_string(), tar)
            .await
            .unwrap();
        assert_eq!(
            std::fs::read_to_string(to.path().join("a b.txt")).unwrap(),
            "hello"
        );
    }
}
