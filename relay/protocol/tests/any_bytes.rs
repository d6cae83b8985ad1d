//! Nothing that comes over the wire makes the protocol panic, wait for ever or hold more than it may.
#![allow(clippy::unwrap_used)] // a test that cannot go on ends

use std::time::Duration;

use futures_util::StreamExt;
use paddock_relay_protocol::{
    BoxId, Done, Driver, FrameKind, FrameReader, Greeting, MAGIC, Open, Record, RelayId, Side,
    VersionRange, WireError, greet, limits, read_header, read_reply, write_frame,
};
use proptest::prelude::*;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio_util::compat::TokioAsyncReadCompatExt;

/// Longer than any wait of the protocol itself.
const PATIENCE: Duration = Duration::from_secs(120);

fn ours() -> Greeting {
    Greeting {
        versions: VersionRange { min: 2, max: 4 },
        build: "test".to_owned(),
        box_id: None,
        relay: None,
    }
}

/// Runs `future` on a clock that does not wait.
fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async { tokio::time::timeout(PATIENCE, future).await.unwrap() })
}

/// A stream that gives `bytes` in pieces of these lengths, then ends.
fn in_pieces(bytes: &[u8], cuts: &[usize]) -> impl AsyncRead + Unpin + use<> {
    let (mut give, get) = tokio::io::duplex(64 * 1024);
    let (mut rest, mut cuts) = (bytes.to_vec(), cuts.to_vec());
    tokio::spawn(async move {
        while !rest.is_empty() {
            let len = cuts.pop().unwrap_or(rest.len()).clamp(1, rest.len());
            let piece: Vec<u8> = rest.drain(..len).collect();
            if give.write_all(&piece).await.is_err() {
                return;
            }
            tokio::task::yield_now().await;
        }
    });
    get
}

/// Bytes that are near what is expected: a header or a frame with anything in it, or just anything.
fn near_frames() -> impl Strategy<Value = Vec<u8>> {
    let payload = proptest::collection::vec(any::<u8>(), 0..200);
    let frame = (0_u8..16, any::<u8>(), payload).prop_map(|(kind, lie, payload)| {
        let len = u32::try_from(payload.len()).unwrap() + u32::from(lie == 0);
        [&[kind][..], &len.to_be_bytes(), &payload].concat()
    });
    let anything = proptest::collection::vec(any::<u8>(), 0..64);
    let parts = proptest::collection::vec(prop_oneof![4 => frame, 1 => anything], 0..8);
    parts.prop_map(|parts| parts.concat())
}

