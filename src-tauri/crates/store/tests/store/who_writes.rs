//! One Paddock a data directory, one writer a journal.

use paddock_store::{Store, StoreError};

use crate::support::*;

#[tokio::test]
async fn a_second_store_on_the_same_data_is_refused_with_what_to_do() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let refused = Store::open(data.path(), now())
        .await
        .map(|_| ())
        .unwrap_err();
    assert!(
        matches!(refused, StoreError::InUse { pid: Some(pid), .. } if pid == std::process::id())
    );
    assert!(
        refused
            .to_string()
            .contains("stop that one, or choose another data directory")
    );
    store.close().await;
    drop(store);
    open(data.path()).await;
}

#[tokio::test]
async fn a_second_writer_is_refused_until_the_first_lets_go() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let first_writer = store.create(first("t1")).await.unwrap();
    let refused = store.journal(&task("t1")).await.map(|_| ()).unwrap_err();
    assert!(
        matches!(refused, StoreError::WriterBusy { .. }),
        "{refused}"
    );
    assert!(matches!(
        store.archive(&task("t1")).await,
        Err(StoreError::WriterBusy { .. })
    ));
    drop(first_writer);
    store.journal(&task("t1")).await.unwrap();
}

#[tokio::test]
async fn a_task_is_created_once_and_begins_at_its_beginning() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(store.create(first("t1")).await.unwrap());
    let twice = store.create(first("t1")).await.map(|_| ()).unwrap_err();
    assert!(matches!(twice, StoreError::TaskExists { .. }), "{twice}");
    let mut late = first("t2");
    late.seq = 2;
    let refused = store.create(late).await.map(|_| ()).unwrap_err();
    assert!(
        matches!(refused, StoreError::NotABeginning { seq: 2, .. }),
        "{refused}"
    );
    let mut other = first("t2");
    other.body = noted("hello");
    let refused = store.create(other).await.map(|_| ()).unwrap_err();
    assert!(matches!(
        refused,
        StoreError::NotABeginning {
            found: "notice",
            ..
        }
    ));
    let none = store.journal(&task("t2")).await.map(|_| ()).unwrap_err();
    assert!(matches!(none, StoreError::NoSuchTask { .. }), "{none}");
}
