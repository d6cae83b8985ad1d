//! Nothing leaves unless somebody set how long it is kept, and nothing that is referred to.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use paddock_domain::{ExpiredKind, Timestamp, Transition};
use paddock_store::{Retention, Store, StoreError};

use crate::support::*;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A purged task with an artifact that is referred to and one that is not, long ago.
async fn purged(store: &Store, data: &Path, id: &str) -> String {
    let mut journal = store.create(first(id)).await.unwrap();
    let drafts = vec![
        draft(gave(&"a".repeat(20_000))),
        draft(moved(Transition::PurgeRequested)),
        draft(moved(Transition::PurgeDone)),
    ];
    let lines = journal.append(drafts).await.unwrap();
    drop(journal);
    store.archive(&task(id)).await.unwrap();
    let loose = data.join("artifacts").join(id).join("f".repeat(64));
    fs::write(&loose, "left over").unwrap();
    let reference = lines[0]
        .event
        .body
        .artifacts()
        .next()
        .unwrap()
        .sha256
        .clone();
    for file in [&loose, &data.join("artifacts").join(id).join(&reference)] {
        let long_ago = SystemTime::now() - 1000 * DAY;
        fs::File::options()
            .append(true)
            .open(file)
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
    }
    reference
}

fn later(days: i64) -> Timestamp {
    let wall = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap();
    let wall = i64::try_from(wall.as_millis()).unwrap();
    Timestamp::from_unix_ms(wall.max(NOW)).plus_ms(days * 24 * 60 * 60 * 1000)
}

fn kept(journals: Option<u32>, artifacts: Option<u32>) -> Retention {
    let days = |days: Option<u32>| days.map(|days| DAY * days);
    Retention {
        journals: days(journals),
        artifacts: days(artifacts),
    }
}

#[tokio::test]
async fn nothing_leaves_by_default() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    purged(&store, data.path(), "t1").await;
    let expired = store
        .expired(Retention::default(), false, later(10_000))
        .await
        .unwrap();
    assert_eq!(expired, []);
}

#[tokio::test]
async fn what_nothing_refers_to_leaves_and_what_something_refers_to_stays() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let reference = purged(&store, data.path(), "t1").await;
    let young = data.path().join("artifacts/t1").join("e".repeat(64));
    fs::write(&young, "being written").unwrap();
    let today = later(0);
    let would = store
        .expired(Retention::default(), true, today)
        .await
        .unwrap();
    assert_eq!(
        (would.len(), would[0].what, would[0].bytes),
        (1, ExpiredKind::Unreferenced, 9)
    );
    assert_eq!(
        store
            .let_go(Retention::default(), true, today)
            .await
            .unwrap(),
        would
    );
    assert!(store.artifact(&task("t1"), &reference).await.is_ok());
    assert!(young.exists(), "within its time of grace");
    assert!(
        !data
            .path()
            .join("artifacts/t1")
            .join("f".repeat(64))
            .exists()
    );
}

#[tokio::test]
async fn nothing_is_swept_beside_a_journal_that_cannot_be_read() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    purged(&store, data.path(), "t1").await;
    let packed = data.path().join("tasks/t1/journal.jsonl.zst");
    let mut bytes = fs::read(&packed).unwrap();
    bytes[30] ^= 0xFF;
    fs::write(&packed, bytes).unwrap();
    let refused = store.let_go(Retention::default(), true, later(0)).await;
    assert!(refused.is_err(), "{refused:?}");
    assert!(
        data.path()
            .join("artifacts/t1")
            .join("f".repeat(64))
            .exists()
    );
}

#[tokio::test]
async fn artifacts_that_left_on_purpose_are_not_missed() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let reference = purged(&store, data.path(), "t1").await;
    let gone = store
        .let_go(kept(None, Some(30)), false, later(40))
        .await
        .unwrap();
    assert_eq!((gone.len(), gone[0].what), (1, ExpiredKind::Artifacts));
    let missing = store.artifact(&task("t1"), &reference).await.unwrap_err();
    assert!(matches!(missing, StoreError::NoSuchArtifact { .. }));
    let found = store.verify(&task("t1")).await.unwrap().findings;
    assert_eq!(found, []);
    assert_eq!(history(&store, "t1").await.len(), 4);
}

#[tokio::test]
async fn a_journal_that_is_kept_no_longer_leaves_with_all_that_belongs_to_it() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    purged(&store, data.path(), "t1").await;
    drop(with_notices(&store, "t2", 1).await);
    assert_eq!(
        store
            .let_go(kept(Some(30), None), false, later(20))
            .await
            .unwrap(),
        []
    );
    let gone = store
        .let_go(kept(Some(30), None), false, later(40))
        .await
        .unwrap();
    assert_eq!((gone.len(), gone[0].what), (1, ExpiredKind::Journal));
    assert!(!data.path().join("tasks/t1").exists() && !data.path().join("artifacts/t1").exists());
    let none = store.reader(&task("t1")).page(0, 1000).await.unwrap_err();
    assert!(matches!(none, StoreError::NoSuchTask { .. }));
    assert_eq!(
        history(&store, "t2").await.len(),
        2,
        "a task that is not purged stays"
    );
    store.close().await;
    drop(store);
    assert!(open(data.path()).await.1.is_clean());
}

#[tokio::test]
async fn a_removal_that_was_cut_short_is_finished_at_the_next_start() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    purged(&store, data.path(), "t1").await;
    store.close().await;
    drop(store);
    fs::rename(
        data.path().join("tasks/t1"),
        data.path().join("tasks/.gone-t1"),
    )
    .unwrap();
    let (store, report) = open(data.path()).await;
    assert_eq!(report.vanished, [task("t1")]);
    assert!(report.unreadable.is_empty(), "{report:?}");
    assert!(!data.path().join("tasks/.gone-t1").exists());
    assert!(!data.path().join("artifacts/t1").exists());
    assert!(store.tasks().is_empty());
}
