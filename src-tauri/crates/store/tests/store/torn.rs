//! A write that was cut short at any byte costs nothing that was acknowledged.

use std::fs;

use proptest::prelude::*;

use crate::support::*;

/// Tears the journal at byte `at` while the index knows all of it, or none of it.
async fn check_torn_at(at: usize, with_index: bool) {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 3).await);
    store.close().await;
    drop(store);
    let path = journal_path(data.path(), "t1");
    let whole = fs::read(&path).unwrap();
    let at = at % whole.len();
    let text = &whole[..at];
    fs::write(&path, text).unwrap();
    if !with_index {
        fs::remove_file(data.path().join("index.sqlite")).unwrap();
    }
    let kept = text
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |n| n + 1);
    let lines = text.iter().filter(|&&byte| byte == b'\n').count();

    let (store, report) = open(data.path()).await;

    assert_eq!(
        fs::read(&path).unwrap(),
        text[..kept],
        "what is whole stays"
    );
    match report.cuts.as_slice() {
        [] => assert_eq!(kept, at),
        [cut] => {
            assert_eq!(
                (cut.after_seq, cut.bytes),
                (lines as u64, (at - kept) as u64)
            );
            assert_eq!(fs::read(cut.kept.as_ref().unwrap()).unwrap(), text[kept..]);
        }
        more => panic!("{more:?}"),
    }
    assert!(report.damaged.is_empty());
    assert_eq!(store.tasks().len(), usize::from(lines > 0));
    if lines > 0 {
        assert_eq!(history(&store, "t1").await.len(), lines);
        let mut journal = store.journal(&task("t1")).await.unwrap();
        let next = journal.append(vec![draft(finished())]).await.unwrap();
        assert_eq!(seqs(&next), [lines as u64 + 1]);
        assert_eq!(history(&store, "t1").await.len(), lines + 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn a_journal_torn_at_any_byte_opens_whole_and_goes_on(at in any::<usize>(), with_index in any::<bool>()) {
        tokio::runtime::Runtime::new().unwrap().block_on(check_torn_at(at, with_index));
    }
}

#[tokio::test]
async fn blocks_of_zeros_after_a_power_cut_are_a_torn_end() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 2).await);
    store.close().await;
    drop(store);
    let path = journal_path(data.path(), "t1");
    let mut text = fs::read(&path).unwrap();
    let whole = text.len();
    text.extend_from_slice(&[0; 5000]);
    text.extend_from_slice(b"\nhalf a li");
    fs::write(&path, &text).unwrap();

    let (store, report) = open(data.path()).await;

    assert_eq!(report.cuts[0].bytes, 5010);
    assert_eq!(fs::read(&path).unwrap().len(), whole);
    assert_eq!(history(&store, "t1").await.len(), 3);
}

#[tokio::test]
async fn a_second_cut_is_kept_beside_the_first() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 1).await);
    store.close().await;
    drop(store);
    let path = journal_path(data.path(), "t1");
    for n in 1..=2 {
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"half");
        fs::write(&path, &text).unwrap();
        let (store, report) = open(data.path()).await;
        let kept = report.cuts[0].kept.clone().unwrap();
        assert!(
            kept.ends_with(format!("tasks/t1/journal.cut-{n}")),
            "{kept:?}"
        );
        store.close().await;
    }
}

#[tokio::test]
async fn a_task_whose_creation_was_cut_short_was_never_there() {
    let data = tempfile::tempdir().unwrap();
    drop(open(data.path()).await);
    let half = data.path().join("tasks/.new-t1");
    fs::create_dir_all(&half).unwrap();
    fs::write(half.join("journal.jsonl"), "{\"event").unwrap();

    let (store, report) = open(data.path()).await;

    assert_eq!(report.half_made, 1);
    assert!(!half.exists());
    store.create(first("t1")).await.unwrap();
}
