//! Ties a local byte stream to a stream of frames, until either has ended in both directions.

use std::io::ErrorKind;

use futures_util::future::Either;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::{FrameFault, FrameKind, FrameReader, WireError, limits, write_frame};

/// Copies bytes both ways as `stdin` frames, each direction closed by its own `eof`; returns when
/// both have ended.
///
/// # Errors
/// [`WireError`] when either side breaks; then both are abandoned.
pub async fn splice<L, S>(local: L, remote: S) -> Result<(), WireError>
where
    L: AsyncRead + AsyncWrite,
    S: AsyncRead + AsyncWrite,
{
    let (local_read, local_write) = tokio::io::split(local);
    let (remote_read, remote_write) = tokio::io::split(remote);
    let mut remote_read = FrameReader::new(remote_read);
    let outward = std::pin::pin!(outward(local_read, remote_write));
    let inward = inward(&mut remote_read, local_write);
    let outward = match futures_util::future::try_select(outward, std::pin::pin!(inward)).await {
        Ok(Either::Left(((), inward))) => return inward.await,
        Ok(Either::Right(((), outward))) => outward,
        Err(either) => return Err(either.factor_first().0),
    };
    tokio::select! {
        ended = outward => ended,
        _ = remote_read.next() => Err(std::io::Error::from(ErrorKind::ConnectionReset).into()),
    }
}

async fn outward(
    mut local: impl AsyncRead + Unpin,
    mut remote: impl AsyncWrite + Unpin,
) -> Result<(), WireError> {
    let mut chunk = vec![0; limits::CHUNK_LEN];
    loop {
        let len = local.read(&mut chunk).await?;
        if len == 0 {
            return write_frame(&mut remote, FrameKind::Eof, &[]).await;
        }
        write_frame(&mut remote, FrameKind::Stdin, &chunk[..len]).await?;
    }
}

async fn inward(
    remote: &mut FrameReader<impl AsyncRead + Unpin>,
    mut local: impl AsyncWrite + Unpin,
) -> Result<(), WireError> {
    loop {
        let (kind, payload) = remote.next().await?;
        match kind {
            FrameKind::Stdin => local.write_all(&payload).await?,
            FrameKind::Eof => return Ok(local.shutdown().await?),
            kind @ (FrameKind::Stdout
            | FrameKind::Stderr
            | FrameKind::Exit
            | FrameKind::Resize
            | FrameKind::Signal
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Diff
            | FrameKind::Error
            | FrameKind::Unread) => return Err(FrameFault::OutOfPlace { kind }.into()),
        }
    }
}
