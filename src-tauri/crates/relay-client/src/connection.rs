//! The life of one connection: greeting, driver, pulse.
//!
//! Two tasks, both owned by the [`Connection`] and aborted with it: the driver moves bytes and serves
//! streams that the relay opens, the pulse ends the driver when the relay has fallen silent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use paddock_relay_protocol::{
    Agreed, Driver, Greeting, Mux, MuxStream, Open, Side, VersionRange, greet, limits, read_reply,
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

/// How long the relay may take to answer a plain request.
pub(crate) const REPLY_TIME: Duration = Duration::from_secs(30);

/// Most forwarded connections served at once.
const FORWARDED: usize = 128;

pub(crate) struct Connection {
    pub(crate) peer: Agreed,
    pub(crate) targets: Targets,
    pub(crate) over: CancellationToken,
    /// Whether it was given up because the relay had fallen silent.
    stalled: Arc<AtomicBool>,
    mux: Mux,
    _driver: AbortOnDropHandle<()>,
    _pulse: AbortOnDropHandle<()>,
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
            relay: None,
        };
        let peer = greet(&mut io, &ours).await?;
        let (mux, driver) = Driver::new(io.compat(), Side::Client);
        let (targets, over) = (Targets::default(), CancellationToken::new());
        let stalled = Arc::new(AtomicBool::new(false));
        let driver = drive(driver, targets.clone(), over.clone());
        let pulse = feel_pulse(mux.clone(), over.clone(), stalled.clone());
        Ok(Arc::new(Self {
            peer,
            targets,
            over,
            stalled,
            mux,
            _driver: AbortOnDropHandle::new(tokio::spawn(driver)),
            _pulse: AbortOnDropHandle::new(tokio::spawn(pulse)),
        }))
    }

    /// Whether it was given up because the relay had fallen silent.
    pub(crate) fn has_stalled(&self) -> bool {
        self.stalled.load(Ordering::Relaxed)
    }

    /// Says of a lost connection how it was lost.
    pub(crate) fn explain(&self, error: RelayError) -> RelayError {
        if self.has_stalled() && matches!(error, RelayError::NotConnected { .. }) {
            let silent = limits::SILENCE;
            return RelayError::Stalled { silent };
        }
        error
    }

    /// Opens a stream and says what it is for. The connection lives as long as the stream.
    pub(crate) async fn open(self: &Arc<Self>, open: &Open) -> Result<MuxStream, RelayError> {
        let stream = open_on(&self.mux, open).await;
        let stream = stream.map_err(|error| self.explain(error))?;
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
        let answer = within("answer", limit, asked).await;
        answer.map_err(|error| self.explain(error))
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

async fn feel_pulse(mux: Mux, over: CancellationToken, stalled: Arc<AtomicBool>) {
    tokio::select! {
        () = over.cancelled() => {}
        () = mux.falls_silent() => {
            let silent = limits::SILENCE.as_secs();
            tracing::warn!(silent, "the relay has fallen silent; the connection is given up");
            stalled.store(true, Ordering::Relaxed);
            over.cancel();
        }
    }
}

#[cfg(test)]
mod tests;
