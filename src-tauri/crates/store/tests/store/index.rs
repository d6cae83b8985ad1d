//! The index is a copy of what the journals fold into: lose it, break it or let it lag, and it is that
//! again.

use std::fs;
use std::path::Path;

use paddock_domain::{Body, Task, Transition};
use paddock_store::{Draft, IndexFound};
use proptest::prelude::*;

use crate::support::*;

fn any_draft() -> impl Strategy<Value = Draft> {
    let body = prop_oneof![
        (0..Transition::ALL.len()).prop_map(|n| moved(Transition::ALL[n])),
        ".{0,20}".prop_map(|text| asked(&text)),
        ".{0,20}".prop_map(|text| said(&text)),
        any::<u64>().prop_map(used),
        Just(finished()),
        Just(gave(&"long ".repeat(3000))),
        Just(Body::DiffStat {
            repository: "/r".into(),
            stat: paddock_domain::DiffStat::default()
        }),
    ];
    (body, prop::option::of((0..3_u8, 0..50_u64, 0..3_u32))).prop_map(|(body, source)| match source
    {
        Some((run_id, offset, index)) => decoded(&format!("r{run_id}"), offset, index, body),
        None => draft(body),
    })
}

/// Everything that the index holds, as one text.
async fn dump(data: &Path) -> Vec<String> {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(data.join("index.sqlite"));
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    let tasks = "SELECT concat_ws(' ', task_id, title, state, harness, created_at, updated_at, \
        archived, last_seq, journal_len, chain, seal, task) FROM tasks ORDER BY task_id";
    let runs = "SELECT concat_ws(' ', task_id, run_id, source_offset, source_index) FROM runs \
        ORDER BY task_id, run_id";
    let mut all: Vec<String> = sqlx::query_scalar(tasks).fetch_all(&pool).await.unwrap();
    all.extend(
        sqlx::query_scalar::<_, String>(runs)
            .fetch_all(&pool)
            .await
            .unwrap(),
    );
    pool.close().await;
    all
}

/// A batch goes to one of two journals; some are compressed after it.
async fn check_rebuild(batches: Vec<(bool, bool, Vec<Draft>)>) {
    let data = tempfile::tempdir().unwrap();
    let (store, report) = open(data.path()).await;
    assert_eq!(report.index, IndexFound::Made);
    let mut a = store.create(first("a")).await.unwrap();
    let mut b = store.create(first("b")).await.unwrap();
    for (to_a, pack, drafts) in batches {
        let journal = if to_a { &mut a } else { &mut b };
        journal.append(drafts).await.unwrap();
        if pack {
            journal.pack().await.unwrap();
        }
    }
    let folded: Vec<Task> = vec![a.task().clone(), b.task().clone()];
    drop((a, b));
    store.archive(&task("b")).await.unwrap();
    store.close().await;
    drop(store);
    let live = dump(data.path()).await;
    assert!(live.len() >= 2);

    let (store, report) = open(data.path()).await;
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(store.tasks(), folded, "as the index has it");
    store.close().await;
    drop(store);

    fs::remove_file(data.path().join("index.sqlite")).unwrap();
    let (store, report) = open(data.path()).await;
    assert_eq!((report.index, report.refolded.len()), (IndexFound::Made, 2));
    assert_eq!(store.tasks(), folded, "as the journals have it");
    store.close().await;
    drop(store);
    assert_eq!(dump(data.path()).await, live);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn the_index_rebuilt_from_journals_equals_the_one_that_was_kept(
        batches in prop::collection::vec(
            (any::<bool>(), any::<bool>(), prop::collection::vec(any_draft(), 0..6)), 0..8
        )
    ) {
        tokio::runtime::Runtime::new().unwrap().block_on(check_rebuild(batches));
    }
}

#[tokio::test]
async fn an_index_that_lags_behind_is_caught_up_from_the_end_of_the_journal() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 2).await);
    store.close().await;
    drop(store);
    let index = fs::read(data.path().join("index.sqlite")).unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.journal(&task("t1")).await.unwrap();
    let news = vec![decoded("r1", 4, 0, noted("new")), draft(asked("more"))];
    journal.append(news).await.unwrap();
    let folded = journal.task().clone();
    drop(journal);
    store.close().await;
    drop(store);
    fs::write(data.path().join("index.sqlite"), index).unwrap();

    let (store, report) = open(data.path()).await;

    assert_eq!(
        (report.caught_up, report.refolded.len()),
        (vec![task("t1")], 0)
    );
    assert_eq!(store.tasks(), [folded]);
    let journal = store.journal(&task("t1")).await.unwrap();
    assert_eq!(journal.last_source(&run("r1")).unwrap().offset, 4);
}

