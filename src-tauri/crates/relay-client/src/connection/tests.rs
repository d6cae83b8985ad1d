//! Connections to a relay that misbehaves, played here on the other end of a pipe in memory.

use paddock_relay_protocol::{
    Done, FrameHeader, FrameKind, LogOpened, Reply, RunId, encode, limits, read_header, write_frame,
};
use tokio::io::{AsyncWriteExt, DuplexStream};

use super::*;
use crate::RelayClient;

fn pipe() -> (DuplexStream, DuplexStream) {
    tokio::io::duplex(64 * 1024)
}

fn greeting(min: u16, max: u16) -> Greeting {
    Greeting {
        versions: VersionRange { min, max },
        build: "9.9.9".to_owned(),
        box_id: None,
        relay: None,
    }
}

/// A relay that greets, and then does as `act` says with each stream.
fn play<F>(
    mut io: DuplexStream,
    act: impl Fn(MuxStream) -> F + Send + 'static,
) -> AbortOnDropHandle<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    AbortOnDropHandle::new(tokio::spawn(async move {
        greet(&mut io, &greeting(1, 1)).await.unwrap();
        let (_mux, mut driver) = Driver::new(io.compat(), Side::Relay);
        let mut acting = JoinSet::new();
        while let Some(stream) = driver.next().await {
            acting.spawn(act(stream));
        }
    }))
}

#[tokio::test]
async fn an_older_relay_is_named_with_both_ranges() {
    let (ours, mut theirs) = pipe();
    let relay =
        tokio::spawn(async move { greet(&mut theirs, &greeting(900, 901)).await.unwrap_err() });
    let Err(RelayError::VersionMismatch {
        ours,
        theirs,
        build,
    }) = RelayClient::connect(ours).await
    else {
        panic!("it was taken");
    };
    assert_eq!(
        (ours, theirs.min, theirs.max),
        (VersionRange::THIS_BUILD, 900, 901)
    );
    assert_eq!(build, "9.9.9");
    relay.await.unwrap();
}

#[tokio::test]
async fn something_that_is_no_relay_is_told_from_one() {
    let (ours, mut theirs) = pipe();
    theirs.write_all(b"SSH-2.0-OpenSSH_9.2\r\n").await.unwrap();
    assert!(matches!(
        RelayClient::connect(ours).await,
        Err(RelayError::Protocol { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn a_relay_that_never_greets_is_given_up() {
    let (ours, _theirs) = pipe();
    assert!(matches!(
        RelayClient::connect(ours).await,
        Err(RelayError::TimedOut { what: "greet", .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_stalls_is_noticed_within_the_stated_time() {
    let (ours, mut theirs) = pipe();
    let stalled = tokio::spawn(async move {
        greet(&mut theirs, &greeting(1, 1)).await.unwrap();
        theirs
    });
    let client = RelayClient::connect(ours).await.unwrap();
    let _still_open = stalled.await.unwrap();
    let began = tokio::time::Instant::now();
    client.closed().await;
    assert!(began.elapsed() <= RelayClient::STALL_NOTICED_WITHIN);
    assert!(matches!(
        client.ping().await,
        Err(RelayError::Stalled { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_not_answered_times_out() {
    let (ours, theirs) = pipe();
    let _relay = play(theirs, |mut stream| async move {
        let header = read_header(&mut stream, limits::HEADER_LEN).await.unwrap();
        if header.starts_with(br#"{"kind":"ping""#) {
            write_header(&mut stream, &Reply::Ok(Done {}))
                .await
                .unwrap();
        }
        std::future::pending::<()>().await;
    });
    let client = RelayClient::connect(ours).await.unwrap();
    assert!(matches!(
        client.runs().await,
        Err(RelayError::TimedOut { .. })
    ));
    client.ping().await.unwrap();
}

#[tokio::test]
async fn a_record_that_comes_in_pieces_survives_being_waited_for_in_pieces() {
    let (ours, theirs) = pipe();
    let _relay = play(theirs, |mut stream| async move {
        read_header(&mut stream, limits::HEADER_LEN).await.unwrap();
        let opened = LogOpened {
            len: 0,
            ended: false,
            relay: None,
        };
        write_header(&mut stream, &Reply::Ok(opened)).await.unwrap();
        let mut record = Vec::new();
        encode::torn(&mut record, 1, 5);
        let frame = [
            &FrameHeader::new(FrameKind::Log, record.len())
                .unwrap()
                .encode(),
            &record[..],
        ]
        .concat();
        for byte in frame {
            stream.write_all(&[byte]).await.unwrap();
            stream.flush().await.unwrap();
            tokio::task::yield_now().await;
        }
        let end = serde_json::to_vec(&opened).unwrap();
        write_frame(&mut stream, FrameKind::LogEnd, &end)
            .await
            .unwrap();
        std::future::pending::<()>().await;
    });
    let client = RelayClient::connect(ours).await.unwrap();
    let mut log = client
        .log(&RunId::parse("r").unwrap(), 100, true)
        .await
        .unwrap();
    let mut given_up = 0;
    let entry = loop {
        tokio::select! {
            biased;
            entry = log.next() => break entry.unwrap().unwrap(),
            () = tokio::task::yield_now() => given_up += 1,
        }
    };
    assert!(given_up > 1);
    assert_eq!(
        (entry.offset, entry.end),
        (100, 100 + entry.line.len() as u64)
    );
    assert!(entry.record().is_ok());
    assert_eq!(log.next().await.unwrap(), None);
}

#[tokio::test]
async fn a_stream_keeps_its_connection_when_the_client_is_dropped() {
    let (ours, theirs) = pipe();
    let _relay = play(theirs, |mut stream| async move {
        read_header(&mut stream, limits::HEADER_LEN).await.unwrap();
        let opened = LogOpened {
            len: 0,
            ended: true,
            relay: None,
        };
        write_header(&mut stream, &Reply::Ok(opened)).await.unwrap();
        let end = serde_json::to_vec(&opened).unwrap();
        write_frame(&mut stream, FrameKind::LogEnd, &end)
            .await
            .unwrap();
        std::future::pending::<()>().await;
    });
    let client = RelayClient::connect(ours).await.unwrap();
    let mut log = client
        .log(&RunId::parse("r").unwrap(), 0, true)
        .await
        .unwrap();
    drop(client);
    assert_eq!(log.next().await.unwrap(), None);
}
