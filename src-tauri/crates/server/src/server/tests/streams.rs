//! Event streams: history, resume, reset, and the end.

use super::*;

/// Event `seq` of a task that is nowhere but on the shelf.
fn publish(hub: &crate::hub::Hub, seq: u64, json: &[u8]) {
    let task = paddock_domain::TaskId::parse("nowhere").unwrap();
    hub.publish(&task, seq, json);
}

fn since(path: &str, cursor: &str) -> String {
    format!("{path}?since_seq={cursor}")
}

#[tokio::test]
async fn history_is_the_journal_byte_for_byte_and_resumes_behind_a_cursor() {
    let street = Street::open().await;
    let id = street.failed_task().await;
    let path = paths::fill(paths::TASK_EVENTS, &[&id]);
    let mut events = Events::open(street.get(&path)).await;
    let journal = street
        .data
        .path()
        .join("tasks")
        .join(&id)
        .join("journal.jsonl");
    let journal = std::fs::read_to_string(journal).unwrap();
    for line in journal.lines() {
        assert_eq!(
            events.next().await.unwrap(),
            ("event".to_owned(), line.to_owned())
        );
    }
    let last = journal.lines().count();
    let (name, data) = events.next().await.unwrap();
    assert_eq!(
        (name.as_str(), data),
        ("ready", format!(r#"{{"cursor":"{last}"}}"#))
    );

    let rest: Vec<_> = (3..=last)
        .map(|seq| format!("event {seq}"))
        .chain([format!("ready {last}")])
        .collect();
    let mut resumed = Events::open(street.get(&since(&path, "2"))).await;
    assert_eq!(resumed.history().await, rest);
    let back = street.get(&since(&path, "0")).header("last-event-id", "2");
    assert_eq!(
        Events::open(back).await.history().await,
        rest,
        "the header goes before the query"
    );
    let mut at_the_end = Events::open(street.get(&since(&path, &last.to_string()))).await;
    assert_eq!(at_the_end.history().await, [format!("ready {last}")]);
    street.close().await;
}

#[tokio::test]
async fn a_cursor_of_no_event_resets_the_client_and_tells_all_again() {
    let street = Street::open().await;
    let id = street.failed_task().await;
    let path = paths::fill(paths::TASK_EVENTS, &[&id]);
    for unknown in ["999999", "-1", "abc", ""] {
        let seen = Events::open(street.get(&since(&path, unknown)))
            .await
            .history()
            .await;
        assert_eq!(seen.first().map(String::as_str), Some("reset"), "{unknown}");
        assert_eq!(
            seen.get(1).map(String::as_str),
            Some("event 1"),
            "{unknown}"
        );
    }
    street.close().await;
}

#[tokio::test]
async fn the_stream_of_all_tasks_resumes_without_gap_or_repeat() {
    let street = Street::open().await;
    let hub = street.serving.door.hub().clone();
    let mut first = Events::open(street.get(paths::EVENTS)).await;
    let ready = first.frame().await.unwrap();
    let cursor = ready
        .lines()
        .find_map(|line| line.strip_prefix("id: "))
        .unwrap()
        .to_owned();
    for n in 1..=3 {
        publish(&hub, n, format!("{{\"n\":{n}}}").as_bytes());
    }
    assert_eq!(first.next().await.unwrap().1, r#"{"n":1}"#);
    drop(first);
    let mut again = Events::open(street.get(paths::EVENTS).header("last-event-id", &cursor)).await;
    for n in 1..=3 {
        assert_eq!(again.next().await.unwrap().1, format!("{{\"n\":{n}}}"));
    }
    assert_eq!(again.next().await.unwrap().0, "ready");
    publish(&hub, 4, b"{\"n\":4}");
    assert_eq!(again.next().await.unwrap().1, r#"{"n":4}"#);
    let mut lost = Events::open(street.get(&since(paths::EVENTS, "nowhere-7"))).await;
    assert_eq!(lost.next().await.unwrap().0, "reset");
    assert_eq!(lost.next().await.unwrap().0, "ready");
    street.close().await;
}

#[tokio::test]
async fn a_new_task_is_heard_of_by_all() {
    let street = Street::open().await;
    let mut all = Events::open(street.get(paths::EVENTS)).await;
    assert_eq!(all.next().await.unwrap().0, "ready");
    let id = street.failed_task().await;
    let (name, data) = all.next().await.unwrap();
    assert!(name == "event" && data.contains(&id), "{name}: {data}");
    street.close().await;
}

#[tokio::test]
async fn a_client_that_fell_behind_is_dropped() {
    let street = Street::open().await;
    let hub = street.serving.door.hub().clone();
    let mut slow = Events::open(street.get(paths::EVENTS)).await;
    assert_eq!(slow.next().await.unwrap().0, "ready");
    let large = format!("{{\"x\":\"{}\"}}", "x".repeat(1 << 20));
    for seq in 1..=64 {
        publish(&hub, seq, large.as_bytes());
    }
    let mut got = 0;
    while slow.frame().await.is_some() {
        got += 1;
    }
    assert!(got < 64, "nothing was dropped");
    street.close().await;
}

#[tokio::test]
async fn a_compressed_stream_is_flushed_with_every_event() {
    let street = Street::open().await;
    let hub = street.serving.door.hub().clone();
    let mut n = 0;
    for encoding in ["zstd", "br", "gzip"] {
        let undecoded = Client::builder().no_proxy().no_gzip().no_brotli().no_zstd();
        let url = format!("{}{}", street.serving.url(), paths::EVENTS);
        let request = undecoded
            .build()
            .unwrap()
            .get(url)
            .bearer_auth(&street.token);
        let packed = request
            .header("accept-encoding", encoding)
            .send()
            .await
            .unwrap();
        assert_eq!(packed.headers()["content-encoding"], encoding);
        let mut events = Events::open(all_in(&street, encoding)).await;
        assert_eq!(events.next().await.unwrap().0, "ready", "{encoding}");
        for _ in 0..3 {
            n += 1;
            // Each must be readable before the next is there.
            publish(&hub, n, format!("{{\"n\":{n}}}").as_bytes());
            assert_eq!(
                events.next().await.unwrap().1,
                format!("{{\"n\":{n}}}"),
                "{encoding}"
            );
        }
    }
    street.close().await;
}

/// All events, for a client that takes one encoding and decodes it.
fn all_in(street: &Street, encoding: &str) -> RequestBuilder {
    let builder = Client::builder().no_proxy();
    let client = builder
        .gzip(encoding == "gzip")
        .brotli(encoding == "br")
        .zstd(encoding == "zstd");
    let url = format!("{}{}", street.serving.url(), paths::EVENTS);
    client.build().unwrap().get(url).bearer_auth(&street.token)
}

#[tokio::test]
async fn streams_end_with_the_server() {
    let street = Street::open().await;
    let mut events = Events::open(street.get(paths::EVENTS)).await;
    assert_eq!(events.next().await.unwrap().0, "ready");
    let record = street.data.path().join(SERVE_FILE);
    assert!(record.exists());
    assert!(street.serving.shutdown(SOON).await);
    assert_eq!(events.next().await, None);
    assert!(!record.exists());
    street.running.shutdown(SOON).await;
}