fn near_json() -> impl Strategy<Value = Vec<u8>> {
    let kinds = proptest::sample::select(Open::KINDS.to_vec());
    let fields = proptest::sample::select(vec![
        r#""run":"r""#,
        r#""run":"../x""#,
        r#""from":-1"#,
        r#""from":18446744073709551615"#,
        r#""follow":1"#,
        r#""signal":99999999999"#,
        r#""target":{"run":"r"}"#,
        r#""size":{"rows":70000,"cols":0}"#,
        r#""env":{"A":"b"}"#,
        r#""args":[[]]"#,
        r#""k":"out","t":1,"s":"x""#,
        r#""k":"start","t":1,"relay":"xyz""#,
        r#""k":"exit","t":1,"exit":{"how":"flown"}"#,
    ]);
    let object = (kinds, proptest::collection::vec(fields, 0..5)).prop_map(|(kind, fields)| {
        let kind = format!("\"kind\":\"{kind}\"");
        let all: Vec<&str> = std::iter::once(kind.as_str()).chain(fields).collect();
        format!("{{{}}}", all.join(",")).into_bytes()
    });
    prop_oneof![3 => object, 1 => proptest::collection::vec(any::<u8>(), 0..80)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn frames_come_out_as_they_went_in_wherever_the_stream_is_cut(
        payloads in proptest::collection::vec((0..FrameKind::ALL.len(), proptest::collection::vec(any::<u8>(), 0..300)), 0..20),
        cuts in proptest::collection::vec(1_usize..50, 0..40),
    ) {
        run(async {
            let mut bytes = Vec::new();
            for (kind, payload) in &payloads {
                write_frame(&mut bytes, FrameKind::ALL[*kind], payload).await.unwrap();
            }
            let mut frames = FrameReader::new(in_pieces(&bytes, &cuts));
            for (kind, payload) in &payloads {
                let (came, content) = frames.next().await.unwrap();
                assert_eq!((came, &content[..]), (FrameKind::ALL[*kind], &payload[..]));
            }
            assert!(matches!(frames.next().await, Err(WireError::Io(_))));
        });
    }

    #[test]
    fn any_bytes_end_as_frames_and_an_error(bytes in near_frames(), cuts in proptest::collection::vec(1_usize..20, 0..40)) {
        run(async {
            let mut frames = FrameReader::new(in_pieces(&bytes, &cuts));
            let mut taken = 0;
            while let Ok((_, payload)) = frames.next().await {
                taken += 5 + payload.len();
            }
            assert!(taken <= bytes.len());
        });
    }

    #[test]
    fn any_bytes_end_a_greeting(bytes in near_frames(), magic: bool, cut in 0_usize..20) {
        run(async {
            let (mut here, mut there) = tokio::io::duplex(64 * 1024);
            let said = if magic { [&MAGIC[..], &bytes].concat() } else { bytes };
            there.write_all(&said[..said.len().saturating_sub(cut)]).await.unwrap();
            // It stays open: a greeting that never comes is given up.
            assert!(greet(&mut here, &ours()).await.is_err());
        });
    }

    #[test]
    fn any_json_is_a_header_or_a_typed_refusal(json in near_json()) {
        if let Err(refusal) = Open::decode(&json) {
            prop_assert!(!refusal.message.is_empty());
        }
        let _ = Record::decode(&json);
    }

    #[test]
    fn any_bytes_are_a_reply_or_an_error(json in near_json(), lie: u8) {
        run(async {
            let len = u32::try_from(json.len()).unwrap().wrapping_add(u32::from(lie));
            let bytes = [&len.to_be_bytes()[..], &json].concat();
            let _ = read_reply::<Done>(&mut in_pieces(&bytes, &[])).await;
            let _ = read_header(&mut in_pieces(&bytes, &[]), 16).await;
        });
    }

    #[test]
    fn any_bytes_end_a_connection_and_nothing_else(bytes in proptest::collection::vec(any::<u8>(), 0..400), client: bool) {
        run(async {
            let (here, mut there) = tokio::io::duplex(64 * 1024);
            let side = if client { Side::Client } else { Side::Relay };
            let (mux, mut driver) = Driver::new(here.compat(), side);
            there.write_all(&bytes).await.unwrap();
            there.shutdown().await.unwrap();
            let mut opened = futures_util::stream::FuturesUnordered::new();
            while let Some(stream) = driver.next().await {
                opened.push(async move {
                    let mut stream = stream;
                    let _ = read_header(&mut stream, limits::HEADER_LEN).await;
                });
            }
            drop(driver);
            while opened.next().await.is_some() {}
            assert!(mux.open().await.is_err());
            let mut said = Vec::new();
            let _ = there.read_to_end(&mut said).await;
        });
    }

    #[test]
    fn two_builds_agree_on_the_newest_version_of_both_or_on_none(
        ours in (0_u16..6, 0_u16..6), theirs in (0_u16..6, 0_u16..6)
    ) {
        let range = |(a, b): (u16, u16)| VersionRange { min: a.min(b), max: a.max(b) };
        let (ours, theirs) = (range(ours), range(theirs));
        let both = |version: &u16| {
            (ours.min..=ours.max).contains(version) && (theirs.min..=theirs.max).contains(version)
        };
        prop_assert_eq!(ours.meet(theirs), (0..6).filter(both).max());
        prop_assert_eq!(ours.meet(theirs), theirs.meet(ours));
    }

    #[test]
    fn a_greeting_says_to_each_side_what_the_other_speaks(ours in (0_u16..5, 0_u16..5), theirs in (0_u16..5, 0_u16..5)) {
        let greeting = |(a, b): (u16, u16)| Greeting {
            versions: VersionRange { min: a.min(b), max: a.max(b) },
            build: format!("{a}{b}"),
            box_id: BoxId::parse("b").ok(),
            relay: Some(RelayId::from_random([7; 8])),
        };
        let (ours, theirs) = (greeting(ours), greeting(theirs));
        run(async {
            let (mut here, mut there) = tokio::io::duplex(64 * 1024);
            let (one, other) = tokio::join!(greet(&mut here, &ours), greet(&mut there, &theirs));
            match (one, other) {
                (Ok(one), Ok(other)) => {
                    assert_eq!(one.version, other.version);
                    assert_eq!((one.peer, other.peer), (theirs, ours));
                }
                (Err(one), Err(other)) => {
                    for said in [one.to_string(), other.to_string()] {
                        assert!(said.contains(&ours.versions.to_string()), "{said}");
                        assert!(said.contains(&theirs.versions.to_string()), "{said}");
                    }
                }
                (one, other) => panic!("one side agreed, the other did not: {one:?} {other:?}"),
            }
        });
    }
}
