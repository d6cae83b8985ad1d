//! Our end of a pseudo-terminal.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::sync::Arc;

use paddock_relay_protocol::PtySize;
use pty_process::blocking as pty;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::termios::{Winsize, tcsetwinsize};
use tokio::net::unix::pipe::{Receiver, Sender};

use crate::process::Children;
use crate::process::children::Started;

/// The side of a terminal that shows what programs write and types what they read.
#[derive(Debug)]
pub(crate) struct Terminal {
    fd: OwnedFd,
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
            terminal = Some(Arc::new(ours));
            Ok(child)
        })?;
        Ok((started, terminal.ok_or(io::ErrorKind::Other)?))
    }

    fn start(command: Command, size: PtySize) -> io::Result<(Self, Child)> {
        let (ours, theirs) = pty::open().map_err(into_io)?;
        ours.resize(pty_process::Size::new(size.rows, size.cols))
            .map_err(into_io)?;
        let child = pty::Command::from(command).spawn(theirs).map_err(into_io)?;
        let fd = OwnedFd::from(ours);
        fcntl_setfl(&fd, fcntl_getfl(&fd)? | OFlags::NONBLOCK)?;
        Ok((Self { fd }, child))
    }

    /// Gives it another size.
    pub(crate) fn resize(&self, size: PtySize) -> io::Result<()> {
        let size = Winsize {
            ws_row: size.rows,
            ws_col: size.cols,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        Ok(tcsetwinsize(&self.fd, size)?)
    }

    /// What it shows. Reading fails when no program has it open any more.
    pub(crate) fn output(&self) -> io::Result<Receiver> {
        Receiver::from_owned_fd_unchecked(self.fd.try_clone()?)
    }

    /// What is typed.
    pub(crate) fn input(&self) -> io::Result<Sender> {
        Sender::from_owned_fd_unchecked(self.fd.try_clone()?)
    }
}

fn into_io(error: pty_process::Error) -> io::Error {
    match error {
        pty_process::Error::Io(error) => error,
        pty_process::Error::Rustix(error) => error.into(),
    }
}
