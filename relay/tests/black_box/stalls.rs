//! Streams that stay open and move nothing: noticed by both ends within the stated time, and no run is
//! the worse for it.

use std::time::Instant;

use paddock_relay_client::protocol::{Greeting, VersionRange, greet, limits};
use paddock_relay_client::{RelayClient, RelayError};
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;

use super::rig::*;

#[tokio::test]
async fn a_relay_that_is_stopped_is_given_up_and_resumed_at_the_offset_when_it_goes_on() {
    let rig = Rig::start();
    let client = rig.client().await;
    let script = "i=0; while [ $i -lt 2000 ]; do echo $i; i=$((i+1)); [ $((i%10)) = 0 ] && sleep 0.01; done; read end";
    spawn(&client, "r", script).await;
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    let mut seen = Vec::new();
    while seen.len() < 100 {
        seen.push(soon(log.next()).await.unwrap().unwrap());
    }
    rig.signal("-STOP");
    let stopped = Instant::now();
    soon(client.closed()).await;
    assert!(stopped.elapsed() < 2 * limits::SILENCE);
    let asked = client.runs().await;
    assert!(
        matches!(asked, Err(RelayError::Stalled { .. })),
        "{asked:?}"
    );
    // What had come before is whole; then the stream breaks.
    while let Ok(Some(entry)) = soon(log.next()).await {
        seen.push(entry);
    }
    // Whoever connects meanwhile is told that nobody greets, and not for ever.
    let deaf = soon(RelayClient::connect_unix(rig.dir())).await;
    assert!(matches!(deaf, Err(RelayError::TimedOut { .. })), "{deaf:?}");
    rig.signal("-CONT");

    let client = rig.client().await;
    let from = seen.last().unwrap().end;
    let mut rest = client.log(&run_id("r"), from, true).await.unwrap();
    assert_eq!(rest.opened().relay, log.opened().relay);
    while seen.last().and_then(out).as_deref() != Some("1999") {
        seen.push(soon(rest.next()).await.unwrap().unwrap());
    }
    let expected: Vec<_> = (0..2000).map(|n| n.to_string()).collect();
    assert_eq!(outs(&seen), expected);
    stop(&client, "r", 5000).await;
}

#[tokio::test]
async fn a_client_that_falls_silent_loses_its_place_and_its_run_goes_on() {
    let rig = Rig::start();
    let lively = rig.client().await;
    spawn(&lively, "r", ECHO).await;
    let mut silent = UnixStream::connect(rig.dir().join("socket")).await.unwrap();
    let greeting = Greeting {
        versions: VersionRange::THIS_BUILD,
        build: "silent".to_owned(),
        box_id: None,
        relay: None,
    };
    greet(&mut silent, &greeting).await.unwrap();
    let began = Instant::now();
    let mut asked = Vec::new();
    soon(silent.read_to_end(&mut asked)).await.unwrap();
    assert!(began.elapsed() < 2 * limits::SILENCE);
    assert!(!asked.is_empty(), "it was not asked whether it is there");
    // One that answers has kept its place all the while.
    lively.ping().await.unwrap();
    stop(&lively, "r", 5000).await;
}
