//! Peers that break the protocol get a typed answer, and nobody else notices.

use paddock_relay_client::protocol::{
    Done, Driver, FrameKind, FrameReader, GreetError, Greeting, MAGIC, Mux, MuxStream, Refusal,
    RefusalCode, Side, VersionRange, WireError, greet, limits, read_reply, write_frame,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio_util::compat::TokioAsyncReadCompatExt;
use tokio_util::task::AbortOnDropHandle;

use super::rig::*;

fn greeting(min: u16, max: u16) -> Greeting {
    Greeting {
        versions: VersionRange { min, max },
        build: "stranger 9".to_owned(),
        box_id: None,
        relay: None,
    }
}

async fn socket(rig: &Rig) -> UnixStream {
    UnixStream::connect(rig.dir().join("socket")).await.unwrap()
}

/// A connection without any of the client's manners.
async fn raw(rig: &Rig) -> (Mux, AbortOnDropHandle<()>) {
    let mut socket = socket(rig).await;
    greet(&mut socket, &greeting(1, 1)).await.unwrap();
    let (mux, mut driver) = Driver::new(socket.compat(), Side::Client);
    let task = tokio::spawn(async move { while driver.next().await.is_some() {} });
    (mux, AbortOnDropHandle::new(task))
}

async fn send_header(stream: &mut MuxStream, json: &[u8]) {
    stream
        .write_all(&u32::try_from(json.len()).unwrap().to_be_bytes())
        .await
        .unwrap();
    stream.write_all(json).await.unwrap();
    stream.flush().await.unwrap();
}

async fn refusal(stream: &mut MuxStream) -> Refusal {
    match soon(read_reply::<Done>(stream)).await {
        Err(WireError::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn a_version_mismatch_names_both_ranges() {
    let rig = Rig::start();
    let mut socket = socket(&rig).await;
    match soon(greet(&mut socket, &greeting(900, 901))).await {
        Err(GreetError::VersionMismatch { ours, theirs, .. }) => {
            assert_eq!((ours.min, ours.max), (900, 901));
            assert_eq!(theirs, VersionRange::THIS_BUILD);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(
        soon(socket.read_u8()).await.unwrap_err().kind(),
        std::io::ErrorKind::UnexpectedEof
    );
    rig.client().await.ping().await.unwrap();
}

#[tokio::test]
async fn a_stranger_is_hung_up_on() {
    let rig = Rig::start();
    for words in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        &[&MAGIC[..], &[0xff; 8]].concat(),
        &[&MAGIC[..], b"\0\0\0\x02[]"].concat(),
    ] {
        let mut socket = socket(&rig).await;
        socket.write_all(words).await.unwrap();
        let mut said = Vec::new();
        // The end may come as a reset when there was more to say.
        let _ = soon(socket.read_to_end(&mut said)).await;
        assert!(said.is_empty() || said.starts_with(&MAGIC));
    }
    rig.client().await.ping().await.unwrap();
}

#[tokio::test]
async fn an_unknown_kind_and_a_bad_header_are_typed_errors_and_the_connection_lives() {
    let rig = Rig::start();
    let (mux, _driver) = raw(&rig).await;
    let cases = [
        (
            &br#"{"kind":"teleport"}"#[..],
            RefusalCode::UnknownKind,
            "teleport",
        ),
        (br#"{"kind":"log"}"#, RefusalCode::BadHeader, "run"),
        (
            br#"{"kind":"log","run":"../x","from":0,"follow":true}"#,
            RefusalCode::BadHeader,
            "run id",
        ),
        (b"{}", RefusalCode::BadHeader, "kind"),
        (b"\xff", RefusalCode::BadHeader, "header"),
        (
            br#"{"kind":"forwarded","name":"x"}"#,
            RefusalCode::UnknownKind,
            "forwarded",
        ),
    ];
    for (header, code, hint) in cases {
        let mut stream = mux.open().await.unwrap();
        send_header(&mut stream, header).await;
        let refusal = refusal(&mut stream).await;
        assert!(
            refusal.code == code && refusal.message.contains(hint),
            "{refusal:?}"
        );
    }
    let mut stream = mux.open().await.unwrap();
    send_header(&mut stream, br#"{"kind":"ping"}"#).await;
    soon(read_reply::<Done>(&mut stream)).await.unwrap();
}

#[tokio::test]
async fn an_oversized_header_is_refused_before_it_is_read() {
    let rig = Rig::start();
    let (mux, _driver) = raw(&rig).await;
    let mut stream = mux.open().await.unwrap();
    let len = u32::try_from(limits::HEADER_LEN + 1).unwrap();
    stream.write_all(&len.to_be_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    assert_eq!(refusal(&mut stream).await.code, RefusalCode::HeaderTooLong);
}

#[tokio::test]
async fn unknown_and_oversized_frames_are_typed_errors_and_the_connection_lives() {
    let rig = Rig::start();
    let (mux, _driver) = raw(&rig).await;
    let cases = [
        (&[99, 0, 0, 0, 0][..], RefusalCode::UnknownFrame),
        (
            &[FrameKind::Diff as u8, 0, 0, 0, 0],
            RefusalCode::UnknownFrame,
        ),
        (
            &[FrameKind::Stdin as u8, 0xff, 0xff, 0xff, 0xff],
            RefusalCode::FrameTooLong,
        ),
        (
            &[FrameKind::Resize as u8, 0, 0, 0, 2, b'{', b'}'],
            RefusalCode::BadHeader,
        ),
    ];
    for (frame, code) in cases {
        let mut stream = mux.open().await.unwrap();
        send_header(&mut stream, br#"{"kind":"exec","program":"cat"}"#).await;
        soon(read_reply::<Done>(&mut stream)).await.unwrap();
        stream.write_all(frame).await.unwrap();
        stream.flush().await.unwrap();
        let (kind, payload) = soon(FrameReader::new(&mut stream).next()).await.unwrap();
        assert_eq!(kind, FrameKind::Error);
        assert_eq!(
            serde_json::from_slice::<Refusal>(&payload).unwrap().code,
            code
        );
    }
    let mut stream = mux.open().await.unwrap();
    send_header(&mut stream, br#"{"kind":"ping"}"#).await;
    soon(read_reply::<Done>(&mut stream)).await.unwrap();
}

#[tokio::test]
async fn an_input_abandoned_halfway_is_no_input() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", ECHO).await;
    let (mux, _driver) = raw(&rig).await;
    let mut stream = mux.open().await.unwrap();
    send_header(
        &mut stream,
        br#"{"kind":"input","run":"r","id":"m1","owner":"desk"}"#,
    )
    .await;
    write_frame(&mut stream, FrameKind::Stdin, b"half")
        .await
        .unwrap();
    drop(stream);
    client
        .input(&input("r", "m1", "desk"), "whole\n".into())
        .await
        .unwrap();
    stop(&client, "r", 5000).await;
    assert_eq!(outs(&whole_log(&client, "r").await), ["whole"]);
}

#[tokio::test]
async fn more_streams_than_allowed_wait_their_turn() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", ECHO).await;
    let mut open = Vec::new();
    for _ in 0..limits::STREAMS {
        open.push(client.log(&run_id("r"), 0, true).await.unwrap());
    }
    let waiting = tokio::spawn({
        let client = client.clone();
        async move { client.ping().await }
    });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    open.truncate(10);
    soon(waiting).await.unwrap().unwrap();
    stop(&client, "r", 5000).await;
}
