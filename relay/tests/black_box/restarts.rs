//! What is left when a relay dies, and what the next one makes of it.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;

use paddock_relay_client::protocol::{Body, Delivered, Ending, RunState};

use super::rig::*;

#[tokio::test]
async fn the_runs_of_a_relay_that_died_are_closed_by_the_next() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "done", "echo fine").await;
    whole_log(&client, "done").await;
    spawn(
        &client,
        "r",
        "setsid sh -c 'echo $$; exec sleep 1000' & cat",
    )
    .await;
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    let stray = line_where(&mut log, |_| true).await;
    client
        .input(&input("r", "m1", "desk"), "x\n".into())
        .await
        .unwrap();
    rig.signal("-KILL");
    soon(client.closed()).await;
    rig.wait_until_gone();
    let mut file = OpenOptions::new()
        .append(true)
        .open(rig.log_path("r"))
        .unwrap();
    file.write_all(b"{\"k\":\"out\",\"t\":1,\"s\":\"torn")
        .unwrap();
    rig.serve();

    let client = rig.client().await;
    let runs = client.runs().await.unwrap();
    let lost = runs.iter().find(|run| run.run == run_id("r")).unwrap();
    assert_eq!((lost.state, lost.torn), (RunState::Ended, Some(26)));
    let entries = whole_log(&client, "r").await;
    assert_eq!(exit_of(&entries).ending, Ending::Lost);
    let torn = entries[entries.len() - 2].record().unwrap().body;
    assert_eq!(torn, Body::Torn { bytes: 26 });
    assert!(!lives(&stray), "a process of the lost run is still there");
    let entries = whole_log(&client, "done").await;
    assert_eq!(exit_of(&entries).ending, Ending::Exited { code: 0 });

    // The ids of messages are read back from the log.
    let repeat = client.input(&input("r", "m1", "desk"), "x\n".into()).await;
    assert_eq!(repeat.unwrap(), Delivered::Repeat);
    assert!(
        client
            .input(&input("r", "m2", "desk"), "y\n".into())
            .await
            .is_err()
    );
}

#[tokio::test]
async fn a_hangup_and_the_end_of_every_client_change_nothing() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "read go; echo alive").await;
    rig.signal("-HUP");
    drop(client);
    let client = rig.client().await;
    client
        .input(&input("r", "go", "desk"), "go\n".into())
        .await
        .unwrap();
    assert_eq!(outs(&whole_log(&client, "r").await), ["alive"]);
}

#[tokio::test]
async fn sigterm_stops_every_run_and_then_the_relay() {
    let rig = Rig::start();
    let client = rig.client().await;
    let pid = spawn(&client, "r", "cat").await.pid.unwrap().to_string();
    rig.signal("-TERM");
    rig.wait_until_gone();
    assert!(!lives(&pid));
    rig.serve();
    let entries = whole_log(&rig.client().await, "r").await;
    assert!(exit_of(&entries).stopped);
}

#[tokio::test]
async fn a_client_can_end_the_relay() {
    let rig = Rig::start();
    let client = rig.client().await;
    let pid = spawn(&client, "r", "cat").await.pid.unwrap().to_string();
    soon(client.shutdown(std::time::Duration::from_secs(5)))
        .await
        .unwrap();
    rig.wait_until_gone();
    assert!(!lives(&pid));
    rig.serve();
}

#[tokio::test]
async fn two_relays_never_share_a_directory() {
    let rig = Rig::start();
    for foreground in [&[][..], &["--foreground"]] {
        let second = Command::new(RELAY)
            .args(["serve", "--dir"])
            .arg(rig.dir())
            .args(foreground)
            .output();
        let second = second.unwrap();
        assert_eq!(second.status.code(), Some(3));
        let complaint = String::from_utf8(second.stderr).unwrap();
        assert!(
            complaint.contains(&format!("process {}", rig.pid())),
            "{complaint}"
        );
    }
    rig.client().await.ping().await.unwrap();
}
