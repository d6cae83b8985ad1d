//! [`RelayClient`]: one typed method for each kind of stream.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use paddock_relay_protocol::{
    Agreed, Claim, Claimed, Delivered, Dial, DiffRequest, Done, Download, Exec, ExecPty, Exit,
    Forward, FrameKind, Input, InputAck, Launch, Listening, LogFrom, LogOpened, Open, Processes,
    Resize, RunId, RunInfo, Runs, Shutdown, Signal, Spawn, Stop, Upload, Uploaded, limits,
    read_reply, write_frame,
};
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::connection::{Connection, REPLY_TIME, within};
use crate::{
    DiffStream, DownloadStream, ForwardTarget, Forwarding, LogStream, RelayError, RemoteProcess,
    RemotePty, Tunnel, transfer,
};

/// One connection to one relay. Clones share it; it closes with the last of them and of the streams that
/// they opened.
///
/// Every method fails with [`RelayError::NotConnected`] when the connection is lost, with
/// [`RelayError::Stalled`] when it was open and moved nothing, [`RelayError::Refused`] when the relay says no, [`RelayError::TimedOut`] when it does not answer.
#[derive(Clone)]
pub struct RelayClient {
    pub(crate) connection: Arc<Connection>,
}

impl std::fmt::Debug for RelayClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RelayClient")
            .field("peer", self.peer())
            .finish_non_exhaustive()
    }
}

impl RelayClient {
    /// A connection that has stalled is given up within this time, and every call on it fails.
    pub const STALL_NOTICED_WITHIN: Duration = limits::SILENCE;

    /// How much longer than the graces a stop may take before we call it late.
    const STOP_SLACK: Duration = Duration::from_secs(30);

