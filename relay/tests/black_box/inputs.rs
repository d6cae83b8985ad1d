//! Messages reach the agent once, from one writer at a time.

use paddock_relay_client::RelayError;
use paddock_relay_client::protocol::{Body, Claim, ClientId, Delivered, RefusalCode, limits};

use super::rig::*;

fn claim(owner: &str, take_over: bool) -> Claim {
    Claim {
        run: run_id("r"),
        owner: ClientId::parse(owner).unwrap(),
        take_over,
    }
}

#[track_caller]
fn assert_refused<T: std::fmt::Debug>(outcome: Result<T, RelayError>, code: RefusalCode) {
    match outcome {
        Err(RelayError::Refused(refusal)) => assert_eq!(refusal.code, code, "{refusal}"),
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn a_message_repeated_after_a_reconnect_is_delivered_once() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", ECHO).await;
    let message = input("r", "m1", "desk");
    assert_eq!(
        client.input(&message, "hello\n".into()).await.unwrap(),
        Delivered::Written
    );
    drop(client);

    let client = rig.client().await;
    assert_eq!(
        client.input(&message, "hello\n".into()).await.unwrap(),
        Delivered::Repeat
    );
    let next = input("r", "m2", "desk");
    assert_eq!(
        client.input(&next, "bye\n".into()).await.unwrap(),
        Delivered::Written
    );
    stop(&client, "r", 5000).await;
    let entries = whole_log(&client, "r").await;
    assert_eq!(outs(&entries), ["hello", "bye"]);
    let ids: Vec<String> = entries
        .iter()
        .filter_map(|entry| {
            let Body::In { id, by, .. } = entry.record().unwrap().body else {
                return None;
            };
            (by == "desk").then(|| id.to_string())
        })
        .collect();
    assert_eq!(ids, ["m1", "m2"]);
}

#[tokio::test]
async fn a_megabyte_arrives_as_one_message() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "trap '' INT; wc -c").await;
    let message = vec![b'x'; 1 << 20];
    client
        .input(&input("r", "m1", "desk"), message.into())
        .await
        .unwrap();
    stop(&client, "r", 5000).await;
    assert_eq!(
        outs(&whole_log(&client, "r").await)[0].trim(),
        (1 << 20).to_string()
    );
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused_and_leaves_no_trace() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", ECHO).await;
    let message = vec![b'x'; limits::INPUT_LEN + 1];
    let refused = soon(client.input(&input("r", "m1", "desk"), message.into())).await;
    assert_refused(refused, RefusalCode::FrameTooLong);
    assert_eq!(
        client
            .input(&input("r", "m1", "desk"), "ok\n".into())
            .await
            .unwrap(),
        Delivered::Written
    );
    stop(&client, "r", 5000).await;
    assert_eq!(outs(&whole_log(&client, "r").await), ["ok"]);
}

#[tokio::test]
async fn one_writer_owns_the_input_until_another_takes_it_over() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", ECHO).await;
    client
        .input(&input("r", "m1", "desk"), "1\n".into())
        .await
        .unwrap();
    assert_refused(
        client.input(&input("r", "m2", "phone"), "2\n".into()).await,
        RefusalCode::OwnedByOther,
    );
    assert_refused(
        client.claim(&claim("phone", false)).await,
        RefusalCode::OwnedByOther,
    );
    assert!(client.claim(&claim("desk", false)).await.is_ok());

    let taken = client.claim(&claim("phone", true)).await.unwrap();
    assert_eq!(taken.before, ClientId::parse("desk").ok());
    client
        .input(&input("r", "m2", "phone"), "2\n".into())
        .await
        .unwrap();
    assert_refused(
        client.input(&input("r", "m3", "desk"), "3\n".into()).await,
        RefusalCode::OwnedByOther,
    );
    stop(&client, "r", 5000).await;
    assert_eq!(outs(&whole_log(&client, "r").await), ["1", "2"]);
}

#[tokio::test]
async fn a_message_to_an_agent_that_closed_its_stdin_is_refused_and_marked() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "exec <&-; echo closed; exec sleep 1000").await;
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    line_where(&mut log, |line| line == "closed").await;
    for _ in 0..2 {
        let refused = client
            .input(&input("r", "m1", "desk"), "lost\n".into())
            .await;
        assert_refused(refused, RefusalCode::StdinClosed);
    }
    stop(&client, "r", 5000).await;
    let entries = whole_log(&client, "r").await;
    let marked = entries.iter().any(|entry| {
        matches!(entry.record().unwrap().body, Body::Undelivered { id, .. } if id.as_str() == "m1")
    });
    assert!(marked);
}

#[tokio::test]
async fn an_agent_that_does_not_read_gets_its_messages_queued_up_to_a_limit() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "sleep 1000").await;
    let big = bytes(limits::INPUT_LEN);
    let queued = soon(client.input(&input("r", "m1", "desk"), big.clone()))
        .await
        .unwrap();
    assert_eq!(queued, Delivered::Queued);
    assert_eq!(
        soon(client.input(&input("r", "m1", "desk"), big.clone()))
            .await
            .unwrap(),
        Delivered::Repeat
    );
    soon(client.input(&input("r", "m2", "desk"), big.clone()))
        .await
        .unwrap();
    assert_refused(
        client.input(&input("r", "m3", "desk"), big).await,
        RefusalCode::Busy,
    );
    stop(&client, "r", 5000).await;
}

fn bytes(len: usize) -> bytes::Bytes {
    vec![b'x'; len].into()
}

#[tokio::test]
async fn a_message_to_a_run_that_has_ended_is_refused() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "true").await;
    whole_log(&client, "r").await;
    assert_refused(
        client.input(&input("r", "m1", "desk"), "x".into()).await,
        RefusalCode::RunEnded,
    );
}

#[tokio::test]
async fn what_a_killed_agent_did_not_take_is_told_before_its_exit() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "echo $$; exec sleep 1000").await;
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    let agent = line_where(&mut log, |_| true).await;
    // More than a pipe holds, so that it waits in front of an agent that does not read.
    let message = vec![b'x'; 1 << 20];
    let asked = input("r", "m1", "desk");
    let taken = client.input(&asked, message.into()).await;
    assert_eq!(taken.unwrap(), Delivered::Queued);
    let killed = std::process::Command::new("kill")
        .args(["-KILL", &agent])
        .status();
    assert!(killed.unwrap().success());

    let entries = whole_log(&client, "r").await;
    let kinds: Vec<_> = entries
        .iter()
        .rev()
        .take(2)
        .map(|e| e.record().unwrap().body)
        .collect();
    assert!(matches!(kinds[0], Body::Exit(_)), "{kinds:?}");
    assert!(
        matches!(&kinds[1], Body::Undelivered { id, .. } if id.as_str() == "m1"),
        "{kinds:?}"
    );
}
