//! Silence, noticed in time; and time that passes without us, held against nobody.

use std::time::Duration;

use tokio::io::DuplexStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::compat::TokioAsyncReadCompatExt;

use super::*;
use crate::{Driver, Reply, Side, limits};

/// One end of a connection, driven; what the other side opens is answered.
fn end(io: DuplexStream, side: Side) -> (Mux, JoinHandle<()>) {
    let (mux, mut driver) = Driver::new(io.compat(), side);
    let driving = tokio::spawn(async move {
        while let Some(mut stream) = driver.next().await {
            tokio::spawn(async move {
                let _ = write_header(&mut stream, &Reply::Ok(Done {})).await;
            });
        }
    });
    (mux, driving)
}

fn pair() -> (DuplexStream, DuplexStream) {
    tokio::io::duplex(64 * 1024)
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_answers_is_never_silent() {
    let (ours, theirs) = pair();
    let (mux, _ours) = end(ours, Side::Client);
    let (_other, _theirs) = end(theirs, Side::Relay);
    assert!(
        timeout(Duration::from_secs(3600), mux.falls_silent())
            .await
            .is_err()
    );
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_stops_is_noticed_within_the_stated_time() {
    // At every phase of the two clocks.
    for phase in 0..10 {
        let (ours, theirs) = pair();
        let (mux, _ours) = end(ours, Side::Client);
        let (other, theirs) = end(theirs, Side::Relay);
        let silence = mux.falls_silent();
        tokio::pin!(silence);
        let lively = Duration::from_millis(60_000 + phase * 500);
        assert!(timeout(lively, &mut silence).await.is_err());
        let stopped = Instant::now();
        // The stream stays open: the pipe is held by the task that is not polled any more.
        theirs.abort();
        let _open = (other, theirs);
        timeout(limits::SILENCE, &mut silence).await.unwrap();
        assert!(
            stopped.elapsed() >= limits::PULSE_EVERY,
            "given up too soon"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_relay_that_never_answers_a_stream_is_noticed() {
    let (ours, _held) = pair();
    let (mux, _ours) = end(ours, Side::Client);
    timeout(limits::SILENCE, mux.falls_silent()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_jumps_ends_no_connection_that_answers() {
    let (ours, theirs) = pair();
    let (mux, _ours) = end(ours, Side::Client);
    let (_other, _theirs) = end(theirs, Side::Relay);
    let silence = mux.falls_silent();
    tokio::pin!(silence);
    for _ in 0..50 {
        assert!(timeout(Duration::from_secs(7), &mut silence).await.is_err());
        // All timers fire at once, before anything that waits in the pipe is read.
        tokio::time::advance(Duration::from_secs(3600)).await;
    }
    assert!(
        timeout(Duration::from_secs(60), &mut silence)
            .await
            .is_err()
    );
}

#[tokio::test(start_paused = true)]
async fn one_that_died_while_we_slept_is_noticed_after_it() {
    let (ours, _held) = pair();
    let (mux, _ours) = end(ours, Side::Client);
    let silence = mux.falls_silent();
    tokio::pin!(silence);
    assert!(timeout(Duration::from_secs(6), &mut silence).await.is_err());
    tokio::time::advance(Duration::from_secs(3600)).await;
    timeout(limits::SILENCE, &mut silence).await.unwrap();
}
