//! Diff statistics as they change.

use paddock_relay_protocol::{DiffUpdate, FrameFault, FrameKind, FrameReader, MuxStream, Refusal};

use crate::RelayError;

/// Updates of what a [`DiffRequest`](paddock_relay_protocol::DiffRequest) asked for.
#[derive(Debug)]
pub struct DiffStream {
    frames: FrameReader<MuxStream>,
}

impl DiffStream {
    pub(crate) fn new(stream: MuxStream) -> Self {
        Self {
            frames: FrameReader::new(stream),
        }
    }

    /// The next update: at once the first time, then whenever the statistics have changed; nothing
    /// after the only one of a request that does not follow. Cancel safe.
    ///
    /// # Errors
    /// [`RelayError::NotConnected`].
    pub async fn next(&mut self) -> Result<Option<DiffUpdate>, RelayError> {
        let (kind, payload) = self.frames.next().await?;
        match kind {
            FrameKind::Diff => serde_json::from_slice(&payload).map_err(RelayError::protocol),
            FrameKind::Eof => Ok(None),
            FrameKind::Error => {
                let refusal: Refusal =
                    serde_json::from_slice(&payload).map_err(RelayError::protocol)?;
                Err(refusal.into())
            }
            kind @ (FrameKind::Stdin
            | FrameKind::Stdout
            | FrameKind::Stderr
            | FrameKind::Exit
            | FrameKind::Resize
            | FrameKind::Signal
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Unread) => Err(RelayError::protocol(FrameFault::OutOfPlace { kind })),
        }
    }
}
