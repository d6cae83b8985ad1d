//! A box as a [`Place`], through its relay.

use std::io;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use paddock_exec::{Command, ExecError, Exit, Place, Process};
use paddock_relay_protocol::{Confine, Ending, Launch, RefusalCode};

use crate::{RelayClient, RelayError};

impl RelayClient {
    /// Starts `command` as [`Place::spawn`] does, held to `confine`.
    ///
    /// # Errors
    /// As [`Place::spawn`].
    pub async fn exec_confined(
        &self,
        command: &Command,
        confine: Option<Confine>,
    ) -> Result<Process, ExecError> {
        let launch = Launch {
            confine,
            program: command.program.clone(),
            args: command.args.clone(),
            env: command.env.clone(),
            cwd: command.cwd.clone(),
            ..Launch::default()
        };
        let program = command.program.clone();
        let remote = self
            .exec(&launch)
            .await
            .map_err(|error| exec_error(&program, error))?;
        Ok(Process {
            stdin: Box::pin(remote.stdin),
            stdout: Box::pin(remote.stdout),
            stderr: Box::pin(remote.stderr),
            exit: Box::pin(async move {
                match remote.exit.await.map(|exit| exit.ending) {
                    Ok(Ending::Exited { code }) => Ok(Exit::Code(code)),
                    Ok(Ending::Signalled { signal }) => Ok(Exit::Signal(signal)),
                    Ok(Ending::NotStarted { message, .. }) => Err(ExecError::NotStarted {
                        program,
                        source: io::Error::other(message),
                    }),
                    Ok(Ending::Lost) => Err(ExecError::Lost {
                        program,
                        source: io::Error::other("the relay died while it ran"),
                    }),
                    Err(error) => Err(exec_error(&program, error)),
                }
            }),
        })
    }
}

#[async_trait]
impl Place for RelayClient {
    async fn spawn(&self, command: &Command) -> Result<Process, ExecError> {
        self.exec_confined(command, None).await
    }

    async fn upload(&self, dir: &str, tar: Bytes) -> Result<(), ExecError> {
        let uploaded = self.upload(dir, &tar[..]).await;
        uploaded.map(drop).map_err(|error| transfer(dir, error))
    }

    async fn download(&self, path: &str, limit: usize) -> Result<Bytes, ExecError> {
        let mut archive = self
            .download(path)
            .await
            .map_err(|error| transfer(path, error))?;
        let mut all = BytesMut::new();
        while let Some(chunk) = archive
            .next()
            .await
            .map_err(|error| transfer(path, error))?
        {
            if all.len() + chunk.len() > limit {
                return Err(ExecError::TooMuchOutput {
                    program: format!("tar of {path}"),
                    limit,
                });
            }
            all.extend_from_slice(&chunk);
        }
        Ok(all.freeze())
    }
}

fn exec_error(program: &str, error: RelayError) -> ExecError {
    let program = program.to_owned();
    match error {
        RelayError::Refused(refusal) if refusal.code == RefusalCode::NotFound => {
            ExecError::NotFound { program }
        }
        RelayError::Refused(refusal) => ExecError::NotStarted {
            program,
            source: io::Error::other(refusal),
        },
        lost @ (RelayError::NotConnected { .. }
        | RelayError::Stalled { .. }
        | RelayError::NoRelay { .. }
        | RelayError::VersionMismatch { .. }
        | RelayError::TooOld { .. }
        | RelayError::Protocol { .. }
        | RelayError::TimedOut { .. }
        | RelayError::Local { .. }) => ExecError::Lost {
            program,
            source: io::Error::other(lost),
        },
    }
}

fn transfer(path: &str, error: RelayError) -> ExecError {
    ExecError::Transfer {
        path: path.to_owned(),
        source: io::Error::other(error),
    }
}
