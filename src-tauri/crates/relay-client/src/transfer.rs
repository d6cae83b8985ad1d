//! Moving tar archives into the box and out of it.

use bytes::Bytes;
use paddock_relay_protocol::{
    FrameFault, FrameKind, FrameReader, MuxStream, Refusal, Uploaded, limits, read_reply,
    write_frame,
};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::RelayError;

pub(crate) async fn upload(
    stream: &mut MuxStream,
    from: impl AsyncRead + Unpin,
) -> Result<Uploaded, RelayError> {
    let sent = send(stream, from).await;
    if let Err(local @ RelayError::Local { .. }) = sent {
        return Err(local);
    }
    // A refusal may come before all is sent; it says more than the broken stream.
    Ok(read_reply(stream).await?)
}

async fn send(stream: &mut MuxStream, mut from: impl AsyncRead + Unpin) -> Result<(), RelayError> {
    let mut chunk = vec![0; limits::CHUNK_LEN];
    loop {
        let read = from.read(&mut chunk).await;
        let len = read.map_err(|source| RelayError::Local {
            what: "the archive to upload",
            source,
        })?;
        if len == 0 {
            return Ok(write_frame(stream, FrameKind::Eof, &[]).await?);
        }
        write_frame(stream, FrameKind::Stdin, &chunk[..len]).await?;
    }
}

/// A tar archive as it comes out of the box. What is in it is the agent's: do not trust its paths.
#[derive(Debug)]
pub struct DownloadStream {
    frames: FrameReader<MuxStream>,
}

impl DownloadStream {
    pub(crate) fn new(stream: MuxStream) -> Self {
        Self {
            frames: FrameReader::new(stream),
        }
    }

    /// The next bytes; nothing when the archive is whole. Cancel safe.
    ///
    /// # Errors
    /// `io` when a file cannot be read, [`RelayError::NotConnected`] when the archive is cut short.
    pub async fn next(&mut self) -> Result<Option<Bytes>, RelayError> {
        let (kind, payload) = self.frames.next().await?;
        match kind {
            FrameKind::Stdout => Ok(Some(payload)),
            FrameKind::Eof => Ok(None),
            FrameKind::Error => {
                let refusal: Refusal =
                    serde_json::from_slice(&payload).map_err(RelayError::protocol)?;
                Err(refusal.into())
            }
            kind @ (FrameKind::Stdin
            | FrameKind::Stderr
            | FrameKind::Exit
            | FrameKind::Resize
            | FrameKind::Signal
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Diff
            | FrameKind::Unread) => Err(RelayError::protocol(FrameFault::OutOfPlace { kind })),
        }
    }
}
