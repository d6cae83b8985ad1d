//! Archived tasks: read for ever, written no more, and after two weeks listed without being read.

use paddock_domain::{StateName, Transition};
use paddock_store::{Store, StoreError};

use crate::support::*;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A data directory with one purged task.
async fn with_purged() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let steps = [Transition::PurgeRequested, Transition::PurgeDone];
    let drafts = steps.map(|on| draft(moved(on)));
    journal.append(drafts.into()).await.unwrap();
    drop(journal);
    store.archive(&task("t1")).await.unwrap();
    let refused = store.journal(&task("t1")).await.map(|_| ()).unwrap_err();
    assert!(matches!(refused, StoreError::Archived { .. }), "{refused}");
    store.close().await;
    data
}

#[tokio::test]
async fn an_archived_task_is_there_for_two_weeks_and_listed_after() {
    let data = with_purged().await;
    for (days, loaded) in [(0, 1), (13, 1), (15, 0)] {
        let later = now().plus_ms(days * DAY_MS);
        let (store, report) = Store::open(data.path(), later).await.unwrap();
        assert!(report.is_clean(), "{report:?}");
        assert_eq!((store.tasks().len(), report.older), (loaded, 1 - loaded));
        let older = store.older().await.unwrap();
        assert_eq!(older.len(), 1 - loaded);
        if let Some(listed) = older.first() {
            assert_eq!(
                (listed.title.as_str(), listed.state),
                ("fix it", StateName::Purged)
            );
        }
        assert_eq!(
            store.task(&task("t1")).await.unwrap().state,
            StateName::Purged
        );
        assert_eq!(history(&store, "t1").await.len(), 3);
        let refused = store.journal(&task("t1")).await.map(|_| ()).unwrap_err();
        assert!(matches!(refused, StoreError::Archived { .. }));
        store.close().await;
    }
}

#[tokio::test]
async fn without_its_index_it_is_listed_all_the_same() {
    let data = with_purged().await;
    std::fs::remove_file(data.path().join("index.sqlite")).unwrap();
    let later = now().plus_ms(15 * DAY_MS);
    let (store, report) = Store::open(data.path(), later).await.unwrap();
    assert_eq!((store.tasks().len(), report.older), (0, 1));
    assert_eq!(store.older().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_closed_store_refuses_what_needs_its_index_and_the_next_start_knows_it() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = with_notices(&store, "t1", 1).await;
    store.close().await;
    journal.append(vec![draft(finished())]).await.unwrap();
    drop(journal);
    let refused = store.archive(&task("t1")).await.unwrap_err();
    assert!(matches!(refused, StoreError::Closed), "{refused}");
    store.close().await;
    drop(store);
    let (store, report) = open(data.path()).await;
    assert_eq!(
        report.refolded,
        [task("t1")],
        "its mark was not in the index"
    );
    assert_eq!(store.tasks()[0].last_seq, 3);
}
