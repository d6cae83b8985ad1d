//! Connections come and go; the relay and its runs stay.

use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use paddock_relay_client::{RelayClient, RelayError};

use super::rig::*;

#[tokio::test]
async fn the_greeting_names_the_box_and_the_socket_is_private() {
    let rig = Rig::start();
    let client = rig.client().await;
    let peer = &client.peer().peer;
    assert_eq!(peer.box_id.as_ref().unwrap().as_str(), "b1");
    assert_eq!(peer.build, env!("CARGO_PKG_VERSION"));
    let mode = std::fs::metadata(rig.dir().join("socket"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn a_directory_with_a_long_path_works_like_any_other() {
    let rig = Rig::start_in(&format!("{}/é {}", "long".repeat(30), "name".repeat(30)));
    rig.client().await.ping().await.unwrap();
}

#[tokio::test]
async fn connect_bridges_stdio_to_the_socket() {
    let rig = Rig::start();
    let mut bridge = tokio::process::Command::new(RELAY)
        .args(["connect", "--dir"])
        .arg(rig.dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdio = tokio::io::join(bridge.stdout.take().unwrap(), bridge.stdin.take().unwrap());
    let client = RelayClient::connect(stdio).await.unwrap();
    spawn(&client, "r", "seq 100000").await;
    assert_eq!(outs(&whole_log(&client, "r").await).len(), 100_000);
    drop(client);
    assert!(soon(bridge.wait()).await.unwrap().success());
}

#[tokio::test]
async fn no_relay_is_told_from_a_lost_one() {
    let rig = Rig::start();
    let client = rig.client().await;
    let nowhere = RelayClient::connect_unix(&rig.dir().join("nowhere")).await;
    assert!(matches!(nowhere, Err(RelayError::NoRelay { .. })));
    rig.signal("-KILL");
    soon(client.closed()).await;
    assert!(matches!(
        client.ping().await,
        Err(RelayError::NotConnected { .. })
    ));
    rig.wait_until_gone();
    rig.serve();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_reconnects_leave_nothing_behind() {
    let rig = Rig::start();
    let keeper = rig.client().await;
    spawn(&keeper, "r", "cat").await;
    let descriptors = || {
        std::fs::read_dir(format!("/proc/{}/fd", rig.pid()))
            .unwrap()
            .count()
    };
    let before = descriptors();
    for _ in 0..1000 {
        let batch = (0..10).map(|_| async {
            let client = rig.client().await;
            client.ping().await.unwrap();
        });
        futures_util::future::join_all(batch).await;
    }
    keeper.ping().await.unwrap();
    assert!(
        descriptors() <= before + 20,
        "{before} descriptors became {}",
        descriptors()
    );
    stop(&keeper, "r", 5000).await;
}

#[tokio::test]
async fn a_client_closed_for_one_clone_is_closed_for_all() {
    let rig = Rig::start();
    let client = rig.client().await;
    let other = client.clone();
    client.close();
    soon(other.closed()).await;
    assert!(soon(other.ping()).await.is_err());
}

#[test]
fn a_relay_whose_starter_is_gone_before_it_serves_goes_on() {
    let rig = Rig::start();
    let dir = rig.dir().join("second");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut relay = std::process::Command::new(RELAY)
        .args(["serve", "--foreground", "--dir"])
        .arg(&dir)
        // As the process in the background is started.
        .env("PADDOCK_RELAY_BACKGROUND", "1")
        .stdout(writer)
        .spawn()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(soon(async {
        while RelayClient::connect_unix(&dir).await.is_err() {
            assert_eq!(relay.try_wait().unwrap(), None, "it did not come up");
            tokio::task::yield_now().await;
        }
        // It answers after it has told its starter.
        let client = RelayClient::connect_unix(&dir).await.unwrap();
        client.ping().await.unwrap();
        assert_eq!(relay.try_wait().unwrap(), None);
    }));
    relay.kill().unwrap();
    relay.wait().unwrap();
}
