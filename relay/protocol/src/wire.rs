//! Reading and writing headers and frames on a byte stream, each with its limit.

use std::io;

use bytes::{Buf, Bytes, BytesMut};
use serde::{Serialize, de::DeserializeOwned};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::{FrameFault, FrameHeader, FrameKind, Refusal, RefusalCode, Reply, limits};

/// Talking over a stream failed.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The stream broke, or the other side abandoned it.
    #[error("the stream broke: {0}")]
    Io(#[from] io::Error),
    /// The other side sent a frame that breaks the protocol.
    #[error(transparent)]
    Frame(#[from] FrameFault),
    /// A header was over its limit.
    #[error("a header of {len} bytes is over the limit of {limit}")]
    HeaderTooLong {
        /// The length announced.
        len: usize,
        /// The limit.
        limit: usize,
    },
    /// A header or payload was not the JSON that belongs there.
    #[error("the other side sent JSON of the wrong shape: {0}")]
    Json(#[from] serde_json::Error),
    /// The other side refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl WireError {
    /// What to tell the other side about it, if it can still hear.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Io(_) => None,
            Self::Frame(fault) => Some((*fault).into()),
            Self::HeaderTooLong { .. } => {
                Some(Refusal::new(RefusalCode::HeaderTooLong, self.to_string()))
            }
            Self::Json(_) => Some(Refusal::new(RefusalCode::BadHeader, self.to_string())),
            Self::Refused(refusal) => Some(refusal.clone()),
        }
    }
}

/// Writes `value` as a header: four bytes of length (big-endian) and JSON.
///
/// # Errors
/// [`WireError::HeaderTooLong`] over [`limits::HEADER_LEN`], [`WireError::Io`].
pub async fn write_header(
    to: &mut (impl AsyncWrite + Unpin),
    value: &impl Serialize,
) -> Result<(), WireError> {
    let bytes = encode_header(value, limits::HEADER_LEN)?;
    to.write_all(&bytes).await?;
    Ok(to.flush().await?)
}

pub(crate) fn encode_header(value: &impl Serialize, limit: usize) -> Result<Vec<u8>, WireError> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, value)?;
    let len = bytes.len() - 4;
    match u32::try_from(len) {
        Ok(small) if len <= limit => bytes[..4].copy_from_slice(&small.to_be_bytes()),
        _ => return Err(WireError::HeaderTooLong { len, limit }),
    }
    Ok(bytes)
}

/// Reads the JSON of one header.
///
/// # Errors
/// [`WireError::HeaderTooLong`] over `limit`, [`WireError::Io`].
pub async fn read_header(
    from: &mut (impl AsyncRead + Unpin),
    limit: usize,
) -> Result<Vec<u8>, WireError> {
    let mut len = [0; 4];
    from.read_exact(&mut len).await?;
    let len = usize::try_from(u32::from_be_bytes(len)).unwrap_or(usize::MAX);
    if len > limit {
        return Err(WireError::HeaderTooLong { len, limit });
    }
    let mut json = vec![0; len];
    from.read_exact(&mut json).await?;
    Ok(json)
}

/// Reads the reply to what was asked.
///
/// # Errors
/// [`WireError::Refused`] when it is a refusal; else as [`read_header`].
pub async fn read_reply<T: DeserializeOwned>(
    from: &mut (impl AsyncRead + Unpin),
) -> Result<T, WireError> {
    let json = read_header(from, limits::HEADER_LEN).await?;
    let reply: Reply<T> = serde_json::from_slice(&json)?;
    Ok(reply.into_result()?)
}

/// Writes one frame.
///
/// # Errors
/// [`WireError::Frame`] over [`limits::FRAME_LEN`], [`WireError::Io`].
pub async fn write_frame(
    to: &mut (impl AsyncWrite + Unpin),
    kind: FrameKind,
    payload: &[u8],
) -> Result<(), WireError> {
    let header = FrameHeader::new(kind, payload.len())?.encode();
    to.write_all(&header).await?;
    to.write_all(payload).await?;
    Ok(to.flush().await?)
}

/// Reads the frames of a stream. Holds at most one frame and one read beyond it.
#[derive(Debug)]
pub struct FrameReader<S> {
    stream: S,
    buffer: BytesMut,
}

impl<S: AsyncRead + Unpin> FrameReader<S> {
    /// Reads from where the headers of `stream` ended.
    pub fn new(stream: S) -> Self {
        Self {
            stream,
            buffer: BytesMut::new(),
        }
    }

    /// The next frame. Cancel safe.
    ///
    /// # Errors
    /// [`WireError::Io`] with `UnexpectedEof` when the stream ended, [`WireError::Frame`].
    pub async fn next(&mut self) -> Result<(FrameKind, Bytes), WireError> {
        loop {
            if let Some(frame) = self.take()? {
                return Ok(frame);
            }
            self.buffer.reserve(limits::CHUNK_LEN);
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
        }
    }

    fn take(&mut self) -> Result<Option<(FrameKind, Bytes)>, WireError> {
        let Some(header) = self.buffer.first_chunk() else {
            return Ok(None);
        };
        let header = FrameHeader::decode(*header)?;
        if self.buffer.len() < FrameHeader::LEN + header.len {
            return Ok(None);
        }
        self.buffer.advance(FrameHeader::LEN);
        Ok(Some((
            header.kind,
            self.buffer.split_to(header.len).freeze(),
        )))
    }

    /// The stream, for writing.
    pub fn stream(&mut self) -> &mut S {
        &mut self.stream
    }
}
