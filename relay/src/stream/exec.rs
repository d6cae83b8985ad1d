//! `exec` and `pty`: a command that runs while its client listens.
//!
//! Invariant: a command whose client is gone is killed with all that it started. One that ends by
//! itself may leave processes behind, as a shell would let it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use paddock_relay_protocol::{
    Done, Exec, ExecPty, Exit, FrameFault, FrameKind, FrameReader, Launch, MuxStream, PtySize,
    Refusal, RefusalCode, WireError, limits, write_frame,
};
use rustix::process::Signal;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::launch::{self, Marker, NotStarted};
use crate::process::capture::{KillOnDrop, Piped, start_piped};
use crate::process::children::Started;
use crate::process::{Children, Tree};
use crate::run::terminal::Terminal;
use crate::serve::Relay;
use crate::session::{grant, refuse};
use crate::terminals::for_a_person;

/// How long output may keep coming once the command has ended: something it left behind has its pipes.
const DRAIN_TIME: Duration = Duration::from_millis(500);

/// How long a command may be silent before the stream is probed.
const PROBE_EVERY: Duration = Duration::from_secs(2);

/// Chunks of output that wait to be sent.
const WAITING: usize = 4;

pub(crate) async fn serve(
    relay: &Arc<Relay>,
    stream: &mut MuxStream,
    exec: &Exec,
) -> Result<(), WireError> {
    let marker = Marker::exec(relay.commands.fetch_add(1, Ordering::Relaxed));
    let Piped {
        started,
        stdin,
        stdout,
        stderr,
    } = match start(&exec.launch, &marker, &relay.children) {
        Ok(started) => started,
        Err(why) => return refuse(stream, why.into()).await,
    };
    let command = Attended::new(relay, started, marker, None);
    let (output, chunks) = mpsc::channel(WAITING);
    let stdout = pump(stdout, FrameKind::Stdout, output.clone());
    tokio::spawn(command.unread.clone().run_until_cancelled_owned(stdout));
    tokio::spawn(pump(stderr, FrameKind::Stderr, output));
    attend(stream, command, stdin, chunks).await
}

pub(crate) async fn serve_pty(
    relay: &Arc<Relay>,
    stream: &mut MuxStream,
    pty: &ExecPty,
) -> Result<(), WireError> {
    let marker = Marker::exec(relay.commands.fetch_add(1, Ordering::Relaxed));
    let launch = for_a_person(pty.launch.clone());
    let (started, terminal, typed, shown) =
        match start_pty(&launch, pty.size, &marker, &relay.children) {
            Ok(started) => started,
            Err(why) => return refuse(stream, why.into()).await,
        };
    let command = Attended::new(relay, started, marker, Some(terminal));
    let (output, chunks) = mpsc::channel(WAITING);
    tokio::spawn(pump(shown, FrameKind::Stdout, output));
    attend(stream, command, typed, chunks).await
}

/// A command that a client listens to.
struct Attended {
    started: Started,
    tree: Tree,
    terminal: Option<Arc<Terminal>>,
    /// Closes its stdout.
    unread: CancellationToken,
}

impl Attended {
    fn new(
        relay: &Relay,
        started: Started,
        marker: Marker,
        terminal: Option<Arc<Terminal>>,
    ) -> Self {
        let tree = Tree::new(started.pid, marker, relay.children.clone());
        Self {
            started,
            tree,
            terminal,
            unread: CancellationToken::new(),
        }
    }
}

/// Serves the client until the command has ended, or kills it when the client is gone.
async fn attend(
    stream: &mut MuxStream,
    command: Attended,
    stdin: impl AsyncWrite + Unpin,
    chunks: mpsc::Receiver<Chunk>,
) -> Result<(), WireError> {
    let mut killer = KillOnDrop::new(command.tree.clone());
    grant(stream, Done {}).await?;
    let (read, mut write) = tokio::io::split(stream);
    let mut frames = FrameReader::new(read);
    let mut started = command.started.clone();
    let heard = hear(&mut frames, stdin, &command);
    let said = tell(&mut write, chunks, &mut started);
    let outcome = tokio::select! {
        said = said => said,
        Err(error) = heard => Err(error),
    };
    match outcome {
        Ok(()) => {
            killer.disarm();
            Ok(())
        }
        Err(error) => {
            if let Some(refusal) = error.refusal() {
                let _ =
                    write_frame(&mut write, FrameKind::Error, &serde_json::to_vec(&refusal)?).await;
            }
            Err(error)
        }
    }
}

