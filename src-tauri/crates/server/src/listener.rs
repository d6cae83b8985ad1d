//! Connections: bounded in number, and given up when their peer stops reading.
//!
//! A client that reads nothing while something is to be written holds memory and a place; after
//! [`STALL_MAX`] it is dropped and resumes by its cursor when it wakes.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;

/// Most connections at once; more wait in the system's queue.
pub(crate) const CONNECTIONS_MAX: usize = 2048;
/// How long a peer may leave a write waiting.
pub(crate) const STALL_MAX: Duration = Duration::from_secs(30);
/// How long to wait when the system has no descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Accepts connections.
pub(crate) struct Street {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

/// A connection with its place, given up when its peer stops reading.
pub(crate) struct Visitor<T = TcpStream> {
    io: T,
    stalled: Option<Pin<Box<Sleep>>>,
    _place: Option<OwnedSemaphorePermit>,
}

/// Where a connection comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

impl Street {
    pub(crate) fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            places: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
        }
    }
}

impl Listener for Street {
    type Io = Visitor;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Visitor, SocketAddr) {
        // The semaphore is never closed.
        let place = self.places.clone().acquire_owned().await.ok();
        loop {
            match self.listener.accept().await {
                Ok((io, peer)) => {
                    if let Err(error) = io.set_nodelay(true) {
                        tracing::debug!(%error, "a connection stays with delayed writes");
                    }
                    return (
                        Visitor {
                            io,
                            stalled: None,
                            _place: place,
                        },
                        peer,
                    );
                }
                Err(error) if is_of_the_peer(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "no connection can be accepted for now");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

fn is_of_the_peer(error: &io::Error) -> bool {
    let kinds = [
        ErrorKind::ConnectionRefused,
        ErrorKind::ConnectionAborted,
        ErrorKind::ConnectionReset,
    ];
    kinds.contains(&error.kind())
}

impl Connected<IncomingStream<'_, Street>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Street>) -> Self {
        Self(*stream.remote_addr())
    }
}

impl<T> Visitor<T> {
    /// Passes the outcome of a write on; one that waits too long fails.
    fn patiently<R>(
        &mut self,
        cx: &mut Context<'_>,
        outcome: Poll<io::Result<R>>,
    ) -> Poll<io::Result<R>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(STALL_MAX)));
        match stalled.as_mut().poll(cx) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => Poll::Ready(Err(ErrorKind::TimedOut.into())),
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Visitor<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Visitor<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.io).poll_write(cx, bytes);
        self.patiently(cx, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.io).poll_write_vectored(cx, slices);
        self.patiently(cx, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.io).poll_flush(cx);
        self.patiently(cx, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.io).poll_shutdown(cx);
        self.patiently(cx, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_stops_reading_is_given_up_and_a_slow_one_is_not() {
        let (mut peer, io) = tokio::io::duplex(8);
        let mut visitor = Visitor {
            io,
            stalled: None,
            _place: None,
        };
        visitor.write_all(b"12345678").await.unwrap();
        let writing = tokio::spawn(async move {
            visitor.write_all(b"abcdefgh").await.unwrap();
            visitor
        });
        tokio::task::yield_now().await;
        tokio::time::advance(STALL_MAX / 2).await;
        let mut eight = [0; 8];
        peer.read_exact(&mut eight).await.unwrap();
        let mut visitor = writing.await.unwrap();
        let error = visitor.write_all(b"more").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }
}
