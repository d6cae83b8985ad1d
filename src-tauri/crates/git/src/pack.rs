//! Objects on their way from one repository to another, and nothing but objects.
//!
//! A pack is used and not a bundle: a bundle brings names of refs chosen by its sender, and git
//! before 2.46 does not check the objects it fetches from one. A pack goes straight from the git that
//! makes it into the git that checks and stores it: however large it is, little of it is in memory.
//!
//! Start at [`pack_from_box`] or [`pack_from_host`].

use std::time::Duration;

use bytes::Bytes;
use paddock_exec::{Command, ExecError, Exit, Limits, Output, Place, Process};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::git::{Git, LOOK, failure, must};
use crate::{GitError, Oid, Repository, refs};

/// What may be in one pack, in bytes. A task that makes more is told so.
pub const MOST_PACKED: u64 = 16 << 30;

/// How long one pack may take from its first byte to its last.
const PACKING: Duration = Duration::from_secs(1800);

/// How much of a pack is in memory at once.
const CHUNK: usize = 256 * 1024;

/// Objects that are on their way; they are read while they are stored.
pub struct Pack {
    source: Source,
}

enum Source {
    Whole(Bytes),
    Made {
        command: Box<Command>,
        process: Process,
    },
}

impl From<Bytes> for Pack {
    fn from(whole: Bytes) -> Self {
        Self {
            source: Source::Whole(whole),
        }
    }
}

impl std::fmt::Debug for Pack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pack")
    }
}

/// The objects that `tips` need and a holder of `have` lacks, from the work tree `dir` of a box.
///
/// # Errors
/// [`GitError`] when git cannot be started. That it fails later is told by who stores the pack.
pub async fn pack_from_box(
    place: &dyn Place,
    dir: &str,
    tips: &[Oid],
    have: &[Oid],
) -> Result<Pack, GitError> {
    pack(place, &Git::work_tree(dir), tips, have).await
}

/// The same from a repository on the host, for a box that does not see the host's disk.
///
/// # Errors
/// As [`pack_from_box`].
pub async fn pack_from_host(
    place: &dyn Place,
    repository: &Repository,
    tips: &[Oid],
    have: &[Oid],
) -> Result<Pack, GitError> {
    pack(place, &Git::bare(&repository.git_dir), tips, have).await
}

pub(crate) async fn pack(
    place: &dyn Place,
    git: &Git,
    tips: &[Oid],
    have: &[Oid],
) -> Result<Pack, GitError> {
    let mut revisions: String = tips.iter().map(|oid| format!("{oid}\n")).collect();
    for oid in refs::present(place, git, have).await? {
        revisions.push_str(&format!("^{oid}\n"));
    }
    let command = git
        .command([
            "pack-objects",
            "--revs",
            "--stdout",
            "--thin",
            "--delta-base-offset",
            "-q",
        ])
        .stdin(revisions);
    let process = place.spawn(&command).await?;
    Ok(Pack {
        source: Source::Made {
            command: Box::new(command),
            process,
        },
    })
}

/// Checks every object of `pack` and stores them in the repository of `git`, or stores none.
pub(crate) async fn unpack(place: &dyn Place, git: &Git, pack: Pack) -> Result<(), GitError> {
    let limit = format!("--max-input-size={MOST_PACKED}");
    let store = git.command(["index-pack", "--stdin", "--fix-thin", "--strict", &limit]);
    match pack.source {
        Source::Whole(bytes) => {
            let limits = Limits {
                time: PACKING,
                ..LOOK
            };
            must(place, &store.stdin(bytes), limits).await.map(drop)
        }
        Source::Made { command, process } => {
            let carried = carry(place, &store, &command, process);
            let carried = tokio::time::timeout(PACKING, carried).await;
            carried.map_err(|_| ExecError::TimedOut {
                program: command.program.clone(),
                limit_ms: u64::try_from(PACKING.as_millis()).unwrap_or(u64::MAX),
            })?
        }
    }
}

/// Carries what `made` writes into a process of `store`; both must end well.
async fn carry(
    place: &dyn Place,
    store: &Command,
    command: &Command,
    made: Process,
) -> Result<(), GitError> {
    let stored = place.spawn(store).await?;
    let (feed, said) = (feed(made.stdin, &command.stdin), tail(made.stderr));
    let (pipe, answers) = (pipe(made.stdout, stored.stdin), tail(stored.stderr));
    let names = tail(stored.stdout);
    let ((), said, (), answers, _) = tokio::join!(feed, said, pipe, answers, names);
    let (stored, made) = tokio::join!(stored.exit, made.exit);
    // Who stores says what is wrong with a pack; who makes it then only finds its pipe closed.
    must_end(store, stored?, answers)?;
    must_end(command, made?, said)
}

fn must_end(command: &Command, exit: Exit, stderr: Bytes) -> Result<(), GitError> {
    if exit.is_success() {
        return Ok(());
    }
    let stdout = Bytes::new();
    let output = Output {
        exit,
        stdout,
        stderr,
    };
    Err(failure(command, &output))
}

async fn feed(mut to: impl AsyncWrite + Unpin, bytes: &[u8]) {
    // Who does not read its input says by its exit what went wrong.
    let _ = to.write_all(bytes).await;
    let _ = to.shutdown().await;
}

async fn pipe(from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) {
    let mut from = tokio::io::BufReader::with_capacity(CHUNK, from);
    // A stream that breaks ends the pack too early, which its reader notices.
    let _ = tokio::io::copy_buf(&mut from, &mut to).await;
    let _ = to.shutdown().await;
}

/// The end of what comes from `from`.
async fn tail(mut from: impl AsyncRead + Unpin) -> Bytes {
    let mut kept = Vec::new();
    let mut buffer = vec![0; 8192];
    while let Ok(n @ 1..) = from.read(&mut buffer).await {
        kept.extend_from_slice(&buffer[..n]);
        let over = kept.len().saturating_sub(Output::STDERR_KEPT);
        kept.drain(..over);
    }
    kept.into()
}
