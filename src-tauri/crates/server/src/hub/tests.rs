//! The shelf: who comes back, who falls behind, who reads on.

use super::*;

fn hub() -> Arc<Hub> {
    Hub::over(Order::in_memory(), false)
}

fn task(id: &str) -> TaskId {
    TaskId::parse(id).unwrap()
}

/// Event `seq` of one task, its text being its number.
fn publish(hub: &Hub, seq: u64) {
    hub.publish(&task("t"), seq, seq.to_string().as_bytes());
}

fn texts(pieces: &[Piece]) -> Vec<String> {
    let data = |piece: &Piece| match piece {
        Piece::Frame(frame) => String::from_utf8_lossy(frame)
            .trim_end()
            .rsplit("data: ")
            .next()
            .unwrap()
            .to_owned(),
        Piece::Written { task, seq, .. } => format!("{task}{seq}"),
    };
    pieces.iter().map(data).collect()
}

#[test]
fn a_client_that_comes_back_goes_on_behind_its_cursor() {
    let hub = hub();
    let (mut first, start) = hub.follow(None);
    assert_eq!(start, Start::There);
    publish(&hub, 1);
    assert_eq!(texts(&first.take().unwrap()), ["1"]);
    let cursor = first.cursor();
    publish(&hub, 2);
    publish(&hub, 3);
    let (mut again, start) = hub.follow(Some(&cursor));
    assert_eq!(start, Start::There);
    assert_eq!(texts(&again.take().unwrap()), ["2", "3"]);
    assert_eq!(texts(&again.take().unwrap()), Vec::<String>::new());
}

#[test]
fn a_cursor_taken_before_anything_happened_misses_nothing() {
    let hub = hub();
    let cursor = hub.follow(None).0.cursor();
    publish(&hub, 1);
    let (mut follower, start) = hub.follow(Some(&cursor));
    assert_eq!(start, Start::There);
    assert_eq!(texts(&follower.take().unwrap()), ["1"]);
}

#[test]
fn what_is_of_the_moment_moves_no_cursor_and_is_not_repeated() {
    let hub = hub();
    publish(&hub, 1);
    let (mut client, _) = hub.follow(None);
    let cursor = client.cursor();
    hub.tell(Bytes::from_static(b"data: now\n\n"));
    assert_eq!(texts(&client.take().unwrap()), ["now"]);
    assert_eq!(client.cursor(), cursor);
    publish(&hub, 2);
    let (mut again, _) = hub.follow(Some(&cursor));
    assert_eq!(texts(&again.take().unwrap()), ["2"]);
}

#[test]
fn events_that_nobody_was_told_of_are_told_from_the_journal_in_their_place() {
    let hub = hub();
    let (mut client, _) = hub.follow(None);
    publish(&hub, 1);
    publish(&hub, 4);
    hub.catch_up(&task("u"), 1);
    publish(&hub, 4);
    assert_eq!(texts(&client.take().unwrap()), ["1", "t2", "t3", "4", "u1"]);
}

#[test]
fn what_stands_in_the_journals_when_an_order_begins_is_not_told() {
    let hub = Hub::over(Order::in_memory(), true);
    let (mut client, _) = hub.follow(None);
    hub.catch_up(&task("t"), 7);
    hub.caught_up();
    publish(&hub, 8);
    assert_eq!(texts(&client.take().unwrap()), ["8"]);
}

#[test]
fn cursors_of_another_life_of_the_future_and_of_nobody_are_unknown() {
    let (hub, other) = (hub(), hub());
    let foreign = other.follow(None).0.cursor();
    let future = hub.follow(None).0.cursor().replace("-0", "-7");
    for cursor in [foreign.as_str(), &future, "", "x", "-", "1"] {
        let (_, start) = hub.follow(Some(cursor));
        assert_eq!(start, Start::Anew(ResetReason::UnknownCursor), "{cursor}");
    }
}

#[test]
fn the_shelf_is_bounded_who_falls_behind_it_is_dropped_and_who_comes_back_reads_on() {
    let hub = hub();
    let (mut slow, _) = hub.follow(None);
    let old = slow.cursor();
    let line = vec![b'x'; 1 << 20];
    for seq in 1..=20 {
        hub.publish(&task("t"), seq, &line);
    }
    assert!(lock(&hub.shelf).bytes <= Hub::BYTES_MAX);
    assert_eq!(slow.take(), None);
    let (mut again, start) = hub.follow(Some(&old));
    assert_eq!(start, Start::There);
    let mut seen = 0;
    while let Some(pieces) = again.take().filter(|pieces| !pieces.is_empty()) {
        seen += pieces.len();
    }
    assert_eq!(seen, 20);
}

#[test]
fn a_cursor_older_than_the_order_is_too_old() {
    let hub = hub();
    let old = hub.follow(None).0.cursor();
    hub.catch_up(&task("t"), Order::KEPT as u64 * 2);
    let (_, start) = hub.follow(Some(&old));
    assert_eq!(start, Start::Anew(ResetReason::TooOld));
}

#[test]
fn a_cursor_outlives_the_server() {
    let dir = tempfile::tempdir().unwrap();
    let before = Hub::new(dir.path());
    before.caught_up();
    publish(&before, 1);
    let cursor = before.follow(None).0.cursor();
    publish(&before, 2);
    drop(before);

    let after = Hub::new(dir.path());
    after.catch_up(&task("t"), 3);
    after.caught_up();
    publish(&after, 4);
    let (mut again, start) = after.follow(Some(&cursor));
    assert_eq!(start, Start::There);
    assert_eq!(texts(&again.take().unwrap()), ["t2", "t3", "t4"]);
    publish(&after, 5);
    assert_eq!(texts(&again.take().unwrap()), ["5"]);
}

#[tokio::test]
async fn a_waiting_client_is_woken() {
    let hub = hub();
    let (mut client, _) = hub.follow(None);
    let waiting = tokio::spawn(async move { client.wait().await });
    tokio::task::yield_now().await;
    publish(&hub, 1);
    assert_eq!(texts(&waiting.await.unwrap().unwrap()), ["1"]);
}
