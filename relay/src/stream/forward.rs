//! `forward`: a port on 127.0.0.1 in the box that leads to the client that is attached to it.
//!
//! Invariant: a listener, once made, stays for as long as the relay lives, under its name and port.
//! Connections that come while no client is attached wait for one, a bounded time and a bounded number
//! of them.

use std::collections::HashMap;
use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use paddock_relay_protocol::{
    Done, Forward, Forwarded, Listening, Mux, MuxStream, Open, Refusal, RefusalCode, WireError,
    read_reply, splice, write_header,
};
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};

use crate::serve::Relay;
use crate::session::{grant, refuse};

/// How long a connection waits for a client to attach again.
const WAIT_TIME: Duration = Duration::from_secs(60);

/// Most connections of one listener at once; more wait in the system's queue.
const CONNECTIONS: usize = 128;

/// Most listeners.
const LISTENERS: usize = 64;

/// The listeners, by name.
#[derive(Debug, Default)]
pub(crate) struct Forwards {
    by_name: Mutex<HashMap<String, Listener>>,
}

#[derive(Clone, Debug)]
struct Listener {
    port: u16,
    client: Arc<watch::Sender<Client>>,
}

/// Who serves a listener.
#[derive(Clone, Debug, Default)]
struct Client {
    /// Counts attachments, so that a new one is never taken for the one before.
    number: u64,
    /// The connection of the client that is attached now.
    mux: Option<Mux>,
}

pub(crate) async fn serve(
    relay: &Arc<Relay>,
    mux: Mux,
    stream: &mut MuxStream,
    forward: &Forward,
) -> Result<(), WireError> {
    let listener = match relay.forwards.listen(forward) {
        Ok(listener) => listener,
        Err(refusal) => return refuse(stream, refusal).await,
    };
    let attached = Attached::new(listener.client.clone(), mux);
    grant(
        stream,
        Listening {
            port: listener.port,
        },
    )
    .await?;
    // Until the client goes, or another takes its place.
    tokio::select! {
        _ = stream.read_u8() => {}
        () = attached.replaced() => {}
    }
    Ok(())
}

impl Forwards {
    /// The listener of this name, made when it is not there.
    fn listen(&self, forward: &Forward) -> Result<Listener, Refusal> {
        let taken = |message| Err(Refusal::new(RefusalCode::ForwardTaken, message));
        let mut by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listener) = by_name.get(&forward.name) {
            if forward.port != 0 && forward.port != listener.port {
                let (name, port) = (&forward.name, listener.port);
                return taken(format!("`{name}` is forwarded at port {port} already"));
            }
            return Ok(listener.clone());
        }
        if by_name.len() >= LISTENERS {
            return taken(format!("no more than {LISTENERS} ports can be forwarded"));
        }
        match bind(forward.port) {
            Ok(socket) => {
                let port = socket
                    .local_addr()
                    .map(|at| at.port())
                    .unwrap_or(forward.port);
                let listener = Listener {
                    port,
                    client: Arc::default(),
                };
                tokio::spawn(accept(
                    forward.name.clone(),
                    socket,
                    listener.client.clone(),
                ));
                by_name.insert(forward.name.clone(), listener.clone());
                Ok(listener)
            }
            Err(error) => taken(format!(
                "port {} cannot be had in the box: {error}",
                forward.port
            )),
        }
    }
}

fn bind(port: u16) -> io::Result<TcpListener> {
    let socket = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    socket.set_nonblocking(true)?;
    TcpListener::from_std(socket)
}

/// One client's attachment to a listener, for as long as this lives.
struct Attached {
    number: u64,
    client: Arc<watch::Sender<Client>>,
}

impl Attached {
    fn new(client: Arc<watch::Sender<Client>>, mux: Mux) -> Self {
        let mut number = 0;
        client.send_modify(|current| {
            number = current.number + 1;
            *current = Client {
                number,
                mux: Some(mux),
            };
        });
        Self { number, client }
    }

    async fn replaced(&self) {
        let mut current = self.client.subscribe();
        let _ = current
            .wait_for(|client| client.number != self.number)
            .await;
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.client.send_if_modified(|current| {
            let ours = current.number == self.number;
            if ours {
                current.mux = None;
            }
            ours
        });
    }
}

async fn accept(name: String, socket: TcpListener, client: Arc<watch::Sender<Client>>) {
    /// How long to wait when the system has no room for another connection.
    const PAUSE: Duration = Duration::from_millis(100);
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    while let Ok(permit) = room.clone().acquire_owned().await {
        match socket.accept().await {
            Ok((connection, _)) => {
                let (name, client) = (name.clone(), client.subscribe());
                tokio::spawn(async move {
                    // Whoever made the connection sees it closed; there is nobody else to tell.
                    let _ = lead(&name, connection, client).await;
                    drop(permit);
                });
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Leads one connection to the client that is attached, or that comes in time.
async fn lead(
    name: &str,
    connection: TcpStream,
    mut client: watch::Receiver<Client>,
) -> Result<(), WireError> {
    let deadline = Instant::now() + WAIT_TIME;
    loop {
        let attached = timeout_at(deadline, client.wait_for(|client| client.mux.is_some())).await;
        let Ok(Ok(Client {
            number,
            mux: Some(mux),
        })) = attached.map(|c| c.map(|c| c.clone()))
        else {
            return Ok(());
        };
        match timeout_at(deadline, open(&mux, name)).await {
            Ok(Ok(stream)) => return splice(connection, stream).await,
            Ok(Err(WireError::Refused(_))) | Err(_) => return Ok(()),
            // That client is lost: wait for the next one.
            Ok(Err(_)) => {
                let next = client.wait_for(|client| client.number != number);
                if !matches!(timeout_at(deadline, next).await, Ok(Ok(_))) {
                    return Ok(());
                }
            }
        }
    }
}

async fn open(mux: &Mux, name: &str) -> Result<MuxStream, WireError> {
    let mut stream = mux.open().await.map_err(io::Error::other)?;
    write_header(
        &mut stream,
        &Open::Forwarded(Forwarded {
            name: name.to_owned(),
        }),
    )
    .await?;
    let Done {} = read_reply(&mut stream).await?;
    Ok(stream)
}