#[tokio::test]
async fn an_index_ahead_of_its_journal_gives_way() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 3).await);
    store.close().await;
    drop(store);
    let path = journal_path(data.path(), "t1");
    let text = fs::read_to_string(&path).unwrap();
    let two: String = text
        .lines()
        .take(2)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&path, two).unwrap();

    let (store, report) = open(data.path()).await;

    assert_eq!(report.refolded, [task("t1")]);
    assert_eq!(store.tasks()[0].last_seq, 2);
}

#[tokio::test]
async fn a_broken_index_and_one_of_another_version_are_made_anew() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 1).await);
    store.close().await;
    drop(store);
    let path = data.path().join("index.sqlite");
    let good = fs::read(&path).unwrap();
    let mut half = good.clone();
    half[4096..].fill(0xA5);
    let mut other_version = good.clone();
    other_version[60..64].copy_from_slice(&99_u32.to_be_bytes());
    for bad in [b"this is no database".repeat(100), half, other_version] {
        fs::write(&path, bad).unwrap();
        let (store, report) = open(data.path()).await;
        assert!(
            matches!(report.index, IndexFound::Remade { .. }),
            "{report:?}"
        );
        assert_eq!(report.refolded, [task("t1")]);
        assert_eq!(store.tasks()[0].last_seq, 2);
        store.close().await;
    }
}

/// Garbles an index with two tasks in it and holds that both are known all the same.
async fn check_garbled(at: Vec<(usize, u8)>) {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut packed = with_notices(&store, "t1", 2).await;
    packed.pack().await.unwrap();
    let folded = vec![
        packed.task().clone(),
        with_notices(&store, "t2", 1).await.task().clone(),
    ];
    drop(packed);
    store.close().await;
    drop(store);
    let path = data.path().join("index.sqlite");
    let mut bytes = fs::read(&path).unwrap();
    let len = bytes.len();
    for (at, with) in at {
        bytes[at % len] ^= with;
    }
    fs::write(&path, bytes).unwrap();
    let (store, _) = open(data.path()).await;
    assert_eq!(store.tasks(), folded);
    for id in ["t1", "t2"] {
        let mut journal = store.journal(&task(id)).await.unwrap();
        let next = journal.last_seq() + 1;
        let lines = journal.append(vec![draft(finished())]).await.unwrap();
        assert_eq!(seqs(&lines), [next]);
        drop(journal);
        assert_eq!(history(&store, id).await.len() as u64, next);
    }
    store.close().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn an_index_with_any_bytes_changed_costs_no_line(
        at in prop::collection::vec((any::<usize>(), 1..=255_u8), 1..40)
    ) {
        tokio::runtime::Runtime::new().unwrap().block_on(check_garbled(at));
    }
}

#[tokio::test]
async fn where_no_index_can_be_written_the_journals_serve_alone() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 1).await);
    store.close().await;
    drop(store);
    let path = data.path().join("index.sqlite");
    fs::remove_file(&path).unwrap();
    fs::create_dir_all(path.join("in the way")).unwrap();

    let (store, report) = open(data.path()).await;

    assert!(
        matches!(report.index, IndexFound::InMemory { .. }),
        "{report:?}"
    );
    let mut journal = store.journal(&task("t1")).await.unwrap();
    journal.append(vec![draft(finished())]).await.unwrap();
    assert_eq!(history(&store, "t1").await.len(), 3);
}

#[tokio::test]
async fn a_task_whose_folder_is_gone_is_told_once_and_forgotten() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 1).await);
    store.close().await;
    drop(store);
    fs::remove_dir_all(data.path().join("tasks/t1")).unwrap();
    let (store, report) = open(data.path()).await;
    assert_eq!(report.vanished, [task("t1")]);
    store.close().await;
    drop(store);
    assert!(open(data.path()).await.1.is_clean());
}
