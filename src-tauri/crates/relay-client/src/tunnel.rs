//! A connection to something inside the box, as a byte stream.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes, BytesMut};
use paddock_relay_protocol::{FrameHeader, FrameKind, MuxStream, limits};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes both ways, each direction closed by itself: shutting down writing leaves reading open.
///
/// What was written but not flushed is lost when it is dropped.
#[derive(Debug)]
pub struct Tunnel {
    stream: MuxStream,
    incoming: BytesMut,
    payload: Bytes,
    ended: bool,
    outgoing: BytesMut,
    shut: bool,
}

impl Tunnel {
    pub(crate) fn new(stream: MuxStream) -> Self {
        Self {
            stream,
            incoming: BytesMut::new(),
            payload: Bytes::new(),
            ended: false,
            outgoing: BytesMut::new(),
            shut: false,
        }
    }

    fn frame(&mut self, kind: FrameKind, payload: &[u8]) -> io::Result<()> {
        let header = FrameHeader::new(kind, payload.len()).map_err(io::Error::other)?;
        self.outgoing.extend_from_slice(&header.encode());
        self.outgoing.extend_from_slice(payload);
        Ok(())
    }

    fn drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.outgoing.is_empty() {
            let len = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.outgoing))?;
            self.outgoing.advance(len);
        }
        Poll::Ready(Ok(()))
    }

    /// Takes the next whole frame of what has come in.
    fn take(&mut self) -> io::Result<bool> {
        let Some(header) = self.incoming.first_chunk() else {
            return Ok(false);
        };
        let header = FrameHeader::decode(*header).map_err(io::Error::other)?;
        if self.incoming.len() < FrameHeader::LEN + header.len {
            return Ok(false);
        }
        self.incoming.advance(FrameHeader::LEN);
        self.payload = self.incoming.split_to(header.len).freeze();
        self.ended = header.kind != FrameKind::Stdin;
        match header.kind {
            FrameKind::Stdin | FrameKind::Eof => Ok(true),
            kind @ (FrameKind::Stdout
            | FrameKind::Stderr
            | FrameKind::Exit
            | FrameKind::Resize
            | FrameKind::Signal
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Diff
            | FrameKind::Error
            | FrameKind::Unread) => Err(io::Error::other(format!(
                "an unexpected frame {kind:?} came"
            ))),
        }
    }
}

impl AsyncRead for Tunnel {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            if !this.payload.is_empty() {
                let part = this
                    .payload
                    .split_to(this.payload.len().min(out.remaining()));
                out.put_slice(&part);
                return Poll::Ready(Ok(()));
            }
            if this.ended {
                return Poll::Ready(Ok(()));
            }
            if this.take()? {
                continue;
            }
            let mut chunk = [0; 16 * 1024];
            let mut read = ReadBuf::new(&mut chunk);
            ready!(Pin::new(&mut this.stream).poll_read(cx, &mut read))?;
            if read.filled().is_empty() {
                return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
            }
            this.incoming.extend_from_slice(read.filled());
        }
    }
}

impl AsyncWrite for Tunnel {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.shut {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        ready!(self.drain(cx))?;
        let len = bytes.len().min(limits::CHUNK_LEN);
        self.frame(FrameKind::Stdin, &bytes[..len])?;
        // As much as the stream takes now; the rest with the next write or flush.
        let _ = self.drain(cx)?;
        Poll::Ready(Ok(len))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.drain(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.shut {
            self.shut = true;
            self.frame(FrameKind::Eof, &[])?;
        }
        self.poll_flush(cx)
    }
}
