//! Our end of a pseudo-terminal.

use std::io;
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::process::{Child, Command};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use paddock_relay_protocol::PtySize;
use pty_process::blocking as pty;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::termios::{Winsize, tcsetwinsize};
use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::process::Children;
use crate::process::children::Started;

/// The side of a terminal that shows what programs write and types what they read.
#[derive(Debug)]
pub(crate) struct Terminal {
    fd: AsyncFd<OwnedFd>,
}

impl Terminal {
    /// Starts `command` on a new terminal: as the leader of a session, with all three streams on it.
    pub(crate) fn attach(
        command: Command,
        size: PtySize,
        children: &Children,
    ) -> io::Result<(Started, Arc<Self>)> {
        let mut terminal = None;
        let (_, started) = children.start(|| {
            let (ours, child) = Self::start(command, size)?;
            terminal = Some(ours);
            Ok(child)
        })?;
        Ok((started, terminal.ok_or(io::ErrorKind::Other)?))
    }

    fn start(command: Command, size: PtySize) -> io::Result<(Arc<Self>, Child)> {
        let (ours, theirs) = pty::open().map_err(io::Error::other)?;
        ours.resize(pty_process::Size::new(size.rows, size.cols))
            .map_err(io::Error::other)?;
        let child = pty::Command::from(command).spawn(theirs).map_err(into_io)?;
        let fd = OwnedFd::from(ours);
        fcntl_setfl(&fd, fcntl_getfl(&fd)? | OFlags::NONBLOCK)?;
        Ok((
            Arc::new(Self {
                fd: AsyncFd::register(fd)?,
            }),
            child,
        ))
    }

    /// Gives it another size.
    pub(crate) fn resize(&self, size: PtySize) -> io::Result<()> {
        let size = Winsize {
            ws_row: size.rows,
            ws_col: size.cols,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        Ok(tcsetwinsize(self.fd.get_ref(), size)?)
    }
}

fn into_io(error: pty_process::Error) -> io::Error {
    match error {
        pty_process::Error::Io(error) => error,
        pty_process::Error::Rustix(error) => error.into(),
    }
}

/// A handle for reading and writing, as a stream. Clones share the terminal.
#[derive(Clone, Debug)]
pub(crate) struct Screen(pub(crate) Arc<Terminal>);

impl AsyncRead for Screen {
    /// Ends when no program has the terminal open any more.
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut guard = ready!(self.0.fd.poll_read_ready(cx))?;
            match guard.try_io(|fd| Ok(rustix::io::read(fd, out.initialize_unfilled())?)) {
                Ok(Ok(len)) => {
                    out.advance(len);
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(error))
                    if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) =>
                {
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(error)) => return Poll::Ready(Err(error)),
                Err(_not_ready) => {}
            }
        }
    }
}

impl AsyncWrite for Screen {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = ready!(self.0.fd.poll_write_ready(cx))?;
            if let Ok(written) = guard.try_io(|fd| Ok(rustix::io::write(fd, bytes)?)) {
                return Poll::Ready(written);
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
