//! Feeds held against a server that answers from a script, one connection after the other.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::Server;

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// Serves `answers` to as many connections and gives back their requests.
async fn scripted(answers: Vec<String>) -> (EventFeed, tokio::task::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move {
        let mut asked = Vec::new();
        for answer in answers {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                request.push(socket.read_u8().await.unwrap());
            }
            asked.push(String::from_utf8(request).unwrap());
            socket.write_all(answer.as_bytes()).await.unwrap();
        }
        asked
    });
    let client = Client::new(&Server::new(&url, Some("t".into())).unwrap()).unwrap();
    (
        client.events(&paddock_domain::TaskId::parse("t1").unwrap(), 0),
        serving,
    )
}

fn event(seq: u64) -> String {
    format!("id: {seq}\nevent: event\ndata: {{\"seq\":{seq}}}\n\n")
}

async fn take(feed: &mut EventFeed, count: usize) -> Vec<String> {
    let mut told = Vec::new();
    while told.len() < count {
        told.push(match feed.next().await.unwrap() {
            FeedItem::Event(event) => event.json,
            FeedItem::Delta(delta) => delta.delta.text,
            FeedItem::Link(link) => format!("link {:?}", link.link.state),
            FeedItem::Ready => "ready".into(),
            FeedItem::Reset(_) => "reset".into(),
            FeedItem::Statistics(_) => "statistics".to_owned(),
            FeedItem::Reconnecting { attempt, .. } => format!("lost {attempt}"),
        });
    }
    told
}

#[tokio::test]
async fn a_broken_connection_is_resumed_behind_the_last_whole_event() {
    let first = format!(
        "{OK}{}{}id: 3\nevent: event\ndata: {{\"se",
        event(1),
        event(2)
    );
    let second = format!(
        "{OK}{}event: ready\ndata: {{\"cursor\":\"3\"}}\n\n",
        event(3)
    );
    let (mut feed, serving) = scripted(vec![first, second]).await;
    let told = take(&mut feed, 5).await;
    assert_eq!(
        told,
        [
            "{\"seq\":1}",
            "{\"seq\":2}",
            "lost 1",
            "{\"seq\":3}",
            "ready"
        ]
    );
    let asked = serving.await.unwrap();
    assert!(asked[0].contains("since_seq=0"), "{}", asked[0]);
    assert!(asked[1].contains("since_seq=2"), "{}", asked[1]);
}

#[tokio::test]
async fn after_a_reset_the_feed_begins_anew() {
    let first = format!("{OK}event: reset\ndata: {{\"reason\":\"unknown_cursor\"}}\n\n");
    let second = format!("{OK}{}", event(1));
    let (mut feed, serving) = scripted(vec![first, second]).await;
    assert_eq!(take(&mut feed, 3).await, ["reset", "lost 1", "{\"seq\":1}"]);
    let asked = serving.await.unwrap();
    assert!(!asked[1].contains("since_seq"), "{}", asked[1]);
}

#[tokio::test]
async fn deltas_and_pings_do_not_move_the_cursor() {
    let delta = "event: delta\ndata: {\"task_id\":\"t1\",\"kind\":\"text\",\"key\":\"k\",\"text\":\"hel\"}\n\n";
    let (mut feed, _serving) = scripted(vec![format!(
        "{OK}{}event: ping\ndata: {{}}\n\n{delta}",
        event(1)
    )])
    .await;
    assert_eq!(take(&mut feed, 2).await, ["{\"seq\":1}", "hel"]);
    assert_eq!(feed.cursor(), Some("1"));
}

#[tokio::test]
async fn a_feed_of_a_server_nearby_asks_for_fewer_pings_each_time() {
    let answers = vec![format!("{OK}{}", event(1)), format!("{OK}{}", event(2))];
    let (feed, serving) = scripted(answers.clone()).await;
    let mut feed = feed.near();
    assert_eq!(take(&mut feed, 3).await.len(), 3);
    for asked in serving.await.unwrap() {
        assert!(asked.contains("paddock-ping-every: 60\r\n"), "{asked}");
    }
    let (mut feed, serving) = scripted(answers).await;
    assert_eq!(take(&mut feed, 3).await.len(), 3);
    for asked in serving.await.unwrap() {
        assert!(!asked.contains(pings::HEADER), "{asked}");
    }
}

#[tokio::test]
async fn a_refusal_is_told_with_the_servers_code_and_not_tried_again() {
    let body = r#"{"error":{"code":"unauthenticated","message":"no token","details":null}}"#;
    let answer = format!(
        "HTTP/1.1 401 Unauthorized\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let (mut feed, _serving) = scripted(vec![answer]).await;
    let error = feed.next().await.unwrap_err();
    assert_eq!(error.code(), Some(paddock_api::ErrorCode::Unauthenticated));
    assert_eq!(error.to_string(), "no token");
}

#[tokio::test]
async fn a_server_that_was_never_there_is_told_at_once() {
    let (mut feed, serving) = scripted(vec![]).await;
    serving.await.unwrap();
    assert!(matches!(
        feed.next().await,
        Err(ClientError::Unreachable { .. })
    ));
}

#[test]
fn pauses_grow_and_end() {
    let pauses: Vec<_> = [1, 2, 3, 7, 40].map(pause).map(|p| p.as_millis()).into();
    assert_eq!(pauses, [100, 200, 400, 5000, 5000]);
}
