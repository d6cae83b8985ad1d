//! Agent output is taken once, however often it is decoded; a writer that gives up loses nothing.

use std::future::Future;
use std::task::{Context, Poll, Waker};

use paddock_domain::Source;
use proptest::prelude::*;

use crate::support::*;

/// The agent said records at offsets 0, 10, 20, … with one to three events each; a decoder starts over
/// at any of them, any number of times, with pieces of any size.
async fn check_replays(replays: Vec<(u64, usize)>, reopen: bool) {
    let data = tempfile::tempdir().unwrap();
    let (mut store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let all: Vec<(u64, u32)> = (0..12)
        .flat_map(|record| {
            (0..=record % 3).map(move |index| (record * 10, u32::try_from(index).unwrap()))
        })
        .collect();
    for (from, count) in replays.iter().copied().chain([(0, all.len())]) {
        let last = journal.last_source(&run("r1")).cloned();
        let from = from.min(last.map_or(0, |source| source.offset));
        let pieces = all.iter().filter(|(offset, _)| *offset >= from).take(count);
        let drafts = pieces.map(|&(offset, index)| {
            decoded("r1", offset, index, noted(&format!("{offset}.{index}")))
        });
        journal.append(drafts.collect()).await.unwrap();
        if reopen {
            drop(journal);
            store.close().await;
            drop(store);
            store = open(data.path()).await.0;
            journal = store.journal(&task("t1")).await.unwrap();
        }
    }
    let sources: Vec<(u64, u32)> = history(&store, "t1")
        .await
        .into_iter()
        .filter_map(|event| event.source)
        .map(|source| (source.offset, source.index))
        .collect();
    assert_eq!(sources, all);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn output_decoded_again_from_anywhere_is_journalled_once_and_in_order(
        replays in prop::collection::vec((0..12_u64, 0..30_usize), 0..6), reopen in any::<bool>(),
    ) {
        let replays = replays.into_iter().map(|(record, count)| (record * 10, count)).collect();
        tokio::runtime::Runtime::new().unwrap().block_on(check_replays(replays, reopen));
    }
}

#[tokio::test]
async fn doubles_within_one_batch_are_taken_once_and_runs_do_not_meet() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let drafts = vec![
        decoded("r1", 5, 0, noted("a")),
        decoded("r1", 5, 0, noted("a")),
        decoded("r1", 5, 1, noted("b")),
        decoded("r1", 0, 9, noted("late")),
        decoded("r2", 0, 0, noted("c")),
        draft(noted("ours")),
        draft(noted("ours")),
    ];
    let lines = journal.append(drafts).await.unwrap();
    assert_eq!(seqs(&lines), [2, 3, 4, 5, 6]);
    let last = |run_id: &str| {
        let source = journal.last_source(&run(run_id));
        source.map(|source: &Source| (source.offset, source.index))
    };
    assert_eq!(last("r1"), Some((5, 1)));
    assert_eq!(last("r2"), Some((0, 0)));
    assert_eq!(last("r3"), None);
}

/// The one thread that may block is kept busy, so the write cannot have ended when it is given up.
#[test]
fn an_append_that_was_given_up_is_written_once_and_returned_by_the_next() {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime
        .enable_all()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    runtime.block_on(async {
        let data = tempfile::tempdir().unwrap();
        let (store, _) = open(data.path()).await;
        let mut journal = store.create(first("t1")).await.unwrap();
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || wait.recv().unwrap_err());
        {
            let first_try = vec![decoded("r1", 0, 0, noted("a"))];
            let mut given_up = Box::pin(journal.append(first_try));
            let polled = given_up
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            assert!(matches!(polled, Poll::Pending));
        }
        drop(go);
        busy.await.unwrap();
        let again = vec![
            decoded("r1", 0, 0, noted("a")),
            decoded("r1", 0, 1, noted("b")),
        ];
        let lines = journal.append(again).await.unwrap();
        assert_eq!(seqs(&lines), [2, 3]);
        assert_eq!(history(&store, "t1").await.len(), 3);
    });
}

#[tokio::test]
async fn a_line_is_serialised_once_and_is_what_the_journal_holds() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let lines = journal
        .append(vec![draft(said("a\nb")), draft(used(3))])
        .await
        .unwrap();
    let (page, _) = store.reader(&task("t1")).page(1, 1 << 20).await.unwrap();
    assert_eq!(page, [lines[0].json.clone(), lines[1].json.clone()]);
    assert_eq!(journal.task().usage.input_tokens, 3);
    assert_eq!(journal.last_seq(), 3);
}