/// Takes what the client says: input, its end, sizes, signals. Does not return while all is well.
async fn hear(
    frames: &mut FrameReader<ReadHalf<&mut MuxStream>>,
    stdin: impl AsyncWrite + Unpin,
    command: &Attended,
) -> Result<std::convert::Infallible, WireError> {
    let mut stdin = Some(stdin);
    loop {
        let (kind, payload) = frames.next().await?;
        match kind {
            FrameKind::Stdin => {
                if let Some(open) = &mut stdin
                    && open.write_all(&payload).await.is_err()
                {
                    // A command need not read what it is sent.
                    stdin = None;
                }
            }
            FrameKind::Eof => stdin = None,
            FrameKind::Unread => command.unread.cancel(),
            FrameKind::Resize => resize(command.terminal.as_ref(), &payload)?,
            FrameKind::Signal => {
                if let Some(signal) = Signal::from_named_raw(serde_json::from_slice(&payload)?) {
                    command.tree.signal(signal);
                }
            }
            kind @ (FrameKind::Stdout
            | FrameKind::Stderr
            | FrameKind::Exit
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Diff
            | FrameKind::Error) => return Err(FrameFault::OutOfPlace { kind }.into()),
        }
    }
}

fn resize(terminal: Option<&Arc<Terminal>>, payload: &[u8]) -> Result<(), WireError> {
    let size: PtySize = serde_json::from_slice(payload)?;
    let Some(terminal) = terminal else {
        return Err(FrameFault::OutOfPlace {
            kind: FrameKind::Resize,
        }
        .into());
    };
    let resized = terminal.resize(size);
    Ok(resized.map_err(|error| Refusal::new(RefusalCode::Io, error.to_string()))?)
}

type Chunk = (FrameKind, Bytes);

/// Sends all output, then the exit.
async fn tell(
    stream: &mut (impl AsyncWrite + Unpin),
    mut chunks: mpsc::Receiver<Chunk>,
    started: &mut Started,
) -> Result<(), WireError> {
    loop {
        tokio::select! {
            biased;
            chunk = chunks.recv() => match chunk {
                Some((kind, bytes)) => write_frame(stream, kind, &bytes).await?,
                None => break,
            },
            _ = started.ended() => {
                while let Ok(Some((kind, bytes))) = timeout(DRAIN_TIME, chunks.recv()).await {
                    write_frame(stream, kind, &bytes).await?;
                }
                break;
            }
            // A stream that was given up is noticed only by writing, while the command takes no input.
            () = sleep(PROBE_EVERY) => write_frame(stream, FrameKind::Stdout, &[]).await?,
        }
    }
    let exit = Exit::plain(started.ended().await.into());
    write_frame(stream, FrameKind::Exit, &serde_json::to_vec(&exit)?).await
}

/// Moves one pipe into the channel until either ends.
async fn pump(mut pipe: impl AsyncRead + Unpin, kind: FrameKind, output: mpsc::Sender<Chunk>) {
    let mut buffer = vec![0; limits::CHUNK_LEN];
    loop {
        let read = tokio::select! {
            read = pipe.read(&mut buffer) => read,
            () = output.closed() => return,
        };
        match read {
            Ok(len @ 1..) => {
                let chunk = Bytes::copy_from_slice(&buffer[..len]);
                if output.send((kind, chunk)).await.is_err() {
                    return;
                }
            }
            Ok(0) | Err(_) => return,
        }
    }
}

fn start(launch: &Launch, marker: &Marker, children: &Children) -> Result<Piped, NotStarted> {
    let command = launch::command(launch, marker)?;
    start_piped(command, children).map_err(|error| NotStarted::from_io(&launch.program, &error))
}

fn start_pty(
    launch: &Launch,
    size: PtySize,
    marker: &Marker,
    children: &Children,
) -> Result<(Started, Arc<Terminal>, Sender, Receiver), NotStarted> {
    let command = launch::command(launch, marker)?;
    let attached = Terminal::attach(command, size, children).and_then(|(started, terminal)| {
        let (input, output) = (terminal.input()?, terminal.output()?);
        Ok((started, terminal, input, output))
    });
    attached.map_err(|error| NotStarted::from_io(&launch.program, &error))
}
