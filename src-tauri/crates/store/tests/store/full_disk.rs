//! A full disk, for real: a file system of one megabyte, in a mount namespace of the test's own.
//!
//! The test runs itself again inside `unshare`. Where namespaces are not to be had it says so and
//! leaves the promise untested on that machine.

use std::path::Path;
use std::process::Command;

use paddock_store::StoreError;

use crate::support::*;

const INSIDE: &str = "PADDOCK_TEST_SMALL_DISK";

#[test]
fn a_full_disk_loses_nothing_and_is_over_when_there_is_room() {
    if let Some(disk) = std::env::var_os(INSIDE) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        return runtime.block_on(fill_and_free(Path::new(&disk)));
    }
    let disk = tempfile::tempdir().unwrap();
    let mount =
        "mount -t tmpfs -o size=1m none \"$PADDOCK_TEST_SMALL_DISK\" || exit 99; exec \"$@\"";
    let ran = Command::new("unshare")
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            mount,
            "sh",
        ])
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "full_disk::a_full_disk_loses_nothing_and_is_over_when_there_is_room",
        ])
        .arg("--nocapture")
        .env(INSIDE, disk.path())
        .output();
    match ran {
        Ok(ran) if ran.status.success() => {
            let said = String::from_utf8_lossy(&ran.stdout).into_owned();
            assert!(said.contains("1 passed"), "{said}");
        }
        Ok(ran) if ran.status.code() == Some(101) => {
            panic!("{}", String::from_utf8_lossy(&ran.stderr));
        }
        refused => eprintln!("not tested, no small file system can be mounted here: {refused:?}"),
    }
}

async fn fill_and_free(disk: &Path) {
    let (store, _) = open(disk).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let ballast = disk.join("ballast");
    std::fs::write(&ballast, vec![0; 300_000]).unwrap();
    let mut written = 1;
    let full = loop {
        match journal.append(vec![draft(noted(&"n".repeat(9_000)))]).await {
            Ok(lines) => written += lines.len() as u64,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, StoreError::Full { .. }), "{full}");
    assert!(full.to_string().contains("make room"), "{full}");
    assert!(written > 20, "{written}");
    assert_eq!(journal.last_seq(), written);
    assert_eq!(history(&store, "t1").await.len() as u64, written);
    let refused = journal
        .append(vec![draft(gave(&"o".repeat(300_000)))])
        .await
        .unwrap_err();
    assert!(matches!(refused, StoreError::Full { .. }), "{refused}");
    let refused = store
        .create(first_with_prompt("t2", &"p".repeat(500_000)))
        .await;
    assert!(matches!(refused, Err(StoreError::Full { .. })));
    assert!(!disk.join("tasks/t2").exists() && !disk.join("tasks/.new-t2").exists());

    std::fs::remove_file(&ballast).unwrap();
    let lines = journal
        .append(vec![draft(gave(&"o".repeat(50_000))), draft(finished())])
        .await
        .unwrap();
    assert_eq!(seqs(&lines), [written + 1, written + 2]);
    drop(store.create(first("t2")).await.unwrap());
    drop(journal);
    store.close().await;
    drop(store);
    let (store, report) = open(disk).await;
    assert_eq!(
        (report.cuts.len(), report.damaged.len(), report.tasks),
        (0, 0, 2)
    );
    assert_eq!(history(&store, "t1").await.len() as u64, written + 2);
}
