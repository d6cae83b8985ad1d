//! What boxes use, as the kernel counts it.

use std::time::Duration;

use paddock_boxes::{Measured, Meter};
use paddock_domain::BoxKind;
use tokio::time::Instant;

use crate::support::{IMAGE, Stand, docker, engine, say, sh};

/// Memory that the box takes on purpose, in bytes.
const TAKEN: u64 = 40 << 20;

/// Reads until the box is there.
async fn read(meter: &mut Meter, stand: &Stand, kind: BoxKind) -> Measured {
    let task = stand.bare_request(kind).task_id;
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(measured) = meter.read(std::slice::from_ref(&task)).await.remove(&task) {
            return measured;
        }
        assert!(Instant::now() < deadline, "the box is not read");
    }
}

/// Processor time, memory, processes and disk traffic of a box are those of what runs in it.
async fn check(kind: BoxKind) {
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(kind)).await;
    let mut meter = Meter::new(stand.again());
    let before = read(&mut meter, &stand, kind).await;
    // A shell that holds a long text, another that has burnt time and ended.
    let mib = TAKEN >> 20;
    let hold = format!(
        "x=$(head -c {TAKEN} /dev/zero | tr '\\0' x); echo ready; read line; echo ${{#x}} # {mib}"
    );
    let held = paddock_exec::Command::new("sh").args(["-c", &hold]);
    let mut held = live.place().spawn(&held).await.unwrap();
    let mut word = [0; 5];
    tokio::io::AsyncReadExt::read_exact(&mut held.stdout, &mut word)
        .await
        .unwrap();
    say(&live, "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done").await;
    say(&live, "head -c 3000000 /dev/zero >written; sync").await;
    let after = read(&mut meter, &stand, kind).await;
    drop(held);

    let (now, then) = (after.reading, before.reading);
    assert!(
        now.memory >= then.memory + TAKEN * 9 / 10,
        "{now:?} {then:?}"
    );
    assert!(now.memory < then.memory + TAKEN * 3, "{now:?} {then:?}");
    assert!(now.cpu_ns >= then.cpu_ns + 50_000_000, "{now:?} {then:?}");
    assert!(now.processes > then.processes, "{now:?} {then:?}");
    match kind {
        BoxKind::Container => {
            assert_eq!(after.limits.memory_bytes, 512 << 20);
            assert!(after.limits.enforced);
        }
        BoxKind::Worktree => {
            assert!(!after.limits.enforced && after.limits.processes.is_none());
        }
    }
    let written = now.disk.unwrap_or_default().1 - then.disk.unwrap_or_default().1;
    assert!(
        // The first control groups count what is written later by the kernel's own threads to nobody.
        kind == BoxKind::Container || now.disk.is_none() || written >= 3_000_000,
        "{now:?} {then:?}"
    );
    let count = stand.boxes.disk_count(&live.record.task_id).await.unwrap();
    assert!(count.bytes >= 3_000_000 && !count.at_least, "{count:?}");

    stand.boxes.stop(&live.record).await.unwrap();
    let task = live.record.task_id.clone();
    assert!(
        meter.read(&[task]).await.is_empty(),
        "a box that is over is read"
    );
}

#[tokio::test]
async fn a_worktree_box_is_the_sum_of_what_runs_in_it() {
    check(BoxKind::Worktree).await;
}

#[tokio::test]
async fn a_container_is_what_its_control_group_counts() {
    if engine().await.is_some() {
        check(BoxKind::Container).await;
    }
}

#[tokio::test]
async fn the_engine_and_the_control_group_tell_the_same() {
    let Some(engine) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand
        .provision(&stand.bare_request(BoxKind::Container))
        .await;
    let mut meter = Meter::new(stand.again());
    let own = read(&mut meter, &stand, BoxKind::Container).await.reading;
    let usage = engine.usage(&live.record.name).await.unwrap().unwrap();
    assert!(
        usage.memory.abs_diff(own.memory) < 4 << 20,
        "{usage:?} {own:?}"
    );
    assert!(
        usage.cpu_ns.abs_diff(own.cpu_ns) < 100_000_000,
        "{usage:?} {own:?}"
    );
    assert_eq!((usage.network, own.network), (None, None));
    assert_eq!(
        usage.disk.is_some(),
        own.disk.is_some(),
        "{usage:?} {own:?}"
    );
}

#[tokio::test]
async fn a_larger_limit_holds_at_once_and_after_a_restart() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand
        .provision(&stand.bare_request(BoxKind::Container))
        .await;
    let task = live.record.task_id.clone();
    stand.boxes.limit_memory(&task, 700).await.unwrap();
    let limit =
        "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null";
    assert_eq!(sh(&live, limit).await.1, (700 << 20).to_string());
    stand.boxes.stop(&live.record).await.unwrap();
    let record = stand.boxes.record(&task).unwrap().unwrap();
    let again = stand.boxes.restart(&record).await.unwrap();
    assert_eq!(sh(&again, limit).await.1, (700 << 20).to_string());
    let mut meter = Meter::new(stand.again());
    let measured = read(&mut meter, &stand, BoxKind::Container).await;
    assert_eq!(measured.limits.memory_bytes, 700 << 20);
}

#[tokio::test]
async fn one_that_only_has_the_name_of_a_box_is_neither_read_nor_limited() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand
        .provision(&stand.bare_request(BoxKind::Container))
        .await;
    let (task, name) = (live.record.task_id.clone(), live.record.name.clone());
    let ours = docker(&["inspect", "-f", "{{.Id}}", &name]);
    docker(&["rename", &name, &format!("{name}-renamed")]);
    let run = ["run", "-d", "--memory", "64m", "--name", &name, IMAGE];
    let other = docker(&[&run[..], &["sh", "-c", "while :; do sleep 1; done"]].concat());

    stand.boxes.limit_memory(&task, 700).await.unwrap();
    let limit = |id: &str| docker(&["inspect", "-f", "{{.HostConfig.Memory}}", id]);
    let limits = (limit(&ours), limit(&other));
    stand.boxes.stop(&live.record).await.unwrap();
    let read = Meter::new(stand.again()).read(&[task]).await;
    docker(&["rm", "-f", &other]);
    assert_eq!(limits, ((700 << 20).to_string(), (64 << 20).to_string()));
    assert!(
        read.is_empty(),
        "somebody else's container is read: {read:?}"
    );
}
