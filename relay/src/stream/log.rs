//! `log`: the bytes of a run's log from any offset, then live.
//!
//! Every reader has a file handle of its own and reads up to the published length, so there is no gap
//! and no repeat between replay and live, and a reader that is slow slows nobody.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use paddock_relay_protocol::{
    FrameKind, LogFrom, LogOpened, MuxStream, Refusal, RefusalCode, RelayId, WireError, limits,
    write_frame,
};
use tokio::io::AsyncReadExt;
use tokio::sync::watch;

use crate::run::log::Extent;
use crate::serve::Relay;
use crate::session::{grant, refuse};

pub(crate) async fn serve(
    relay: &Arc<Relay>,
    stream: &mut MuxStream,
    from: &LogFrom,
) -> Result<(), WireError> {
    let (file, extent, begun_by) = match open(relay, from) {
        Ok(opened) => opened,
        Err(refusal) => return refuse(stream, refusal).await,
    };
    let now = *extent.borrow();
    grant(
        stream,
        LogOpened {
            len: now.len,
            ended: now.ended,
            relay: begun_by,
        },
    )
    .await?;
    let (mut read, mut write) = tokio::io::split(stream);
    tokio::select! {
        copied = copy(&file, extent, from, begun_by, &mut write) => copied,
        // The client has nothing to say: when this ends, it is gone.
        _ = read.read_u8() => Ok(()),
    }
}

type Opened = (File, watch::Receiver<Extent>, Option<RelayId>);

fn open(relay: &Relay, from: &LogFrom) -> Result<Opened, Refusal> {
    let run = relay.runs.get(&from.run)?;
    let file = File::open(run.log.path()).map_err(|error| {
        Refusal::new(RefusalCode::Io, format!("the log cannot be read: {error}"))
    })?;
    let extent = run.log.extent();
    let len = extent.borrow().len;
    if from.from > len {
        let message = format!("offset {} is beyond the log's end at {len}", from.from);
        return Err(Refusal::new(RefusalCode::BeyondEnd, message));
    }
    Ok((file, extent, run.begun_by))
}

async fn copy(
    file: &File,
    mut extent: watch::Receiver<Extent>,
    from: &LogFrom,
    begun_by: Option<RelayId>,
    stream: &mut (impl tokio::io::AsyncWrite + Unpin),
) -> Result<(), WireError> {
    let mut chunk = vec![0; limits::CHUNK_LEN];
    let mut at = from.from;
    loop {
        let now = *extent.borrow_and_update();
        while at < now.len {
            let len = usize::try_from(now.len - at)
                .unwrap_or(chunk.len())
                .min(chunk.len());
            read_at(file, &mut chunk[..len], at)?;
            write_frame(stream, FrameKind::Log, &chunk[..len]).await?;
            at += len as u64;
        }
        if now.ended || !from.follow {
            let end = LogOpened {
                len: now.len,
                ended: now.ended,
                relay: begun_by,
            };
            let end = serde_json::to_vec(&end)?;
            return write_frame(stream, FrameKind::LogEnd, &end).await;
        }
        if extent.changed().await.is_err() {
            return Ok(());
        }
    }
}

fn read_at(file: &File, chunk: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(chunk, at)
}
