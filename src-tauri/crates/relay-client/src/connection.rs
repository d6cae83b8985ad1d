//! The life of one connection: greeting, driver, keepalive.
//!
//! Two tasks, both owned by the [`Connection`] and aborted with it: the driver moves bytes and serves
//! streams that the relay opens, the keepalive ends the driver when a ping is not answered in time.

use std::sync::Arc;
use std::time::Duration;

use paddock_relay_protocol::{
    Agreed, Done, Driver, Greeting, Mux, MuxStream, Open, Side, VersionRange, greet, read_reply,
    write_header,
};
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio_util::compat::TokioAsyncReadCompatExt;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::RelayError;
use crate::forward::{self, Targets};

/// How long a quiet connection goes without a ping.
pub(crate) const KEEPALIVE_EVERY: Duration = Duration::from_secs(10);

/// How long a ping may take before the connection counts as stalled.
pub(crate) const KEEPALIVE_TIME: Duration = Duration::from_secs(10);

/// How long the relay may take to answer a plain request.
pub(crate) const REPLY_TIME: Duration = Duration::from_secs(30);

/// Most forwarded connections served at once.
const FORWARDED: usize = 128;

pub(crate) struct Connection {
    pub(crate) peer: Agreed,
    pub(crate) targets: Targets,
    pub(crate) over: CancellationToken,
    mux: Mux,
    _driver: AbortOnDropHandle<()>,
    _keepalive: AbortOnDropHandle<()>,
}

impl Connection {
    pub(crate) async fn start<T>(mut io: T) -> Result<Arc<Self>, RelayError>
    where
        T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let ours = Greeting {
            versions: VersionRange::THIS_BUILD,
            build: env!("CARGO_PKG_VERSION").to_owned(),
            box_id: None,
        };
        let peer = greet(&mut io, &ours).await?;
        let (mux, driver) = Driver::new(io.compat(), Side::Client);
        let (targets, over) = (Targets::default(), CancellationToken::new());
        let driver = drive(driver, targets.clone(), over.clone());
        let keepalive = keep_alive(mux.clone(), over.clone());
        Ok(Arc::new(Self {
            peer,
            targets,
            over,
            mux,
            _driver: AbortOnDropHandle::new(tokio::spawn(driver)),
            _keepalive: AbortOnDropHandle::new(tokio::spawn(keepalive)),
        }))
    }

    /// Opens a stream and says what it is for. The connection lives as long as the stream.
    pub(crate) async fn open(self: &Arc<Self>, open: &Open) -> Result<MuxStream, RelayError> {
        let stream = open_on(&self.mux, open).await?;
        Ok(stream.holding(self.clone()))
    }

    /// Opens a stream, says what it is for, and awaits the answer.
    pub(crate) async fn ask<T: DeserializeOwned>(
        self: &Arc<Self>,
        open: &Open,
        limit: Duration,
    ) -> Result<(MuxStream, T), RelayError> {
        let asked = async {
            let mut stream = self.open(open).await?;
            let reply = read_reply(&mut stream).await?;
            Ok((stream, reply))
        };
        within("answer", limit, asked).await
    }
}

/// Awaits `future`, but no longer than `limit`.
pub(crate) async fn within<T>(
    what: &'static str,
    limit: Duration,
    future: impl Future<Output = Result<T, RelayError>>,
) -> Result<T, RelayError> {
    match tokio::time::timeout(limit, future).await {
        Ok(result) => result,
        Err(_) => Err(RelayError::TimedOut { what, limit }),
    }
}

async fn open_on(mux: &Mux, open: &Open) -> Result<MuxStream, RelayError> {
    let mut stream = mux.open().await.map_err(RelayError::not_connected)?;
    write_header(&mut stream, open).await?;
    Ok(stream)
}

async fn drive<T>(mut driver: Driver<T>, targets: Targets, over: CancellationToken)
where
    T: futures_util::AsyncRead + futures_util::AsyncWrite + Unpin + Send,
{
    let mut serving = JoinSet::new();
    loop {
        tokio::select! {
            () = over.cancelled() => return,
            stream = driver.next() => match stream {
                // One too many is dropped, which the relay sees as a refusal.
                Some(stream) if serving.len() < FORWARDED => {
                    serving.spawn(forward::serve(stream, targets.clone()));
                }
                Some(_) => tracing::warn!("too many forwarded connections: one was refused"),
                None => return over.cancel(),
            },
            Some(_) = serving.join_next() => {}
        }
    }
}

async fn keep_alive(mux: Mux, over: CancellationToken) {
    loop {
        tokio::time::sleep(KEEPALIVE_EVERY).await;
        let pong = async {
            let mut stream = open_on(&mux, &Open::Ping).await?;
            Ok(read_reply::<Done>(&mut stream).await?)
        };
        if let Err(error) = within("answer a ping", KEEPALIVE_TIME, pong).await {
            tracing::warn!(%error, "the connection to the relay is given up");
            return over.cancel();
        }
    }
}

#[cfg(test)]
mod tests;
