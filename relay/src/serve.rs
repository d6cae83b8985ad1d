//! `serve`: owns the directory, the runs and the socket, from start to graceful end.
//!
//! Invariant: only SIGTERM, SIGINT or a client's `shutdown` ends the relay, and then every run is stopped
//! first. SIGHUP, the end of any connection and a full disk do not.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use anyhow::Context;
use paddock_relay_protocol::{Greeting, RelayId, VersionRange};
use rustix::process::{getpid, set_child_subreaper};
use tokio::net::UnixListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::args::Serve;
use crate::place::ServedDir;
use crate::process::Children;
use crate::runs::Runs;
use crate::stream::forward::Forwards;
use crate::terminals::Terminals;
use crate::{daemon, session};

/// Grace for every run when a signal ends the relay.
const SIGNAL_GRACE_MS: u64 = 5_000;

/// Most connections at once.
const CONNECTIONS: usize = 64;

/// How long connections have to say goodbye at the end.
const GOODBYE_TIME: Duration = Duration::from_millis(200);

/// Threads that move bytes; agents do the work in processes of their own.
const THREADS: usize = 2;

/// Most threads for files and git.
const BLOCKING_THREADS: usize = 16;

/// What every connection shares.
#[derive(Debug)]
pub(crate) struct Relay {
    pub(crate) runs: Runs,
    pub(crate) children: Children,
    pub(crate) forwards: Forwards,
    pub(crate) terminals: Terminals,
    pub(crate) greeting: Greeting,
    /// Numbers the commands that clients run.
    pub(crate) commands: AtomicU64,
    /// Where private files go that live as long as one command.
    pub(crate) scratch: PathBuf,
    /// Says with which grace the relay is to end.
    pub(crate) end: watch::Sender<Option<u64>>,
    /// Says that it has: every run and every terminal is over.
    pub(crate) ended: CancellationToken,
}

/// Serves until told to end.
pub(crate) fn serve(options: &Serve) -> anyhow::Result<()> {
    let background = daemon::is_background();
    if background {
        daemon::leave_session()?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()?;
    let served = runtime.block_on(async {
        let prepared = prepare(options);
        if background {
            daemon::report(prepared.as_ref().map(|_| ()));
        }
        let Prepared {
            dir: _dir,
            relay,
            socket,
            signals,
        } = prepared?;
        run(Arc::new(relay), socket, signals).await
    });
    runtime.shutdown_background();
    served
}

/// All that serving needs; who is told that the relay serves may end it by a signal at once.
struct Prepared {
    dir: ServedDir,
    relay: Relay,
    socket: UnixListener,
    signals: Signals,
}

/// The signals that the relay hears.
struct Signals {
    hangup: Signal,
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn hear() -> io::Result<Self> {
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }
}

fn prepare(options: &Serve) -> anyhow::Result<Prepared> {
    let signals = Signals::hear()?;
    let dir = ServedDir::take(&options.dir)?;
    // Agents' shell tools run in sessions of their own: what loses its parent becomes our child.
    set_child_subreaper(Some(getpid())).context("cannot adopt orphans")?;
    let children = Children::default();
    let id = random_id().context("no random number can be had")?;
    let relay = Relay {
        runs: Runs::take_up(dir.runs(), id, children.clone())?,
        terminals: Terminals::new(children.clone()),
        children,
        forwards: Forwards::default(),
        greeting: Greeting {
            box_id: options.box_id.clone(),
            relay: Some(id),
            ..greeting(options.speak.unwrap_or(VersionRange::THIS_BUILD))
        },
        commands: AtomicU64::default(),
        scratch: dir.scratch()?,
        end: watch::Sender::new(None),
        ended: CancellationToken::new(),
    };
    let socket = UnixListener::from_std(dir.listen()?)?;
    Ok(Prepared {
        dir,
        relay,
        socket,
        signals,
    })
}

fn random_id() -> io::Result<RelayId> {
    let mut bytes = [0; 8];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(RelayId::from_random(bytes))
}

/// How this build greets as a client.
pub(crate) fn greeting(versions: VersionRange) -> Greeting {
    Greeting {
        versions,
        build: env!("CARGO_PKG_VERSION").to_owned(),
        box_id: None,
        relay: None,
    }
}

async fn run(relay: Arc<Relay>, socket: UnixListener, signals: Signals) -> anyhow::Result<()> {
    let Signals {
        mut hangup,
        mut terminate,
        mut interrupt,
    } = signals;
    let mut asked = relay.end.subscribe();
    let accepting = accept(relay.clone(), socket);
    let reaping = relay.children.reap_forever();
    let ending = async {
        let grace_ms = tokio::select! {
            _ = terminate.recv() => SIGNAL_GRACE_MS,
            _ = interrupt.recv() => SIGNAL_GRACE_MS,
            Ok(asked) = asked.wait_for(Option::is_some) => asked.unwrap_or(SIGNAL_GRACE_MS),
        };
        let grace = Duration::from_millis(grace_ms);
        tokio::join!(
            relay.runs.stop_all(grace_ms),
            relay.terminals.close_all(grace)
        );
        relay.ended.cancel();
        tokio::time::sleep(GOODBYE_TIME).await;
    };
    let deaf = async { while hangup.recv().await.is_some() {} };
    tokio::select! {
        never = accepting => match never {},
        failed = reaping => failed.context("cannot wait for child processes"),
        () = ending => Ok(()),
        () = deaf => Ok(()),
    }
}

/// Accepts connections for ever. One that cannot be accepted is tried again when another has ended.
async fn accept(relay: Arc<Relay>, socket: UnixListener) -> std::convert::Infallible {
    /// How long to wait when the system has no room for another connection.
    const PAUSE: Duration = Duration::from_millis(100);
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(permit) = room.clone().acquire_owned().await else {
            return std::future::pending().await;
        };
        match socket.accept().await {
            Ok((stream, _)) => {
                let relay = relay.clone();
                tokio::spawn(async move {
                    session::serve(relay, stream).await;
                    drop(permit);
                });
            }
            Err(error) => {
                crate::diary::write(format_args!("cannot accept a connection: {error}"));
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
