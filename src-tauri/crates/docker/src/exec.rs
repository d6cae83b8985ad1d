//! A program started in a running container, its stdin and stdout as one byte stream.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bollard::container::LogOutput;
use bollard::errors::Error as BollardError;
use bollard::exec::{CreateExecOptions, StartExecOptions, StartExecResults};
use bytes::{Buf, Bytes};
use futures_util::Stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::Engine;
use crate::error::{About, EngineError};

/// What a program reads and writes. Dropping it closes its stdin.
///
/// Its stderr is no part of the stream: when the program ends without having written anything, the
/// end of its stderr is the error of the first read.
pub struct ExecStream {
    input: Pin<Box<dyn AsyncWrite + Send>>,
    output: Pin<Box<dyn Stream<Item = Result<LogOutput, BollardError>> + Send>>,
    ready: Bytes,
    spoke: bool,
    complaint: Vec<u8>,
}

/// How much of a program's stderr is kept, in bytes.
const COMPLAINT_LEN: usize = 4 * 1024;

/// Largest piece of output that is taken at once, in bytes.
const PIECE_LEN: usize = 64 * 1024;

impl Engine {
    /// Starts `command` in a running container.
    ///
    /// # Errors
    /// [`EngineError::NoSuchContainer`], [`EngineError::Conflict`] when it does not run.
    pub async fn exec(&self, container: &str, command: &[&str]) -> Result<ExecStream, EngineError> {
        let about = About::Container(container);
        let options = CreateExecOptions {
            attach_stdin: Some(true),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            cmd: Some(command.to_vec()),
            ..CreateExecOptions::default()
        };
        let made = self.client.create_exec(container, options).await;
        let made = made.map_err(|e| self.fault(about, e))?;
        let options = StartExecOptions {
            output_capacity: Some(PIECE_LEN),
            ..StartExecOptions::default()
        };
        let started = self.client.start_exec(&made.id, Some(options)).await;
        match started.map_err(|e| self.fault(about, e))? {
            StartExecResults::Attached { output, input } => Ok(ExecStream {
                input,
                output,
                ready: Bytes::new(),
                spoke: false,
                complaint: Vec::new(),
            }),
            StartExecResults::Detached => Err(EngineError::Broken {
                engine: self.name().to_owned(),
                message: "it started the program without its streams".to_owned(),
            }),
        }
    }
}

impl ExecStream {
    /// Takes one piece of output. Gives whether there may be more.
    fn take(&mut self, piece: LogOutput) {
        match piece {
            LogOutput::StdOut { message } | LogOutput::Console { message } => {
                self.spoke |= !message.is_empty();
                self.ready = message;
            }
            LogOutput::StdErr { message } => {
                let room = COMPLAINT_LEN.saturating_sub(self.complaint.len());
                let kept = message.len().min(room);
                self.complaint.extend_from_slice(&message[..kept]);
            }
            LogOutput::StdIn { .. } => {}
        }
    }

    /// The end of the stream: an error when all that the program did was to complain.
    fn end(&self) -> io::Result<()> {
        if self.spoke || self.complaint.is_empty() {
            return Ok(());
        }
        let complaint = String::from_utf8_lossy(&self.complaint);
        Err(io::Error::other(complaint.trim().to_owned()))
    }
}

impl AsyncRead for ExecStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        while self.ready.is_empty() {
            match ready!(self.output.as_mut().poll_next(cx)) {
                Some(Ok(piece)) => self.take(piece),
                Some(Err(error)) => return Poll::Ready(Err(io::Error::other(error))),
                None => return Poll::Ready(self.end()),
            }
        }
        let len = self.ready.len().min(buf.remaining());
        buf.put_slice(&self.ready[..len]);
        self.ready.advance(len);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ExecStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.input.as_mut().poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.input.as_mut().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.input.as_mut().poll_shutdown(cx)
    }
}
