//! `diff`: how far the work trees in the box are from their bases, once or live.
//!
//! Live statistics follow what the agents say: after output, when it has been quiet for
//! [`QUIET_TIME`], or has gone on for twice [`EVERY`]; never more often than [`EVERY`].

mod git;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use paddock_relay_protocol::{
    DiffRequest, DiffUpdate, Done, FrameKind, MuxStream, RepoDiff, WireError, write_frame,
};
use tokio::io::{AsyncReadExt, AsyncWrite};
use tokio::time::{Instant, sleep};

use crate::serve::Relay;
use crate::session::grant;
use git::Git;

/// How long the agents must have been quiet.
const QUIET_TIME: Duration = Duration::from_secs(2);

/// Shortest time between two counts.
const EVERY: Duration = Duration::from_secs(10);

/// Longest time between two counts: people change files too.
const AT_LEAST_EVERY: Duration = Duration::from_secs(60);

pub(crate) async fn serve(
    relay: &Arc<Relay>,
    stream: &mut MuxStream,
    request: DiffRequest,
) -> Result<(), WireError> {
    grant(stream, Done {}).await?;
    let (mut read, mut write) = tokio::io::split(stream);
    tokio::select! {
        told = tell(relay, &request, &mut write) => told,
        // The client has nothing to say: when this ends, it is gone.
        _ = read.read_u8() => Ok(()),
    }
}

async fn tell(
    relay: &Relay,
    request: &DiffRequest,
    stream: &mut (impl AsyncWrite + Unpin),
) -> Result<(), WireError> {
    let mut last = None;
    loop {
        let (counted, said) = (Instant::now(), said(relay));
        let update = count(relay, request).await;
        if last.as_ref() != Some(&update) {
            write_frame(stream, FrameKind::Diff, &serde_json::to_vec(&update)?).await?;
            last = Some(update);
        }
        if !request.follow {
            return write_frame(stream, FrameKind::Eof, &[]).await;
        }
        wait(relay, counted, said).await;
    }
}

/// Waits until it is time to count again.
async fn wait(relay: &Relay, counted: Instant, said_then: u64) {
    let mut before = said(relay);
    loop {
        sleep(QUIET_TIME).await;
        let now = said(relay);
        let (quiet, since) = (now == before, counted.elapsed());
        before = now;
        let due = now != said_then && since >= EVERY && (quiet || since >= 2 * EVERY);
        if due || since >= AT_LEAST_EVERY {
            return;
        }
    }
}

/// How much all agents have said.
fn said(relay: &Relay) -> u64 {
    relay
        .runs
        .all()
        .iter()
        .map(|run| run.log.extent().borrow().len)
        .sum()
}

async fn count(relay: &Relay, request: &DiffRequest) -> DiffUpdate {
    let mut update = DiffUpdate::default();
    for repo in &request.repos {
        let number = relay.commands.fetch_add(1, Ordering::Relaxed);
        let private = Private(relay.scratch.join(format!("count-{number}")));
        let git = Git {
            relay,
            repo,
            private: &private.0,
            confine: request.confine.as_ref(),
            number,
        };
        let counted = git.count().await.unwrap_or_else(|error| RepoDiff {
            name: repo.name.clone(),
            error: Some(error),
            ..RepoDiff::default()
        });
        update.repos.push(counted);
    }
    update
}

/// A directory for one count, removed with this.
struct Private(PathBuf);

impl Drop for Private {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
