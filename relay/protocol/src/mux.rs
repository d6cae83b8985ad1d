//! Many streams over one connection: yamux, driven by one future that its owner polls.
//!
//! Invariant: when the [`Driver`] is dropped, every stream of the connection ends. Both sides may
//! open streams. A stream is never half-closed: ends are said in frames, so dropping a [`MuxStream`]
//! always resets it and the other side never writes into nowhere.

use std::any::Any;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use futures_util::{AsyncRead, AsyncWrite};
use tokio::io::ReadBuf;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio_util::compat::{Compat, FuturesAsyncReadCompatExt};

use crate::limits;

/// One stream of a connection.
#[derive(Debug)]
pub struct MuxStream {
    io: Compat<yamux::Stream>,
    /// Held by streams of our own, so that their number stays within [`limits::STREAMS`].
    _permit: Option<OwnedSemaphorePermit>,
    /// What must live as long as the stream does.
    held: Option<Arc<dyn Any + Send + Sync>>,
}

impl MuxStream {
    /// The same stream, which holds `owner` for as long as it lives.
    #[must_use]
    pub fn holding(mut self, owner: Arc<dyn Any + Send + Sync>) -> Self {
        self.held = Some(owner);
        self
    }
}

/// Which side of the connection this is; the two must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that connected.
    Client,
    /// The one that was connected to.
    Relay,
}

/// The connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the connection to the relay is closed")]
pub struct MuxClosed;

type Wanted = oneshot::Sender<yamux::Stream>;

/// Opens streams on a connection. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mux {
    wanted: mpsc::Sender<Wanted>,
    room: Arc<Semaphore>,
    heard: Arc<AtomicU64>,
}

impl Mux {
    /// How many bytes have come from the other side.
    pub(crate) fn heard(&self) -> u64 {
        self.heard.load(Ordering::Relaxed)
    }

    /// Opens a stream; waits while [`limits::STREAMS`] of this side are open.
    ///
    /// # Errors
    /// [`MuxClosed`].
    pub async fn open(&self) -> Result<MuxStream, MuxClosed> {
        let permit = self.room.clone().acquire_owned();
        let permit = tokio::select! {
            permit = permit => permit.map_err(|_| MuxClosed)?,
            () = self.wanted.closed() => return Err(MuxClosed),
        };
        let (give, get) = oneshot::channel();
        self.wanted.send(give).await.map_err(|_| MuxClosed)?;
        let stream = get.await.map_err(|_| MuxClosed)?;
        Ok(MuxStream {
            io: stream.compat(),
            _permit: Some(permit),
            held: None,
        })
    }

    /// Returns when the connection is over.
    pub async fn closed(&self) {
        self.wanted.closed().await;
    }
}

impl tokio::io::AsyncRead for MuxStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buf)
    }
}

impl tokio::io::AsyncWrite for MuxStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    /// Flushes only: see the module's invariant.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }
}

/// Moves the bytes of a connection. Poll it through [`Driver::next`] until that gives nothing.
pub struct Driver<T> {
    connection: yamux::Connection<Counted<T>>,
    wanted: mpsc::Receiver<Wanted>,
    waiting: VecDeque<Wanted>,
}

impl<T: AsyncRead + AsyncWrite + Unpin> Driver<T> {
    /// How many requests for streams may wait.
    const WANTED: usize = 64;

    /// Begins multiplexing over `io`, after the greeting.
    pub fn new(io: T, side: Side) -> (Mux, Self) {
        let mode = match side {
            Side::Client => yamux::Mode::Client,
            Side::Relay => yamux::Mode::Server,
        };
        let (wanted, requests) = mpsc::channel(Self::WANTED);
        let heard = Arc::new(AtomicU64::new(0));
        let io = Counted {
            io,
            heard: heard.clone(),
        };
        let driver = Self {
            connection: yamux::Connection::new(io, config(), mode),
            wanted: requests,
            waiting: VecDeque::new(),
        };
        let room = Arc::new(Semaphore::new(limits::STREAMS));
        let mux = Mux {
            wanted,
            room,
            heard,
        };
        (mux, driver)
    }

    /// The next stream that the other side opened; nothing when the connection is over. Everything
    /// else on the connection moves only while this is polled.
    pub async fn next(&mut self) -> Option<MuxStream> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<MuxStream>> {
        self.take_requests(cx);
        if self.open_wanted(cx).is_err() {
            return Poll::Ready(None);
        }
        match self.connection.poll_next_inbound(cx) {
            Poll::Ready(Some(Ok(stream))) => Poll::Ready(Some(MuxStream {
                io: stream.compat(),
                _permit: None,
                held: None,
            })),
            Poll::Ready(Some(Err(_)) | None) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }

    fn take_requests(&mut self, cx: &mut Context<'_>) {
        while self.waiting.len() < Self::WANTED
            && let Poll::Ready(Some(wanted)) = self.wanted.poll_recv(cx)
        {
            self.waiting.push_back(wanted);
        }
    }

    /// Serves those who wait for a stream.
    fn open_wanted(&mut self, cx: &mut Context<'_>) -> Result<(), yamux::ConnectionError> {
        while !self.waiting.is_empty() {
            match self.connection.poll_new_outbound(cx) {
                Poll::Ready(Ok(stream)) => {
                    if let Some(wanted) = self.waiting.pop_front() {
                        let _ = wanted.send(stream);
                    }
                }
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Pending => break,
            }
        }
        Ok(())
    }
}

/// A byte stream that counts what comes.
struct Counted<T> {
    io: T,
    heard: Arc<AtomicU64>,
}

impl<T: AsyncRead + Unpin> AsyncRead for Counted<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let read = Pin::new(&mut self.io).poll_read(cx, buf);
        if let Poll::Ready(Ok(len)) = &read {
            self.heard.fetch_add(*len as u64, Ordering::Relaxed);
        }
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Counted<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_close(cx)
    }
}

fn config() -> yamux::Config {
    let mut config = yamux::Config::default();
    // Ours, theirs, and as many again that are dropped but not yet forgotten: over this number yamux
    // gives up the whole connection.
    let streams = 4 * limits::STREAMS;
    config.set_max_num_streams(streams);
    config.set_max_connection_receive_window(Some(streams * 256 * 1024 + limits::WINDOW_EXTRA));
    config.set_split_send_size(limits::CHUNK_LEN);
    config
}
