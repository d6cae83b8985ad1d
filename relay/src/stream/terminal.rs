//! `terminal_open`, `terminal_attach`, `terminal_close`: terminals that outlive their clients.
//!
//! A client that looks on slowly slows nobody: when what it is to see next is not kept any more, it is
//! told so and goes on with what is.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use paddock_relay_protocol::{
    Exit, FrameFault, FrameKind, FrameReader, MuxStream, PtySize, Refusal, RefusalCode,
    TerminalAttach, TerminalAttached, TerminalClose, TerminalInfo, TerminalOpen, TerminalSkipped,
    WireError, write_frame,
};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::launch::Marker;
use crate::serve::Relay;
use crate::session::{grant, refuse};
use crate::terminals::held::Held;
use crate::terminals::{Next, Place};

pub(crate) fn open(relay: &Relay, open: TerminalOpen) -> Result<TerminalInfo, Refusal> {
    let marker = Marker::exec(relay.commands.fetch_add(1, Ordering::Relaxed));
    relay.terminals.open(open, marker)
}

/// Ends a terminal. Goes on when the client is gone.
pub(crate) async fn close(relay: &Arc<Relay>, close: TerminalClose) -> Result<Exit, Refusal> {
    let held = relay.terminals.get(&close.terminal)?;
    let relay = relay.clone();
    let closing = tokio::spawn(async move {
        let exit = held.close(Duration::from_millis(close.grace_ms)).await;
        relay.terminals.forget(&close.terminal);
        exit
    });
    closing.await.ok().flatten().ok_or_else(|| {
        let message = "some processes of the terminal do not go";
        Refusal::new(RefusalCode::TimedOut, message)
    })
}

pub(crate) async fn attach(
    relay: &Arc<Relay>,
    stream: &mut MuxStream,
    attach: &TerminalAttach,
) -> Result<(), WireError> {
    let held = match relay.terminals.get(&attach.terminal) {
        Ok(held) => held,
        Err(refusal) => return refuse(stream, refusal).await,
    };
    let (place, size) = held.place(attach.from);
    let attached = TerminalAttached {
        info: held.info(),
        from: place.offset,
        size,
    };
    grant(stream, attached).await?;
    let (read, mut write) = tokio::io::split(stream);
    let mut frames = FrameReader::new(read);
    let outcome = tokio::select! {
        told = tell(&mut write, &held, place) => told,
        Err(error) = hear(&mut frames, &held) => Err(error),
    };
    if let Err(error) = &outcome
        && let Some(refusal) = error.refusal()
    {
        write_frame(&mut write, FrameKind::Error, &serde_json::to_vec(&refusal)?).await?;
    }
    outcome
}

/// Shows all from `place` on, to the exit.
async fn tell(
    stream: &mut (impl AsyncWrite + Unpin),
    held: &Held,
    mut place: Place,
) -> Result<(), WireError> {
    let mut moves = held.moves();
    loop {
        moves.mark_unchanged();
        match held.next(&mut place) {
            (Next::Bytes(bytes), _) => write_frame(stream, FrameKind::Stdout, &bytes).await?,
            (Next::Size(size), _) => {
                let size = serde_json::to_vec(&size)?;
                write_frame(stream, FrameKind::Resize, &size).await?;
            }
            (Next::Nothing, Some(exit)) => {
                return write_frame(stream, FrameKind::Exit, &serde_json::to_vec(&exit)?).await;
            }
            (Next::Nothing, None) => {
                if moves.changed().await.is_err() {
                    return Ok(());
                }
            }
            (Next::Missed, _) => {
                let (kept, size) = held.place(None);
                place = kept;
                let from = place.offset;
                let skipped = serde_json::to_vec(&TerminalSkipped { from, size })?;
                write_frame(stream, FrameKind::Unread, &skipped).await?;
            }
        }
    }
}

/// Takes what the client types, and its sizes. Does not return while all is well.
async fn hear(
    frames: &mut FrameReader<impl AsyncRead + Unpin>,
    held: &Held,
) -> Result<std::convert::Infallible, WireError> {
    loop {
        let (kind, payload) = frames.next().await?;
        match kind {
            FrameKind::Stdin => {
                // A program that has ended reads no more; its exit says so.
                let _ = held.type_in(&payload).await;
            }
            FrameKind::Resize => {
                let size: PtySize = serde_json::from_slice(&payload)?;
                let _ = held.resize(size);
            }
            kind @ (FrameKind::Stdout
            | FrameKind::Stderr
            | FrameKind::Eof
            | FrameKind::Exit
            | FrameKind::Signal
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Diff
            | FrameKind::Error
            | FrameKind::Unread) => return Err(FrameFault::OutOfPlace { kind }.into()),
        }
    }
}
