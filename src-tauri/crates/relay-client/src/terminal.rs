//! Terminals that the relay holds: open, list, look at, type on, close.
//!
//! Invariant: dropping the halves of an attached terminal ends nothing in the box. What is shown comes in
//! order, and where there is a gap because it was read too slowly, that is told.

use std::time::Duration;

use bytes::Bytes;
use paddock_relay_protocol::{
    Exit, FrameFault, FrameKind, FrameReader, MuxStream, Open, PtySize, Refusal, TERMINALS_SINCE,
    TerminalAttach, TerminalAttached, TerminalClose, TerminalInfo, TerminalOpen, TerminalSkipped,
    Terminals, limits, write_frame,
};
use tokio::io::{ReadHalf, WriteHalf};

use crate::connection::REPLY_TIME;
use crate::{RelayClient, RelayError};

/// What a terminal shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalShown {
    /// Bytes for its screen.
    Bytes(Bytes),
    /// It was read too slowly: what follows is all that is kept, for an empty screen.
    Skipped(TerminalSkipped),
    /// It has this size from here on.
    Resized(PtySize),
    /// Its program has ended; nothing follows.
    Ended(Exit),
}

/// What an attached terminal shows.
#[derive(Debug)]
pub struct TerminalReader {
    frames: FrameReader<ReadHalf<MuxStream>>,
}

/// The keyboard of an attached terminal.
#[derive(Debug)]
pub struct TerminalWriter {
    stream: WriteHalf<MuxStream>,
}

impl RelayClient {
    /// How much longer than the grace a close may take before we call it late.
    const CLOSE_SLACK: Duration = Duration::from_secs(30);

    /// Opens a terminal.
    ///
    /// # Errors
    /// [`RelayError::TooOld`], `terminal_exists`, `busy` when there are too many, `not_found`,
    /// `cannot_execute`; else see [`RelayClient`].
    pub async fn open_terminal(&self, open: &TerminalOpen) -> Result<TerminalInfo, RelayError> {
        self.ensure_terminals()?;
        self.ask(&Open::TerminalOpen(open.clone())).await
    }

    /// All terminals of the relay, oldest first.
    ///
    /// # Errors
    /// [`RelayError::TooOld`]; else see [`RelayClient`].
    pub async fn terminals(&self) -> Result<Vec<TerminalInfo>, RelayError> {
        self.ensure_terminals()?;
        let Terminals { terminals } = self.ask(&Open::Terminals).await?;
        Ok(terminals)
    }

    /// Looks at a terminal from a byte on, and types on it.
    ///
    /// # Errors
    /// [`RelayError::TooOld`], `no_such_terminal`; else see [`RelayClient`].
    pub async fn attach_terminal(
        &self,
        attach: &TerminalAttach,
    ) -> Result<(TerminalAttached, TerminalReader, TerminalWriter), RelayError> {
        self.ensure_terminals()?;
        let open = Open::TerminalAttach(attach.clone());
        let (stream, attached) = self.connection.ask(&open, REPLY_TIME).await?;
        let (read, write) = tokio::io::split(stream);
        let frames = FrameReader::new(read);
        let writer = TerminalWriter { stream: write };
        Ok((attached, TerminalReader { frames }, writer))
    }

    /// Ends a terminal with all its processes; gives its exit.
    ///
    /// # Errors
    /// [`RelayError::TooOld`], `no_such_terminal`; else see [`RelayClient`].
    pub async fn close_terminal(&self, close: &TerminalClose) -> Result<Exit, RelayError> {
        self.ensure_terminals()?;
        let limit = Duration::from_millis(close.grace_ms) + Self::CLOSE_SLACK;
        let open = Open::TerminalClose(close.clone());
        let (_, exit) = self.connection.ask(&open, limit).await?;
        Ok(exit)
    }

    /// Whether the relay is new enough to hold terminals.
    #[must_use]
    pub fn has_terminals(&self) -> bool {
        self.peer().version >= TERMINALS_SINCE
    }

    fn ensure_terminals(&self) -> Result<(), RelayError> {
        if self.has_terminals() {
            return Ok(());
        }
        Err(RelayError::TooOld {
            what: "terminals",
            build: self.peer().peer.build.clone(),
        })
    }
}

impl TerminalReader {
    /// What comes next. Cancel safe.
    ///
    /// # Errors
    /// [`RelayError::NotConnected`]: attach again.
    pub async fn next(&mut self) -> Result<TerminalShown, RelayError> {
        let (kind, payload) = self.frames.next().await?;
        match kind {
            FrameKind::Stdout => Ok(TerminalShown::Bytes(payload)),
            FrameKind::Resize => parse(&payload).map(TerminalShown::Resized),
            FrameKind::Exit => parse(&payload).map(TerminalShown::Ended),
            FrameKind::Unread => parse(&payload).map(TerminalShown::Skipped),
            FrameKind::Error => Err(parse::<Refusal>(&payload)?.into()),
            kind @ (FrameKind::Stdin
            | FrameKind::Stderr
            | FrameKind::Eof
            | FrameKind::Signal
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Diff) => Err(RelayError::protocol(FrameFault::OutOfPlace { kind })),
        }
    }
}

impl TerminalWriter {
    /// Types; waits while the program does not read and too much is under way.
    ///
    /// # Errors
    /// [`RelayError::NotConnected`].
    pub async fn type_in(&mut self, bytes: &[u8]) -> Result<(), RelayError> {
        for chunk in bytes.chunks(limits::CHUNK_LEN) {
            write_frame(&mut self.stream, FrameKind::Stdin, chunk).await?;
        }
        Ok(())
    }

    /// Gives the terminal another size.
    ///
    /// # Errors
    /// [`RelayError::NotConnected`].
    pub async fn resize(&mut self, size: PtySize) -> Result<(), RelayError> {
        let size = serde_json::to_vec(&size).map_err(RelayError::protocol)?;
        Ok(write_frame(&mut self.stream, FrameKind::Resize, &size).await?)
    }
}

fn parse<T: serde::de::DeserializeOwned>(payload: &[u8]) -> Result<T, RelayError> {
    serde_json::from_slice(payload).map_err(RelayError::protocol)
}
