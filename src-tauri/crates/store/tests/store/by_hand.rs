//! Whatever somebody does to a journal with an editor is found, told, and mended on demand.

use std::fs;

use paddock_domain::{Event, JournalFault, TaskId};
use paddock_store::{Alteration, AtRest, Store, StoreError};
use proptest::prelude::*;

use crate::support::*;

/// A closed data directory with a journal of eight lines.
async fn eight_lines() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    for n in 2..8 {
        let drafts = vec![draft(noted(&format!("note {n}")))];
        journal.append(drafts).await.unwrap();
    }
    journal.append(vec![draft(finished())]).await.unwrap();
    drop(journal);
    store.close().await;
    data
}

fn change(data: &tempfile::TempDir, spoil: impl Fn(&mut Vec<String>)) -> String {
    let path = journal_path(data.path(), "t1");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    spoil(&mut lines);
    let changed = lines.join("\n") + "\n";
    fs::write(&path, &changed).unwrap();
    changed
}

/// Holds that a change is found at rest and while a store is open, and mended into a journal of `mended`
/// lines in which nothing more is found.
async fn check(spoil: impl Fn(&mut Vec<String>), expected: &[JournalFault], mended: u64) {
    let data = eight_lines().await;
    let changed = change(&data, spoil);
    let id = task("t1");
    let rest = AtRest::open(data.path()).await.unwrap();
    let kinds = |findings: &[paddock_domain::JournalFinding]| -> Vec<JournalFault> {
        findings.iter().map(|found| found.kind).collect()
    };
    let found = rest.verify(&id).await.unwrap().findings;
    assert_eq!(kinds(&found), expected, "{found:?}");
    let would = rest.repair(&id, now(), 7, true).await.unwrap();
    assert!(would.kept.is_none() && !would.steps.is_empty());
    rest.close().await;
    assert_eq!(
        fs::read_to_string(journal_path(data.path(), "t1")).unwrap(),
        changed
    );

    let (store, _) = open(data.path()).await;
    assert!(
        !store.verify(&id).await.unwrap().findings.is_empty()
            || expected.contains(&JournalFault::Altered)
    );
    let repaired = store.repair(&id, now(), 7, false).await.unwrap();
    assert_eq!(repaired.steps, would.steps);
    assert_eq!(store.verify(&id).await.unwrap().findings, []);
    let events = history(&store, "t1").await;
    assert_eq!(events.len() as u64, mended);
    if let Some(kept) = &repaired.kept {
        let kept = fs::read_to_string(data.path().join("tasks/t1").join(kept)).unwrap();
        assert_eq!(kept, changed, "the original is kept");
    }
    let mut journal = store.journal(&id).await.unwrap();
    journal.append(vec![draft(finished())]).await.unwrap();
    drop(journal);
    store.close().await;
    drop(store);
    assert!(open(data.path()).await.1.is_clean());
}

#[tokio::test]
async fn a_line_that_says_something_else_at_the_same_length_is_found_by_a_check() {
    check(
        |lines| lines[3] = lines[3].replace("note 4", "note 0"),
        &[JournalFault::Altered],
        8,
    )
    .await;
}

#[tokio::test]
async fn a_line_that_says_something_else_at_another_length_is_told_at_start() {
    let data = eight_lines().await;
    change(&data, |lines| lines[3] = lines[3].replace("note 4", "no"));
    let (store, report) = open(data.path()).await;
    let altered = Alteration::Changed { up_to: 8 };
    assert_eq!(report.altered, [(task("t1"), altered)]);
    assert_eq!(store.verify(&task("t1")).await.unwrap().findings, []);
    let told = store.repair(&task("t1"), now(), 1, false).await.unwrap();
    assert!(told.steps.is_empty() && told.kept.is_none(), "{told:?}");
}

#[tokio::test]
async fn swapped_lines() {
    use JournalFault::{Altered, Double, Gap};
    check(|lines| lines.swap(2, 4), &[Gap, Double, Double, Altered], 9).await;
}

#[tokio::test]
async fn a_removed_line() {
    use JournalFault::{Altered, Gap};
    check(|lines| drop(lines.remove(4)), &[Gap, Altered], 9).await;
}

#[tokio::test]
async fn a_doubled_line() {
    use JournalFault::{Altered, Double, EventId};
    check(
        |lines| lines.insert(4, lines[3].clone()),
        &[Double, EventId, Altered],
        9,
    )
    .await;
}

#[tokio::test]
async fn bad_json_in_the_middle() {
    use JournalFault::{Altered, Garbled};
    check(|lines| lines[4].truncate(30), &[Garbled, Altered], 9).await;
}

#[tokio::test]
async fn a_removed_beginning_is_made_again_from_the_index() {
    use JournalFault::{Altered, Gap};
    check(|lines| drop(lines.remove(0)), &[Gap, Altered], 9).await;
}

