//! The relay as process 1 of a container, and on a disk that is full: in namespaces of its own, where
//! this machine lets us make them.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use paddock_relay_client::RelayClient;
use paddock_relay_client::protocol::Ending;

use super::rig::*;

/// A relay in the foreground behind `unshare`.
struct Unshared {
    unshare: Child,
    relay: String,
    dir: PathBuf,
}

impl Unshared {
    /// Runs `script`, which ends by becoming the relay; nothing when namespaces are not allowed here.
    fn start(dir: &Path, namespaces: &[&str], script: &str) -> Option<Self> {
        let unshare = || {
            let mut unshare = Command::new("unshare");
            unshare
                .args(["--user", "--map-root-user", "--fork", "--kill-child"])
                .args(namespaces);
            unshare
        };
        if !unshare()
            .arg("true")
            .output()
            .is_ok_and(|tried| tried.status.success())
        {
            eprintln!("no namespaces can be made here: not tested");
            return None;
        }
        let script = format!("{script}; exec {RELAY} serve --foreground --dir \"$0\"");
        let unshare = unshare()
            .args(["sh", "-c", &script])
            .arg(dir)
            .spawn()
            .unwrap();
        let relay = child_of(unshare.id());
        Some(Self {
            unshare,
            relay,
            dir: dir.to_owned(),
        })
    }

    /// The directory, as seen from outside.
    fn dir(&self) -> PathBuf {
        Path::new("/proc")
            .join(&self.relay)
            .join("root")
            .join(self.dir.strip_prefix("/").unwrap())
    }

    async fn client(&self) -> RelayClient {
        soon(async {
            loop {
                if let Ok(client) = RelayClient::connect_unix(&self.dir()).await {
                    return client;
                }
            }
        })
        .await
    }
}

impl Drop for Unshared {
    fn drop(&mut self) {
        let _ = self.unshare.kill();
        let _ = self.unshare.wait();
    }
}

fn child_of(parent: u32) -> String {
    loop {
        let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
        if let Some(child) = children.unwrap().split_whitespace().next() {
            return child.to_owned();
        }
    }
}

#[tokio::test]
async fn as_process_one_it_reaps_orphans_and_ends_all_on_sigterm() {
    let temp = tempfile::tempdir().unwrap();
    let Some(mut relay) = Unshared::start(temp.path(), &["--pid", "--mount-proc"], "true") else {
        return;
    };
    let client = relay.client().await;
    let info = spawn(
        &client,
        "r",
        "(setsid true &); (setsid env -i sleep 1000 &); echo up; cat",
    )
    .await;
    assert!(info.pid.unwrap() < 100, "not in a namespace of its own");
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    line_where(&mut log, |line| line == "up").await;
    soon(async {
        loop {
            let listed = client.processes().await.unwrap().processes;
            let reaped = listed.iter().all(|p| p.state != 'Z');
            let adopted = listed
                .iter()
                .any(|p| p.ppid == 1 && p.command == "sleep 1000");
            if reaped && adopted && listed.iter().any(|p| p.pid == 1) {
                break;
            }
        }
    })
    .await;

    assert!(
        Command::new("kill")
            .args(["-TERM", &relay.relay])
            .status()
            .unwrap()
            .success()
    );
    let entries = read_all(&mut log).await;
    let exit = exit_of(&entries);
    assert!(exit.stopped);
    assert!(relay.unshare.wait().unwrap().success());
}

#[tokio::test]
async fn while_the_disk_is_full_the_agent_waits_and_nothing_is_lost() {
    let temp = tempfile::tempdir().unwrap();
    let script =
        "mount -t tmpfs -o size=4m none \"$0\" && head -c 3000000 /dev/zero >\"$0/filler\"";
    let Some(relay) = Unshared::start(temp.path(), &["--mount"], script) else {
        return;
    };
    let client = relay.client().await;
    spawn(&client, "r", "seq 1 100000").await;
    soon(async { while client.runs().await.unwrap()[0].trouble.is_none() {} }).await;
    // A message that cannot be kept is refused, not lost.
    assert!(
        client
            .input(&input("r", "m1", "desk"), vec![b'x'; 1 << 20].into())
            .await
            .is_err()
    );
    std::fs::remove_file(relay.dir().join("filler")).unwrap();
    let entries = whole_log(&client, "r").await;
    assert_eq!(
        outs(&entries),
        (1..=100_000).map(|n| n.to_string()).collect::<Vec<_>>()
    );
    assert_eq!(exit_of(&entries).ending, Ending::Exited { code: 0 });
    assert_eq!(client.runs().await.unwrap()[0].trouble, None);
}
