//! Settled journals are compressed, read as before, and survive whatever stops their change of form.

use std::fs;
use std::path::Path;

use paddock_domain::Transition;
use paddock_store::{AtRest, Store, StoreError};

use crate::support::*;

fn packed_path(data: &Path, id: &str) -> std::path::PathBuf {
    data.join("tasks").join(id).join("journal.jsonl.zst")
}

/// A data directory with a packed journal of `n` notices, closed; and its plain text.
async fn with_packed(n: usize) -> (tempfile::TempDir, Vec<u8>) {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = with_notices(&store, "t1", n).await;
    journal.append(vec![draft(finished())]).await.unwrap();
    let plain = fs::read(journal_path(data.path(), "t1")).unwrap();
    journal.pack().await.unwrap();
    drop(journal);
    store.close().await;
    (data, plain)
}

#[tokio::test]
async fn a_packed_journal_is_opened_without_being_read_and_goes_on() {
    let (data, plain) = with_packed(30).await;
    assert!(!journal_path(data.path(), "t1").exists());
    let (store, report) = open(data.path()).await;
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(history(&store, "t1").await.len(), 32);
    let mut journal = store.journal(&task("t1")).await.unwrap();
    assert!(
        packed_path(data.path(), "t1").exists(),
        "opening changes nothing"
    );
    journal.append(vec![draft(asked("more"))]).await.unwrap();
    assert!(!packed_path(data.path(), "t1").exists());
    let now = fs::read(journal_path(data.path(), "t1")).unwrap();
    assert!(now.starts_with(&plain) && now.len() > plain.len());
    assert_eq!(history(&store, "t1").await.len(), 33);
    drop(journal);
    store.close().await;
    drop(store);
    assert!(open(data.path()).await.1.is_clean());
}

#[tokio::test]
async fn without_its_index_it_is_folded_from_the_packed_lines() {
    let (data, _) = with_packed(5).await;
    fs::remove_file(data.path().join("index.sqlite")).unwrap();
    let (store, report) = open(data.path()).await;
    assert_eq!(report.refolded, [task("t1")]);
    assert_eq!(store.tasks()[0].last_seq, 7);
    assert_eq!(store.verify(&task("t1")).await.unwrap().findings, []);
}

#[tokio::test]
async fn a_change_of_form_that_was_cut_short_is_finished() {
    let (data, plain) = with_packed(5).await;
    let packed = fs::read(packed_path(data.path(), "t1")).unwrap();
    let half = data.path().join("tasks/t1/journal.half");
    // Packing stopped before its end, after its end, and before the plain one went.
    for (with_plain, with_packed) in [(true, false), (true, true), (false, true)] {
        let _ = fs::remove_file(journal_path(data.path(), "t1"));
        let _ = fs::remove_file(packed_path(data.path(), "t1"));
        fs::write(&half, &packed[..packed.len() / 2]).unwrap();
        if with_plain {
            fs::write(journal_path(data.path(), "t1"), &plain).unwrap();
        }
        if with_packed {
            fs::write(packed_path(data.path(), "t1"), &packed).unwrap();
        }
        let (store, report) = open(data.path()).await;
        assert!(report.is_clean(), "{report:?}");
        assert!(!half.exists());
        assert_ne!(
            journal_path(data.path(), "t1").exists(),
            packed_path(data.path(), "t1").exists(),
            "one form is left"
        );
        assert_eq!(history(&store, "t1").await.len(), 7);
        store.close().await;
    }
}

#[tokio::test]
async fn a_plain_copy_that_somebody_changed_is_set_aside_and_told() {
    let (data, plain) = with_packed(5).await;
    let changed = String::from_utf8(plain)
        .unwrap()
        .replace("note 3", "mote 3");
    fs::write(journal_path(data.path(), "t1"), &changed).unwrap();
    let (store, report) = open(data.path()).await;
    assert_eq!(report.set_aside, [task("t1")]);
    assert!(!journal_path(data.path(), "t1").exists());
    let kept = fs::read_to_string(data.path().join("tasks/t1/journal.cut-1")).unwrap();
    assert_eq!(kept, changed);
    assert_eq!(history(&store, "t1").await.len(), 7);
}

#[tokio::test]
async fn a_broken_packed_journal_is_told_and_mended() {
    let (data, _) = with_packed(5).await;
    let path = packed_path(data.path(), "t1");
    let mut bytes = fs::read(&path).unwrap();
    bytes[40] ^= 0xFF;
    fs::write(&path, &bytes).unwrap();
    let (store, report) = open(data.path()).await;
    assert!(report.is_clean(), "it is not read at open: {report:?}");
    let told = store.reader(&task("t1")).page(0, 1000).await.unwrap_err();
    assert!(told.to_string().contains("begins with line 1"), "{told}");
    let found = store.verify(&task("t1")).await.unwrap().findings;
    assert!(!found.is_empty());
    let repaired = store.repair(&task("t1"), now(), 1, false).await.unwrap();
    assert_eq!(
        repaired.kept.as_deref(),
        Some("journal.before-repair-1.zst")
    );
    assert_eq!(store.verify(&task("t1")).await.unwrap().findings, []);
    assert_eq!(
        fs::read(data.path().join("tasks/t1/journal.before-repair-1.zst")).unwrap(),
        bytes
    );
}

#[tokio::test]
async fn archiving_packs() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let steps = [Transition::PurgeRequested, Transition::PurgeDone];
    journal
        .append(steps.map(|on| draft(moved(on))).into())
        .await
        .unwrap();
    drop(journal);
    store.archive(&task("t1")).await.unwrap();
    assert!(packed_path(data.path(), "t1").exists());
    let listed = store.journals().await.unwrap();
    assert!(listed[0].archived && listed[0].file_bytes > 0);
    assert_eq!(history(&store, "t1").await.len(), 3);
    store.close().await;
    drop(store);
    let later = now().plus_ms(Store::RECENT_MS * 2);
    let (store, report) = Store::open(data.path(), later).await.unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!((report.older, store.tasks().len()), (1, 0));
    assert_eq!(store.older().await.unwrap().len(), 1);
    assert_eq!(history(&store, "t1").await.len(), 3);
}

#[tokio::test]
async fn a_repair_that_is_refused_leaves_nothing_behind() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = with_notices(&store, "t1", 3).await;
    journal.pack().await.unwrap();
    drop(journal);
    store.close().await;
    drop(store);
    fs::remove_file(data.path().join("index.sqlite")).unwrap();
    fs::write(packed_path(data.path(), "t1"), "nothing that can be read").unwrap();

    let rest = AtRest::open(data.path()).await.unwrap();
    let refused = rest.repair(&task("t1"), now(), 7, false).await;
    assert!(
        matches!(refused, Err(StoreError::BeyondRepair { .. })),
        "{refused:?}"
    );
    let left: Vec<_> = fs::read_dir(data.path().join("tasks/t1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["journal.jsonl.zst"]);
}