    /// Greets the relay at the other end of `stream`: a `paddock-relay connect`, or its socket.
    ///
    /// # Errors
    /// [`RelayError::VersionMismatch`], [`RelayError::Protocol`] when it is no relay.
    pub async fn connect<T>(stream: T) -> Result<Self, RelayError>
    where
        T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let connection = Connection::start(stream).await?;
        Ok(Self { connection })
    }

    /// Connects to the relay that serves the directory `dir` on this machine. The path may be of any
    /// length.
    ///
    /// # Errors
    /// [`RelayError::NoRelay`]; else as [`RelayClient::connect`].
    #[cfg(unix)]
    pub async fn connect_unix(dir: &Path) -> Result<Self, RelayError> {
        let socket = dir.join("socket");
        match dial_unix(&socket).await {
            Ok(stream) => Self::connect(stream).await,
            Err(source) => Err(RelayError::NoRelay {
                at: socket.display().to_string(),
                source,
            }),
        }
    }

    /// What the greeting said of the relay: version, build, box.
    #[must_use]
    pub fn peer(&self) -> &Agreed {
        &self.connection.peer
    }

    /// Returns when the connection is over, however that came.
    pub async fn closed(&self) {
        self.connection.over.cancelled().await;
    }

    /// Ends the connection for all clones. Runs go on.
    pub fn close(&self) {
        self.connection.over.cancel();
    }

    /// Makes sure that the relay answers.
    ///
    /// # Errors
    /// See [`RelayClient`].
    pub async fn ping(&self) -> Result<(), RelayError> {
        let Done {} = self.ask(&Open::Ping).await?;
        Ok(())
    }

    /// All runs that the relay knows, newest first.
    ///
    /// # Errors
    /// See [`RelayClient`].
    pub async fn runs(&self) -> Result<Vec<RunInfo>, RelayError> {
        let Runs { runs } = self.ask(&Open::Runs).await?;
        Ok(runs)
    }

    /// Starts a run. A program that cannot be executed is no error here: its run has ended, and says
    /// why.
    ///
    /// # Errors
    /// `run_exists` when this run was started before; else see [`RelayClient`].
    pub async fn spawn(&self, spawn: &Spawn) -> Result<RunInfo, RelayError> {
        self.ask(&Open::Spawn(spawn.clone())).await
    }

    /// The log of `run` from byte `from`, which must be the start of a record, and then live when
    /// `follow`.
    ///
    /// # Errors
    /// `no_such_run`, `beyond_end`; else see [`RelayClient`].
    pub async fn log(&self, run: &RunId, from: u64, follow: bool) -> Result<LogStream, RelayError> {
        let open = Open::Log(LogFrom {
            run: run.clone(),
            from,
            follow,
        });
        let (stream, opened): (_, LogOpened) = self.connection.ask(&open, REPLY_TIME).await?;
        Ok(LogStream::new(stream, from, opened))
    }

    /// Delivers `message` to the agent, as it is: a line protocol needs its newline in it. When this
    /// returns, the message is durable and will reach the agent unless the agent ends first. Repeat it
    /// with the same id after an error: it is delivered once.
    ///
    /// # Errors
    /// `owned_by_other`, `run_ended`, `stdin_closed`, `busy`, `frame_too_long`; else see
    /// [`RelayClient`].
    pub async fn input(&self, input: &Input, message: Bytes) -> Result<Delivered, RelayError> {
        let exchange = async {
            let mut stream = self.connection.open(&Open::Input(input.clone())).await?;
            let sent = async {
                for chunk in message.chunks(limits::CHUNK_LEN) {
                    write_frame(&mut stream, FrameKind::Stdin, chunk).await?;
                }
                write_frame(&mut stream, FrameKind::Eof, &[]).await
            };
            // A refusal may come before all is sent; it says more than the broken stream.
            let sent = sent.await;
            let reply: Result<InputAck, _> = read_reply(&mut stream).await;
            match (reply, sent) {
                (Ok(ack), _) => Ok(ack.delivered),
                (Err(error), _) => Err(error.into()),
            }
        };
        let taken = within("take a message", REPLY_TIME, exchange).await;
        taken.map_err(|error| self.connection.explain(error))
    }

    /// Takes the ownership of a run's input.
    ///
    /// # Errors
    /// `owned_by_other` without `take_over`; else see [`RelayClient`].
    pub async fn claim(&self, claim: &Claim) -> Result<Claimed, RelayError> {
        self.ask(&Open::Claim(claim.clone())).await
    }

    /// Resizes the terminal of a run.
    ///
    /// # Errors
    /// See [`RelayClient`].
    pub async fn resize(&self, resize: &Resize) -> Result<(), RelayError> {
        let Done {} = self.ask(&Open::Resize(resize.clone())).await?;
        Ok(())
    }

    /// Ends a run and every process of it, and gives its exit. The relay goes on with the stop when
    /// the connection is lost meanwhile; a run that has ended gives its exit at once.
    ///
    /// # Errors
    /// See [`RelayClient`].
    pub async fn stop(&self, stop: &Stop) -> Result<Exit, RelayError> {
        let limit = Duration::from_millis(stop.grace_ms.saturating_mul(3)) + Self::STOP_SLACK;
        let (_, exit) = self
            .connection
            .ask(&Open::Stop(stop.clone()), limit)
            .await?;
        Ok(exit)
    }

    /// Signals the agent of a run, or one process.
    ///
    /// # Errors
    /// See [`RelayClient`].
    pub async fn signal(&self, signal: &Signal) -> Result<(), RelayError> {
        let Done {} = self.ask(&Open::Signal(signal.clone())).await?;
        Ok(())
    }

    /// Runs a command in the box, with streams. Dropping what this gives kills the command.
    ///
    /// # Errors
    /// `not_found`, `cannot_execute`; else see [`RelayClient`].
    pub async fn exec(&self, launch: &Launch) -> Result<RemoteProcess, RelayError> {
        let open = Open::Exec(Exec {
            launch: launch.clone(),
        });
        let (stream, Done {}) = self.connection.ask(&open, REPLY_TIME).await?;
        Ok(RemoteProcess::new(stream))
    }

    /// Runs a command (without a program, the user's shell) on a terminal in the box. Dropping what
    /// this gives hangs it up.
    ///
    /// # Errors
    /// As [`RelayClient::exec`].
    pub async fn pty(&self, pty: &ExecPty) -> Result<RemotePty, RelayError> {
        let (stream, Done {}) = self
            .connection
            .ask(&Open::Pty(pty.clone()), REPLY_TIME)
            .await?;
        Ok(RemotePty::new(stream))
    }

    /// Unpacks the tar archive `from` into the existing directory `dir`; gives the number of entries.
    ///
    /// # Errors
    /// `io`, [`RelayError::Local`] when `from` cannot be read; else see [`RelayClient`].
    pub async fn upload(&self, dir: &str, from: impl AsyncRead + Unpin) -> Result<u64, RelayError> {
        let open = Open::Upload(Upload {
            dir: dir.to_owned(),
        });
        let (mut stream, Done {}) = self.connection.ask(&open, REPLY_TIME).await?;
        let Uploaded { entries } = transfer::upload(&mut stream, from).await?;
        Ok(entries)
    }

    /// Packs the file or directory `path` as a tar archive.
    ///
    /// # Errors
    /// `io`; else see [`RelayClient`].
    pub async fn download(&self, path: &str) -> Result<DownloadStream, RelayError> {
        let open = Open::Download(Download {
            path: path.to_owned(),
        });
        let (stream, Done {}) = self.connection.ask(&open, REPLY_TIME).await?;
        Ok(DownloadStream::new(stream))
    }

    /// Connects to something that listens inside the box.
    ///
    /// # Errors
    /// `cannot_dial`; else see [`RelayClient`].
    pub async fn dial(&self, to: &Dial) -> Result<Tunnel, RelayError> {
        let (stream, Done {}) = self
            .connection
            .ask(&Open::Dial(to.clone()), REPLY_TIME)
            .await?;
        Ok(Tunnel::new(stream))
    }

    /// Makes a port inside the box lead to `target` on our side, for as long as the result lives.
    /// After a reconnect, the same name finds the same port and the connections that wait there.
    ///
    /// # Errors
    /// `forward_taken`; else see [`RelayClient`].
    pub async fn forward(
        &self,
        forward: &Forward,
        target: ForwardTarget,
    ) -> Result<Forwarding, RelayError> {
        let lease = self.connection.targets.add(&forward.name, target);
        let open = Open::Forward(forward.clone());
        let (stream, Listening { port }) = self.connection.ask(&open, REPLY_TIME).await?;
        Ok(Forwarding::new(port, stream, lease))
    }

    /// Diff statistics of work trees in the box, once or live.
    ///
    /// # Errors
    /// See [`RelayClient`].
    pub async fn diff(&self, request: &DiffRequest) -> Result<DiffStream, RelayError> {
        let open = Open::Diff(request.clone());
        let (stream, Done {}) = self.connection.ask(&open, REPLY_TIME).await?;
        Ok(DiffStream::new(stream))
    }

    /// The processes in the box.
    ///
    /// # Errors
    /// See [`RelayClient`].
    pub async fn processes(&self) -> Result<Processes, RelayError> {
        self.ask(&Open::Processes).await
    }

    /// Stops all runs, each with this grace, and ends the relay.
    ///
    /// # Errors
    /// See [`RelayClient`].
    pub async fn shutdown(&self, grace: Duration) -> Result<(), RelayError> {
        let grace_ms = u64::try_from(grace.as_millis()).unwrap_or(u64::MAX);
        let open = Open::Shutdown(Shutdown { grace_ms });
        let limit = grace.saturating_mul(3) + Self::STOP_SLACK;
        let (_, Done {}) = self.connection.ask(&open, limit).await?;
        Ok(())
    }

    pub(crate) async fn ask<T: DeserializeOwned>(&self, open: &Open) -> Result<T, RelayError> {
        let (_, reply) = self.connection.ask(open, REPLY_TIME).await?;
        Ok(reply)
    }
}

/// Connects to a socket whose path may be longer than the 108 bytes that fit into an address.
#[cfg(target_os = "linux")]
async fn dial_unix(socket: &Path) -> std::io::Result<tokio::net::UnixStream> {
    use std::os::fd::AsRawFd;
    const FITS: usize = 100;
    if socket.as_os_str().len() <= FITS {
        return tokio::net::UnixStream::connect(socket).await;
    }
    let (Some(dir), Some(name)) = (socket.parent(), socket.file_name()) else {
        return Err(std::io::ErrorKind::InvalidInput.into());
    };
    let dir = std::fs::File::open(dir)?;
    let short = Path::new("/proc/self/fd")
        .join(dir.as_raw_fd().to_string())
        .join(name);
    tokio::net::UnixStream::connect(short).await
}

#[cfg(all(unix, not(target_os = "linux")))]
async fn dial_unix(socket: &Path) -> std::io::Result<tokio::net::UnixStream> {
    tokio::net::UnixStream::connect(socket).await
}
