//! This machine as a place.

use std::io::{Error, ErrorKind};
use std::process::Stdio;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::process::Child;

use crate::{Command, ExecError, Exit, Limits, Place, Process};

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
        Ok(Process {
            stdin: Box::pin(stdin),
            stdout: Box::pin(stdout),
            stderr: Box::pin(stderr),
            exit: Box::pin(async move {
                let status = child.wait().await;
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
    child.kill_on_drop(true).spawn()
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
    use std::time::Duration;

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
