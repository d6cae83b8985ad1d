//! `carry`: serves one forwarded port of a box from the client's side, in a process of its own.
//!
//! A request that an agent has under way must not break because the program that forwarded its port was
//! killed or updated. Invariant: whatever the box asks for leads to the one address given at the start, and
//! only for the box whose name was given. One carrier serves a port: the lock says so, and tells the
//! number of the port to whoever comes next. It ends with the relay.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail};
use paddock_relay_protocol::{
    BoxId, Driver, Forward, Listening, Mux, MuxStream, Open, Refusal, RefusalCode, Side,
    VersionRange, WireError, answer_forwarded, greet, limits, read_reply, write_header,
};
use tokio::net::UnixStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};

use crate::args::Carry;
use crate::{daemon, place, serve, stream};

/// Most connections carried at once.
const CARRIED: usize = 128;

/// Pause before a relay that did not answer is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// Another carrier serves this port.
#[derive(Debug, thiserror::Error)]
#[error("port {0} is carried already")]
pub(crate) struct Carried(u16);

/// Serves until the relay is gone.
pub(crate) fn carry(options: &Carry) -> anyhow::Result<()> {
    // Whoever started us may have made us the leader of a session already.
    let _ = daemon::leave_session();
    let mut lock = Lock::take(options)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let carried = runtime.block_on(async {
        let line = Line::open(options).await?;
        lock.tell(line.port)?;
        say(&format!("ready {}", line.port));
        daemon::close_stdout();
        keep(options, line).await
    });
    runtime.shutdown_background();
    carried
}

fn say(line: &str) {
    let mut stdout = io::stdout();
    // Whoever started us may be gone; the agent's requests are not.
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

/// Serves connection after connection, as long as a relay listens.
async fn keep(options: &Carry, mut line: Line) -> anyhow::Result<()> {
    loop {
        if line.serve(options).await == End::Replaced {
            return Ok(());
        }
        line = loop {
            match Line::open(options).await {
                Ok(line) => break line,
                // It lives and did not answer in time: it may yet.
                Err(error) if is_patient(&error) => tokio::time::sleep(PAUSE).await,
                Err(_) => return Ok(()),
            }
        };
    }
}

fn is_patient(error: &anyhow::Error) -> bool {
    use paddock_relay_protocol::GreetError;
    matches!(
        error.downcast_ref::<GreetError>(),
        Some(GreetError::TimedOut | GreetError::Wire(_))
    )
}

/// Why a connection served no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It is lost.
    Lost,
    /// Another client serves the port.
    Replaced,
}

/// A connection that serves the port.
struct Line {
    port: u16,
    mux: Mux,
    driver: Driver<Compat<UnixStream>>,
    /// Open for as long as the port is ours.
    lease: MuxStream,
    /// Connections that came before it was.
    early: Vec<MuxStream>,
}

impl Line {
    async fn open(options: &Carry) -> anyhow::Result<Self> {
        let socket = place::dial(&options.dir)?;
        socket.set_nonblocking(true)?;
        let mut socket = UnixStream::from_std(socket)?;
        let agreed = greet(&mut socket, &serve::greeting(VersionRange::THIS_BUILD)).await?;
        ensure_box(agreed.peer.box_id.as_ref(), options.box_id.as_ref())?;
        let (mux, mut driver) = Driver::new(socket.compat(), Side::Client);
        let forward = Forward {
            name: options.name.clone(),
            port: 0,
        };
        let opener = mux.clone();
        let asked = async {
            let mut lease = opener.open().await.map_err(io::Error::other)?;
            write_header(&mut lease, &Open::Forward(forward)).await?;
            let listening: Listening = read_reply(&mut lease).await?;
            Ok::<_, WireError>((lease, listening.port))
        };
        let mut asked = std::pin::pin!(timeout(limits::GREETING_TIME, asked));
        let mut early = Vec::new();
        let (lease, port) = loop {
            tokio::select! {
                asked = &mut asked => {
                    break asked.context("the relay does not forward the port")??;
                }
                // Connections that waited in the box may come before the answer.
                stream = driver.next() => match stream {
                    Some(stream) if early.len() < CARRIED => early.push(stream),
                    Some(_one_too_many) => {}
                    None => bail!("the relay has gone"),
                },
            }
        };
        Ok(Self {
            port,
            mux,
            driver,
            lease,
            early,
        })
    }

    async fn serve(&mut self, options: &Carry) -> End {
        use tokio::io::AsyncReadExt;
        let mut carried = JoinSet::new();
        for stream in self.early.drain(..) {
            carried.spawn(lead(stream, options.name.clone(), options.to));
        }
        let mut silence = std::pin::pin!(self.mux.falls_silent());
        loop {
            tokio::select! {
                // A connection that is over has lost its lease too.
                biased;
                () = &mut silence => return End::Lost,
                stream = self.driver.next() => match stream {
                    Some(stream) if carried.len() < CARRIED => {
                        carried.spawn(lead(stream, options.name.clone(), options.to));
                    }
                    Some(_one_too_many) => {}
                    None => return End::Lost,
                },
                ended = self.lease.read_u8() => return match ended {
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => End::Replaced,
                    Ok(_) | Err(_) => End::Lost,
                },
                Some(_) = carried.join_next() => {}
            }
        }
    }
}

/// The socket lies where the box can write: it may lead to another box.
fn ensure_box(found: Option<&BoxId>, wanted: Option<&BoxId>) -> anyhow::Result<()> {
    if found == wanted {
        return Ok(());
    }
    bail!("another box answers at the socket; nothing is carried for it")
}

/// Leads one connection of the box to the target.
async fn lead(stream: MuxStream, name: String, to: SocketAddr) {
    let dial = |asked: String| async move {
        if asked != name {
            let message = format!("`{asked}` is not carried here");
            return Err(Refusal::new(RefusalCode::CannotDial, message));
        }
        stream::dial::tcp(&to.ip().to_string(), to.port()).await
    };
    // Whatever fails, the box sees its connection closed.
    let _ = answer_forwarded(stream, dial).await;
}

/// The lock, which holds the number of the port for whoever finds it taken.
struct Lock {
    file: File,
}

impl Lock {
    fn take(options: &Carry) -> anyhow::Result<Self> {
        let path = &options.lock;
        let named = || format!("cannot use {}", path.display());
        let (file, ours) = place::lock(path).with_context(named)?;
        if !ours {
            let mut port = String::new();
            (&file).take(16).read_to_string(&mut port)?;
            let port = port.trim().parse();
            let port = port.context("another carrier has just begun; try again")?;
            say(&format!("taken {port}"));
            return Err(Carried(port).into());
        }
        // What an earlier one left is not ours to tell yet.
        file.set_len(0)?;
        Ok(Self { file })
    }

    fn tell(&mut self, port: u16) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "{port}")
    }
}
