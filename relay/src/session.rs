//! One connection: greeting, then a task for each stream that the client opens.
//!
//! Invariant: all that belongs to the connection ends with it; no run does.

use std::sync::Arc;

use paddock_relay_protocol::{
    Done, Driver, Mux, MuxStream, Open, Refusal, RefusalCode, Reply, Runs, Side, WireError, greet,
    limits, read_header, write_header,
};
use serde::Serialize;
use tokio::net::UnixStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::compat::TokioAsyncReadCompatExt;

use crate::serve::Relay;
use crate::stream;

/// Most streams served at once on one connection.
const SERVED: usize = 2 * limits::STREAMS;

/// Serves one connection until it ends.
pub(crate) async fn serve(relay: Arc<Relay>, mut socket: UnixStream) {
    // Whoever is at the other end learns from our greeting what was wrong with theirs.
    if greet(&mut socket, &relay.greeting).await.is_err() {
        return;
    }
    let (mux, mut driver) = Driver::new(socket.compat(), Side::Relay);
    let mut streams = JoinSet::new();
    let pulse = mux.clone();
    let mut silence = std::pin::pin!(pulse.falls_silent());
    loop {
        tokio::select! {
            // A client that is gone without a word must not keep its place for ever.
            () = &mut silence => return,
            stream = driver.next() => match stream {
                Some(stream) if streams.len() < SERVED => {
                    streams.spawn(answer(relay.clone(), mux.clone(), stream));
                }
                Some(_one_too_many) => {}
                None => return,
            },
            Some(_) = streams.join_next() => {}
        }
    }
}

/// Serves one stream.
async fn answer(relay: Arc<Relay>, mux: Mux, mut stream: MuxStream) {
    let header = timeout(
        limits::HEADER_TIME,
        read_header(&mut stream, limits::HEADER_LEN),
    )
    .await;
    let open = match header {
        Ok(Ok(header)) => Open::decode(&header),
        Ok(Err(error)) => match error.refusal() {
            Some(refusal) => Err(refusal),
            None => return,
        },
        Err(_) => Err(Refusal::new(
            RefusalCode::TimedOut,
            "the stream's header did not come in time",
        )),
    };
    // What fails from here on fails because the client is gone, or was told so already.
    let _ = match open {
        Ok(open) => dispatch(&relay, mux, &mut stream, open).await,
        Err(refusal) => refuse(&mut stream, refusal).await,
    };
}

async fn dispatch(
    relay: &Arc<Relay>,
    mux: Mux,
    stream: &mut MuxStream,
    open: Open,
) -> Result<(), WireError> {
    match open {
        Open::Ping => grant(stream, Done {}).await,
        Open::Runs => {
            grant(
                stream,
                Runs {
                    runs: relay.runs.list(),
                },
            )
            .await
        }
        Open::Spawn(spawn) => reply(stream, relay.runs.spawn(&spawn).await).await,
        Open::Log(from) => stream::log::serve(relay, stream, &from).await,
        Open::Input(input) => stream::input::serve(relay, stream, &input).await,
        Open::Claim(claim) => {
            let claimed = relay.runs.get(&claim.run).and_then(|run| run.claim(&claim));
            reply(stream, claimed).await
        }
        Open::Resize(resize) => reply(stream, stream::control::resize(relay, &resize)).await,
        Open::Stop(stop) => reply(stream, stream::control::stop(relay, stop).await).await,
        Open::Signal(signal) => reply(stream, stream::control::signal(relay, &signal)).await,
        Open::Processes => grant(stream, stream::control::processes(relay)).await,
        Open::Shutdown(shutdown) => {
            relay.end.send_replace(Some(shutdown.grace_ms));
            relay.ended.cancelled().await;
            grant(stream, Done {}).await
        }
        Open::Exec(exec) => stream::exec::serve(relay, stream, &exec).await,
        Open::Pty(pty) => stream::exec::serve_pty(relay, stream, &pty).await,
        Open::Upload(upload) => stream::transfer::upload(stream, upload).await,
        Open::Download(download) => stream::transfer::download(stream, download).await,
        Open::Dial(dial) => stream::dial::serve(stream, &dial).await,
        Open::Forward(forward) => stream::forward::serve(relay, mux, stream, &forward).await,
        Open::Diff(request) => stream::diff::serve(relay, stream, request).await,
        Open::Terminals => grant(stream, relay.terminals.list()).await,
        Open::TerminalOpen(open) => reply(stream, stream::terminal::open(relay, open)).await,
        Open::TerminalAttach(attach) => stream::terminal::attach(relay, stream, &attach).await,
        Open::TerminalClose(close) => {
            reply(stream, stream::terminal::close(relay, close).await).await
        }
        Open::Forwarded(_) => {
            let message = "only a relay opens streams of kind `forwarded`";
            refuse(stream, Refusal::new(RefusalCode::UnknownKind, message)).await
        }
    }
}

/// Answers with what was asked for.
pub(crate) async fn grant(stream: &mut MuxStream, value: impl Serialize) -> Result<(), WireError> {
    write_header(stream, &Reply::Ok(value)).await
}

/// Answers that it cannot be.
pub(crate) async fn refuse(stream: &mut MuxStream, refusal: Refusal) -> Result<(), WireError> {
    write_header(stream, &Reply::<Done>::Error(refusal)).await
}

/// Answers with either.
pub(crate) async fn reply(
    stream: &mut MuxStream,
    outcome: Result<impl Serialize, Refusal>,
) -> Result<(), WireError> {
    match outcome {
        Ok(value) => grant(stream, value).await,
        Err(refusal) => refuse(stream, refusal).await,
    }
}
