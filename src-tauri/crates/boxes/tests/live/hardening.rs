//! The default profile of a container, looked at from inside.

use paddock_boxes::BoxRequest;
use paddock_domain::BoxKind;

use crate::support::{Stand, engine, say, sh};

#[tokio::test]
async fn a_box_has_no_power_beyond_its_own_files() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(BoxKind::Container)).await;
    let status = say(&live, "grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp|Uid|Gid|Groups):' /proc/self/status").await;
    for line in status.lines() {
        let (name, value) = line.split_once(':').unwrap();
        let value = value.trim();
        match name {
            "NoNewPrivs" => assert_eq!(value, "1"),
            "Seccomp" => assert_eq!(value, "2"),
            "Uid" | "Gid" => assert!(value.split_whitespace().all(|id| id != "0"), "{line}"),
            "Groups" => assert!(value.is_empty() || value == "1000", "{line}"),
            _ => assert_eq!(value, "0000000000000000", "{line}"),
        }
    }
    assert_eq!(status.lines().count(), 10, "{status}");
}

#[tokio::test]
async fn what_is_lent_to_a_box_cannot_be_changed_by_it() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(BoxKind::Container)).await;
    for lent in [
        "/opt/paddock/paddock-relay",
        "/opt/paddock/toolbox/scripted/1.0.0/new",
        &live.program,
        "/srv/objects/0/new",
        "/usr/bin/new",
        "/etc/passwd",
        "/run/new",
    ] {
        let (ok, said) = sh(&live, &format!("echo x >>{lent}")).await;
        assert!(!ok, "{lent} could be written: {said}");
    }
    for own in ["/work/new", "/home/agent/new", "/tmp/new"] {
        say(&live, &format!("echo x >>{own}")).await;
    }
}

#[tokio::test]
async fn the_host_is_not_seen_from_a_box() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(BoxKind::Container)).await;
    let hidden = [
        stand.repository.path.display().to_string(),
        stand.path().display().to_string(),
        "/var/run/docker.sock".to_owned(),
        "/run/docker.sock".to_owned(),
        "/srv/objects/0/../HEAD".to_owned(),
        "/srv/objects/0/../config".to_owned(),
    ];
    for path in hidden {
        assert!(
            !sh(&live, &format!("test -e '{path}'")).await.0,
            "{path} is seen"
        );
    }
    // Its own processes only, and no network but its loopback.
    assert_eq!(say(&live, "cat /proc/1/comm").await, "paddock-relay");
    assert_eq!(say(&live, "ls /sys/class/net").await, "lo");
    assert_eq!(
        say(&live, "env | grep -cE 'TOKEN|KEY|SECRET|SSH' || true").await,
        "0"
    );
}

#[tokio::test]
async fn limits_hold() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let request = BoxRequest {
        pids: Some(40),
        memory_mib: Some(64),
        ..stand.bare_request(BoxKind::Container)
    };
    let live = stand.provision(&request).await;
    let (ok, said) = sh(&live, "for n in $(seq 100); do sleep 5 & done 2>&1; wait").await;
    assert!(
        !ok || said.contains("fork"),
        "a hundred processes were allowed: {said}"
    );
    let (ok, _) = sh(
        &live,
        "head -c 200000000 /dev/zero | tail -c 190000000 >/dev/null",
    )
    .await;
    assert!(!ok, "more memory than allowed was used");
    // The relay is not what was killed.
    live.relay.ping().await.unwrap();
}
