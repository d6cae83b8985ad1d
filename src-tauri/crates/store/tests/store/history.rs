//! History by number, in pages, from long journals, while they are written.

use std::fmt::Write;
use std::fs;

use paddock_domain::{Event, InputId};
use paddock_store::{JournalReader, Line, StoreError};

use crate::support::*;

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repeat() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let journal = with_notices(&store, "t1", 40).await;
    let events = history(&store, "t1").await;
    let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=41).collect::<Vec<u64>>());
    let reader = store.reader(&task("t1"));
    assert_eq!(reader.page(41, 1000).await.unwrap(), (vec![], 41));
    assert_eq!(reader.page(u64::MAX, 1000).await.unwrap().0.len(), 0);
    assert_eq!(reader.page(40, 0).await.unwrap().1, 41, "one line at least");
    assert_eq!(reader.last_seq(), journal.last_seq());
}

#[tokio::test]
async fn an_unknown_task_has_no_history() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let refused = store.reader(&task("t9")).page(0, 1000).await.unwrap_err();
    assert!(matches!(refused, StoreError::NoSuchTask { .. }));
    assert_eq!(store.reader(&task("t9")).last_seq(), 0);
}

/// A journal of about 20 MB, written by hand, is paged from its middle and its end.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_journal_is_read_from_anywhere_before_and_after_it_grows() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 0).await);
    store.close().await;
    drop(store);
    let path = journal_path(data.path(), "t1");
    let mut text = fs::read_to_string(&path).unwrap();
    let filler = "x".repeat(1000);
    for seq in 2..=20_000 {
        writeln!(
            text,
            r#"{{"event_id":"e","ts":"2026-11-21T00:00:00.000Z","seq":{seq},"task_id":"t1","type":"notice","level":"info","text":"{filler}"}}"#
        )
        .unwrap();
    }
    fs::write(&path, text).unwrap();

    let (store, report) = open(data.path()).await;
    assert_eq!(report.caught_up, [task("t1")]);
    let reader = store.reader(&task("t1"));
    for since in [19_990, 0, 10_000, 63, 19_999, 9_999] {
        check_page(&reader, since).await;
    }
    let mut journal = store.journal(&task("t1")).await.unwrap();
    journal.append(vec![draft(noted("more"))]).await.unwrap();
    check_page(&reader, 19_999).await;
    check_page(&reader, 20_000).await;
}

async fn check_page(reader: &JournalReader, since: u64) {
    let (page, next) = reader.page(since, 5_000).await.unwrap();
    let numbers: Vec<u64> = page
        .iter()
        .map(|json| serde_json::from_slice::<Event>(json).unwrap().seq)
        .collect();
    assert_eq!(numbers, (since + 1..=next).collect::<Vec<u64>>());
    assert!(next > since);
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_beside_a_writer_see_whole_lines_in_order() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let follow = |reader: JournalReader| async move {
        let mut since = 0;
        while since < 201 {
            let (page, next) = reader.page(since, 3_000).await.unwrap();
            for json in page {
                since += 1;
                assert_eq!(serde_json::from_slice::<Event>(&json).unwrap().seq, since);
            }
            assert_eq!(since, next);
            tokio::task::yield_now().await;
        }
    };
    let readers: Vec<_> = (0..4)
        .map(|_| tokio::spawn(follow(store.reader(&task("t1")))))
        .collect();
    for n in 0..100 {
        let drafts = vec![draft(noted(&format!("{n}"))), draft(gave("out"))];
        journal.append(drafts).await.unwrap();
    }
    for reader in readers {
        reader.await.unwrap();
    }
}

#[tokio::test]
async fn a_prompt_of_a_megabyte_is_kept_whole_even_when_every_byte_needs_six() {
    let data = tempfile::tempdir().unwrap();
    let prompt = "\u{1}".repeat(1 << 20);
    let (store, _) = open(data.path()).await;
    let mut journal = store
        .create(first_with_prompt("t1", &prompt))
        .await
        .unwrap();
    let said = draft(paddock_domain::Body::UserMessage {
        input_id: InputId::parse("i2").unwrap(),
        content: prompt.clone(),
        during_turn: false,
        attachments: Vec::new(),
    });
    let lines = journal.append(vec![said]).await.unwrap();
    assert!(lines[0].json.len() < Line::MAX);
    drop(journal);
    store.close().await;
    drop(store);
    let (store, report) = open(data.path()).await;
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(store.tasks()[0].spec.prompt, prompt);
    assert_eq!(history(&store, "t1").await.len(), 2);
}
