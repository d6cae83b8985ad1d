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

/// Everything that an agent may leave behind when its relay is killed: a shell in a session of its own,
/// one that lost its parent twice, one that ignores signals, one that holds the agent's stdout, one that
/// forks without end. Each tells its process id.
const OFFSPRING: &str = r#"
trap '' TERM HUP INT PIPE
setsid sh -c 'echo session $$; exec sleep 1000' &
(setsid sh -c '(sh -c "echo orphan \$\$; exec sleep 1000" &) ' &)
setsid sh -c 'trap "" TERM HUP INT PIPE; echo stubborn $$; while :; do sleep 1000; done' &
setsid sh -c 'echo holder $$; exec sleep 1000' 2>/dev/null &
setsid sh -c 'trap "" PIPE; echo forker $$; while :; do (sleep 0.05; :) & sleep 0.01; done' 2>/dev/null &
echo agent $$
while :; do sleep 1000; done
"#;

#[tokio::test]
async fn nothing_that_an_agent_started_outlives_a_killed_relay_for_long() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", OFFSPRING).await;
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    let mut told = Vec::new();
    while told.len() < 6 {
        told.push(line_where(&mut log, |_| true).await);
    }
    let pids = |told: &[String]| -> Vec<String> {
        told.iter()
            .filter_map(|line| line.split(' ').nth(1).map(str::to_owned))
            .collect()
    };
    rig.signal("-KILL");
    soon(client.closed()).await;
    rig.wait_until_gone();
    assert!(
        pids(&told).iter().any(|pid| lives(pid)),
        "nothing was left to end"
    );
    rig.serve();

    let left: Vec<_> = pids(&told).into_iter().filter(|pid| lives(pid)).collect();
    assert!(left.is_empty(), "{left:?} of {told:?} are left");
    let marker = format!("PADDOCK_RUN=r@{}", rig.log_path("r").display());
    assert_eq!(carriers(&marker), Vec::<String>::new());
    let entries = whole_log(&rig.client().await, "r").await;
    assert_eq!(outs(&entries), told, "the last words are kept");
    assert_eq!(exit_of(&entries).ending, Ending::Lost);
}

#[tokio::test]
async fn an_agent_that_is_killed_takes_its_shells_with_it() {
    let rig = Rig::start();
    let client = rig.client().await;
    let agent = spawn(&client, "r", OFFSPRING)
        .await
        .pid
        .unwrap()
        .to_string();
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    for _ in 0..6 {
        line_where(&mut log, |_| true).await;
    }
    assert!(
        Command::new("kill")
            .args(["-9", &agent])
            .status()
            .unwrap()
            .success()
    );
    let exit = exit_of(&read_all(&mut log).await);
    assert_eq!(exit.ending, Ending::Signalled { signal: 9 });
    assert!(exit.strays >= 5, "{exit:?}");
    let marker = format!("PADDOCK_RUN=r@{}", rig.log_path("r").display());
    assert_eq!(carriers(&marker), Vec::<String>::new());
}

/// The living processes with this entry in their environment.
fn carriers(marker: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let carries = |pid: &String| {
        let environ = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        lives(pid)
            && environ
                .split(|byte| *byte == 0)
                .any(|entry| entry == marker.as_bytes())
    };
    processes
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
        .filter(carries)
        .collect()
}

#[tokio::test]
async fn a_new_run_of_the_next_relay_starts_clean() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "old", ECHO).await;
    client
        .input(&input("old", "m1", "desk"), "one\n".into())
        .await
        .unwrap();
    let before = client
        .log(&run_id("old"), 0, false)
        .await
        .unwrap()
        .opened()
        .relay;
    rig.signal("-KILL");
    soon(client.closed()).await;
    rig.wait_until_gone();
    rig.serve();
    let client = rig.client().await;
    let now = client.peer().peer.relay;
    assert!(before.is_some() && now.is_some() && before != now);
    // The old log is still the old relay's, whoever serves it.
    let old = client.log(&run_id("old"), 0, false).await.unwrap();
    assert_eq!(old.opened().relay, before);
    spawn(&client, "new", ECHO).await;
    let fresh = client
        .input(&input("new", "m1", "desk"), "one\n".into())
        .await;
    assert_eq!(fresh.unwrap(), Delivered::Written);
    let new = client.log(&run_id("new"), 0, false).await.unwrap();
    assert_eq!(new.opened().relay, now);
    stop(&client, "new", 5000).await;
}

#[tokio::test]
async fn the_lock_outlives_the_socket_and_a_stale_socket_keeps_nobody_out() {
    let rig = Rig::start();
    let client = rig.client().await;
    let serve = || {
        Command::new(RELAY)
            .args(["serve", "--dir"])
            .arg(rig.dir())
            .output()
            .unwrap()
    };
    std::fs::remove_file(rig.dir().join("socket")).unwrap();
    assert_eq!(serve().status.code(), Some(3), "a second relay was let in");
    client.ping().await.unwrap();
    rig.signal("-KILL");
    soon(client.closed()).await;
    rig.wait_until_gone();
    // A socket that nobody listens on, and a lock file with another's number in it.
    drop(std::os::unix::net::UnixListener::bind(rig.dir().join("socket")).unwrap());
    std::fs::write(rig.dir().join("lock"), "1\n").unwrap();
    let stale = paddock_relay_client::RelayClient::connect_unix(rig.dir()).await;
    assert!(matches!(
        stale,
        Err(paddock_relay_client::RelayError::NoRelay { .. })
    ));
    rig.serve();
    rig.client().await.ping().await.unwrap();
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