#[tokio::test]
async fn lines_removed_from_the_end_are_told_and_there_is_nothing_to_mend() {
    let data = eight_lines().await;
    change(&data, |lines| lines.truncate(5));
    let (store, report) = open(data.path()).await;
    let altered = Alteration::Shorter {
        last_seq: 5,
        known: 8,
    };
    assert_eq!(report.altered, [(task("t1"), altered)]);
    assert_eq!(store.tasks()[0].last_seq, 5);
}

#[tokio::test]
async fn without_index_and_beginning_it_is_beyond_repair_and_left_as_it_is() {
    let data = eight_lines().await;
    let changed = change(&data, |lines| drop(lines.remove(0)));
    fs::remove_file(data.path().join("index.sqlite")).unwrap();
    let (store, _) = open(data.path()).await;
    let refused = store
        .repair(&task("t1"), now(), 1, false)
        .await
        .unwrap_err();
    assert!(
        matches!(refused, StoreError::BeyondRepair { .. }),
        "{refused}"
    );
    assert_eq!(
        fs::read_to_string(journal_path(data.path(), "t1")).unwrap(),
        changed
    );
}

#[tokio::test]
async fn a_journal_of_a_newer_version_is_not_repaired() {
    let data = eight_lines().await;
    change(&data, |lines| {
        lines[3] = lines[3].replace("notice", "from_the_future")
    });
    let (store, _) = open(data.path()).await;
    let found = store.verify(&task("t1")).await.unwrap().findings;
    assert_eq!(found[0].kind, JournalFault::Unknown);
    let refused = store
        .repair(&task("t1"), now(), 1, false)
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("newer Paddock"), "{refused}");
}

#[tokio::test]
async fn artifacts_are_looked_for_and_hashed() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let drafts = vec![
        draft(gave(&"a".repeat(20_000))),
        draft(gave(&"b".repeat(20_000))),
    ];
    journal.append(drafts).await.unwrap();
    let well = store.verify(&task("t1")).await.unwrap();
    assert_eq!((well.findings.len(), well.artifacts), (0, 2));
    let mut files: Vec<_> = fs::read_dir(data.path().join("artifacts/t1"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    fs::remove_file(&files[0]).unwrap();
    fs::write(&files[1], "something else").unwrap();
    let found = store.verify(&task("t1")).await.unwrap().findings;
    let mut kinds: Vec<_> = found
        .iter()
        .map(|found| format!("{:?}", found.kind))
        .collect();
    kinds.sort();
    assert_eq!(kinds, ["ArtifactMissing", "ArtifactWrong"]);
}

#[tokio::test]
async fn a_directory_that_is_served_is_not_at_rest() {
    let data = tempfile::tempdir().unwrap();
    let (_store, _) = open(data.path()).await;
    let refused = AtRest::open(data.path()).await.unwrap_err();
    assert!(matches!(refused, StoreError::InUse { .. }), "{refused}");
}

async fn check_garbled(at: usize, with: Vec<u8>) {
    let data = eight_lines().await;
    let path = journal_path(data.path(), "t1");
    let good = fs::read(&path).unwrap();
    let mut bad = good.clone();
    let at = at % good.len();
    for (to, from) in bad[at..].iter_mut().zip(&with) {
        *to ^= from;
    }
    fs::write(&path, &bad).unwrap();
    let id: TaskId = task("t1");
    let rest = AtRest::open(data.path()).await.unwrap();
    let found = rest.verify(&id).await.unwrap().findings;
    assert!(!found.is_empty(), "a garble at {at} went unseen");
    rest.close().await;
    let (store, report) = open(data.path()).await;
    let reader = store.reader(&id);
    let whole_before = good[..at].iter().filter(|&&byte| byte == b'\n').count();
    let readable = reader
        .page(0, 1 << 20)
        .await
        .map_or(0, |(page, _)| page.len());
    assert!(
        readable >= whole_before,
        "lines before the garble are lost at {at}"
    );
    // Not a byte is gone: what is not in the journal is in what was cut off it.
    let mut kept = fs::read(&path).unwrap();
    for cut in &report.cuts {
        kept.extend(fs::read(cut.kept.as_ref().unwrap()).unwrap());
    }
    assert_eq!(kept, bad);
    store.close().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]
    #[test]
    fn a_garble_anywhere_is_found_and_costs_nothing_before_it(
        at in any::<usize>(), with in prop::collection::vec(1..=255_u8, 1..9)
    ) {
        tokio::runtime::Runtime::new().unwrap().block_on(check_garbled(at, with));
    }
}

/// What stands in the place of lost lines is an event like any other.
#[tokio::test]
async fn a_lost_line_keeps_the_numbers_of_those_after_it() {
    let data = eight_lines().await;
    change(&data, |lines| drop(lines.drain(2..4)));
    let (store, _) = open(data.path()).await;
    store.repair(&task("t1"), now(), 1, false).await.unwrap();
    let events: Vec<Event> = history(&store, "t1").await;
    let kinds: Vec<_> = events.iter().map(|event| event.body.type_name()).collect();
    assert_eq!(kinds[1..5], ["notice", "error", "error", "notice"]);
    assert_eq!(kinds.last(), Some(&"notice"));
    let _: &Store = &store;
}
