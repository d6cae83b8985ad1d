//! Relays of other builds, older and newer: what is common is spoken, what is not is refused with both
//! ranges, and the agents of a relay that nobody understands work on.

use paddock_relay_client::protocol::{
    Driver, Greeting, Open, RunInfo, Side, VersionRange, greet, read_reply, write_header,
};
use paddock_relay_client::{RelayClient, RelayError};
use tokio::net::UnixStream;
use tokio_util::compat::TokioAsyncReadCompatExt;

use super::rig::*;

#[tokio::test]
async fn a_relay_of_an_older_or_newer_build_speaks_the_version_that_both_know() {
    let ours = VersionRange::THIS_BUILD;
    for range in [(ours.min, ours.max + 3), (0, ours.max), (0, ours.max + 1)] {
        let rig = Rig::start_with(&["--speak", &format!("{}-{}", range.0, range.1)]);
        let client = rig.client().await;
        let peer = client.peer();
        assert_eq!(peer.version, ours.max);
        assert_eq!((peer.peer.versions.min, peer.peer.versions.max), range);
        spawn(&client, "r", "echo understood").await;
        assert_eq!(outs(&whole_log(&client, "r").await), ["understood"]);
    }
}

#[tokio::test]
async fn a_relay_that_shares_no_version_is_named_and_its_run_is_left_alone() {
    for range in ["900-901", "0-0"] {
        let rig = Rig::start_with(&["--speak", range]);
        let theirs = VersionRange::parse(range).unwrap();
        let agent = spawn_as(&rig, theirs, "while :; do sleep 0.1; done").await;
        let agent = agent.pid.unwrap().to_string();
        let refused = RelayClient::connect_unix(rig.dir()).await.unwrap_err();
        let said = refused.to_string();
        let RelayError::VersionMismatch {
            ours, theirs: told, ..
        } = refused
        else {
            panic!("{said}");
        };
        assert_eq!((ours, told), (VersionRange::THIS_BUILD, theirs));
        for part in [ours.to_string(), theirs.to_string(), "update".to_owned()] {
            assert!(said.contains(&part), "{said}");
        }
        assert!(lives(&agent), "its agent does not work on");
        rig.signal("-TERM");
        rig.wait_until_gone();
        assert!(!lives(&agent));
    }
}

/// Starts a run as a client of another build does, which goes then.
async fn spawn_as(rig: &Rig, versions: VersionRange, script: &str) -> RunInfo {
    let mut socket = UnixStream::connect(rig.dir().join("socket")).await.unwrap();
    let greeting = Greeting {
        versions,
        build: "another".to_owned(),
        box_id: None,
        relay: None,
    };
    greet(&mut socket, &greeting).await.unwrap();
    let (mux, mut driver) = Driver::new(socket.compat(), Side::Client);
    let spawned = async {
        let mut stream = mux.open().await.unwrap();
        let spawn = Open::Spawn(spawn_of("r", sh(script)));
        write_header(&mut stream, &spawn).await.unwrap();
        read_reply(&mut stream).await.unwrap()
    };
    tokio::select! {
        info = soon(spawned) => info,
        _ = driver.next() => panic!("the relay has gone"),
    }
}
