//! Commands that run in the box while their streams are tied to ours.
//!
//! Invariant: the command lives no longer than its [`RemoteExit`] (or [`RemotePty`]): dropping that ends the
//! task that moves its bytes, and the relay kills what was abandoned.

use std::pin::Pin;
use std::task::{Context, Poll};

use paddock_relay_protocol::{
    Exit, FrameFault, FrameKind, FrameReader, MuxStream, PtySize, Refusal, limits, write_frame,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use crate::RelayError;

/// How many resizes and signals may wait to be sent.
const ORDERS: usize = 16;

/// A command that runs, its output readable while it does.
#[derive(Debug)]
pub struct RemoteProcess {
    /// Bytes written here reach its stdin; dropping or shutting it down closes that.
    pub stdin: DuplexStream,
    /// Its stdout.
    pub stdout: DuplexStream,
    /// Its stderr.
    pub stderr: DuplexStream,
    /// Its end. Dropping this kills it.
    pub exit: RemoteExit,
}

impl RemoteProcess {
    pub(crate) fn new(stream: MuxStream) -> Self {
        let (stdin, near_in) = tokio::io::duplex(limits::CHUNK_LEN);
        let (stdout, near_out) = tokio::io::duplex(limits::CHUNK_LEN);
        let (stderr, near_err) = tokio::io::duplex(limits::CHUNK_LEN);
        let exit = RemoteExit::spawn(
            stream,
            near_in,
            near_out,
            Some(near_err),
            mpsc::channel(ORDERS),
        );
        Self {
            stdin,
            stdout,
            stderr,
            exit,
        }
    }
}

/// A command on a terminal in the box.
#[derive(Debug)]
pub struct RemotePty {
    /// Keystrokes.
    pub input: DuplexStream,
    /// What the terminal shows, as raw bytes.
    pub output: DuplexStream,
    /// Its end. Dropping this hangs it up.
    pub exit: RemoteExit,
    orders: mpsc::Sender<Order>,
}

impl RemotePty {
    pub(crate) fn new(stream: MuxStream) -> Self {
        let (input, near_in) = tokio::io::duplex(limits::CHUNK_LEN);
        let (output, near_out) = tokio::io::duplex(limits::CHUNK_LEN);
        let (orders, wanted) = mpsc::channel(ORDERS);
        let channel = (orders.clone(), wanted);
        let exit = RemoteExit::spawn(stream, near_in, near_out, None, channel);
        Self {
            input,
            output,
            exit,
            orders,
        }
    }

    /// Tells the terminal its new size.
    ///
    /// # Errors
    /// [`RelayError::NotConnected`] when it has ended.
    pub async fn resize(&self, size: PtySize) -> Result<(), RelayError> {
        let sent = self
            .orders
            .send(Order(FrameKind::Resize, serde_json::to_vec(&size)));
        sent.await
            .map_err(|_| RelayError::not_connected("the terminal has ended"))
    }
}

/// A frame to send besides the bytes of stdin.
#[derive(Debug)]
struct Order(FrameKind, Result<Vec<u8>, serde_json::Error>);

/// The end of a command, as a future.
#[derive(Debug)]
pub struct RemoteExit {
    task: AbortOnDropHandle<Result<Exit, RelayError>>,
}

impl RemoteExit {
    fn spawn(
        stream: MuxStream,
        stdin: DuplexStream,
        stdout: DuplexStream,
        stderr: Option<DuplexStream>,
        (orders, wanted): (mpsc::Sender<Order>, mpsc::Receiver<Order>),
    ) -> Self {
        let task = tokio::spawn(async move {
            let (read, write) = tokio::io::split(stream);
            let feeding = feed(write, stdin, wanted);
            let hearing = hear(FrameReader::new(read), stdout, stderr, orders);
            tokio::select! {
                exit = hearing => exit,
                Err(error) = feeding => Err(error),
            }
        });
        Self {
            task: AbortOnDropHandle::new(task),
        }
    }
}

impl Future for RemoteExit {
    type Output = Result<Exit, RelayError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let ended = std::task::ready!(Pin::new(&mut self.task).poll(cx));
        Poll::Ready(ended.unwrap_or_else(|error| Err(RelayError::not_connected(error))))
    }
}

/// Sends stdin, orders and the end of stdin. Does not return while all is well.
async fn feed(
    mut stream: WriteHalf<MuxStream>,
    mut stdin: DuplexStream,
    mut orders: mpsc::Receiver<Order>,
) -> Result<std::convert::Infallible, RelayError> {
    let mut chunk = vec![0; limits::CHUNK_LEN];
    let mut open = true;
    loop {
        tokio::select! {
            Some(Order(kind, payload)) = orders.recv() => {
                write_frame(&mut stream, kind, &payload.map_err(RelayError::protocol)?).await?;
            }
            read = stdin.read(&mut chunk), if open => {
                let len = read.map_err(|source| RelayError::Local { what: "stdin", source })?;
                open = len > 0;
                let kind = if open { FrameKind::Stdin } else { FrameKind::Eof };
                // A command that ended is told by its exit, which comes on the other half.
                if write_frame(&mut stream, kind, &chunk[..len]).await.is_err() {
                    return std::future::pending().await;
                }
            }
            else => return std::future::pending().await,
        }
    }
}

/// Hands out what comes until the exit. A reader who went away loses his bytes, nobody else's; the command
/// learns that its stdout is read no more.
async fn hear(
    mut frames: FrameReader<ReadHalf<MuxStream>>,
    stdout: DuplexStream,
    mut stderr: Option<DuplexStream>,
    orders: mpsc::Sender<Order>,
) -> Result<Exit, RelayError> {
    let mut stdout = Some(stdout);
    loop {
        let (kind, payload) = frames.next().await?;
        match kind {
            FrameKind::Stdout => {
                if let Some(open) = &mut stdout
                    && open.write_all(&payload).await.is_err()
                {
                    stdout = None;
                    let _ = orders.send(Order(FrameKind::Unread, Ok(Vec::new()))).await;
                }
            }
            FrameKind::Stderr => {
                if let Some(stderr) = &mut stderr {
                    let _ = stderr.write_all(&payload).await;
                }
            }
            FrameKind::Exit => {
                return serde_json::from_slice(&payload).map_err(RelayError::protocol);
            }
            FrameKind::Error => {
                let refusal: Refusal =
                    serde_json::from_slice(&payload).map_err(RelayError::protocol)?;
                return Err(refusal.into());
            }
            kind @ (FrameKind::Stdin
            | FrameKind::Eof
            | FrameKind::Resize
            | FrameKind::Signal
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Diff
            | FrameKind::Unread) => {
                return Err(RelayError::protocol(FrameFault::OutOfPlace { kind }));
            }
        }
    }
}
