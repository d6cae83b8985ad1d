//! Byte snapshots of every kind of record, and the law that what is encoded decodes to itself.

use proptest::prelude::*;

use super::*;
use crate::{Ending, limits};

fn text(out: &[u8]) -> &str {
    std::str::from_utf8(out).unwrap()
}

fn id(text: &str) -> InputId {
    InputId::parse(text).unwrap()
}

#[test]
fn a_start_is_these_bytes() {
    let mut out = Vec::new();
    let relay = Some(RelayId::from_random([0, 0, 0, 0, 0, 0, 0, 9]));
    encode::start(&mut out, 7, "claude", Some(42), relay);
    encode::start(&mut out, 8, "no such", None, None);
    let expected = "{\"k\":\"start\",\"t\":7,\"program\":\"claude\",\"pid\":42,\"relay\":\"0000000000000009\"}\n\
                    {\"k\":\"start\",\"t\":8,\"program\":\"no such\"}\n";
    assert_eq!(text(&out), expected);
}

#[test]
fn a_line_is_these_bytes() {
    let mut out = Vec::new();
    encode::line(
        &mut out,
        LineKind::Out,
        7,
        b"{\"a\":\"\\n\"}\t\x01 \xc3\xa9",
    );
    encode::line(&mut out, LineKind::Err, 7, b"bad \xff");
    encode::line(&mut out, LineKind::Pty, 7, b"two\r\nlines");
    let expected = "{\"k\":\"out\",\"t\":7,\"s\":\"{\\\"a\\\":\\\"\\\\n\\\"}\\t\\u0001 é\"}\n\
                    {\"k\":\"err\",\"t\":7,\"b\":\"YmFkIP8=\"}\n\
                    {\"k\":\"pty\",\"t\":7,\"s\":\"two\\r\\nlines\"}\n";
    assert_eq!(text(&out), expected);
}

#[test]
fn a_message_and_its_failure_are_these_bytes() {
    let mut out = Vec::new();
    encode::input(&mut out, 7, &id("m1"), "desk", b"go\n");
    encode::undelivered(&mut out, 8, &id("m1"), "stdin closed");
    let expected = "{\"k\":\"in\",\"t\":7,\"id\":\"m1\",\"by\":\"desk\",\"s\":\"go\\n\"}\n\
                    {\"k\":\"undelivered\",\"t\":8,\"id\":\"m1\",\"why\":\"stdin closed\"}\n";
    assert_eq!(text(&out), expected);
}

#[test]
fn a_torn_tail_and_an_exit_are_these_bytes() {
    let mut out = Vec::new();
    encode::torn(&mut out, 7, 12);
    let full = Exit {
        ending: Ending::Signalled { signal: 9 },
        stopped: true,
        strays: 2,
        stderr: vec!["bye".to_owned()],
    };
    encode::exit(&mut out, 8, &full).unwrap();
    encode::exit(&mut out, 9, &Exit::plain(Ending::Lost)).unwrap();
    let expected = "{\"k\":\"torn\",\"t\":7,\"bytes\":12}\n\
         {\"k\":\"exit\",\"t\":8,\"exit\":{\"how\":\"signalled\",\"signal\":9,\"stopped\":true,\"strays\":2,\"stderr\":[\"bye\"]}}\n\
         {\"k\":\"exit\",\"t\":9,\"exit\":{\"how\":\"lost\"}}\n";
    assert_eq!(text(&out), expected);
}

#[test]
fn an_exit_of_every_kind_comes_back() {
    let endings = [
        Ending::Exited { code: 3 },
        Ending::Signalled { signal: 15 },
        Ending::NotStarted {
            message: "not found".to_owned(),
            errno: Some(2),
        },
        Ending::Lost,
    ];
    for ending in endings {
        let mut out = Vec::new();
        let exit = Exit::plain(ending);
        encode::exit(&mut out, 1, &exit).unwrap();
        assert_eq!(Record::decode(&out).unwrap().body, Body::Exit(exit));
    }
}

#[test]
fn a_kind_from_the_future_is_kept_by_name() {
    let record = Record::decode(br#"{"k":"dream","t":1,"x":[1]}"#).unwrap();
    assert_eq!(
        record.body,
        Body::Other {
            kind: "dream".into()
        }
    );
}

#[test]
fn a_record_without_its_fields_is_an_error() {
    for bad in [
        r#"{"k":"in","t":1}"#,
        r#"{"k":"exit","t":1}"#,
        r#"{"k":"out"}"#,
        "",
        "[]",
    ] {
        assert!(Record::decode(bad.as_bytes()).is_err(), "{bad}");
    }
}

#[test]
fn a_line_written_in_pieces_equals_the_line_written_at_once() {
    let line = "a\"é\\\n".repeat(100);
    let mut whole = Vec::new();
    encode::line(&mut whole, LineKind::Out, 7, line.as_bytes());
    let mut pieces = Vec::new();
    LineOpening::Text.open(&mut pieces, LineKind::Out, 7);
    for piece in line.as_bytes().chunks(6) {
        LineOpening::Text.piece(&mut pieces, piece);
    }
    LineOpening::Text.close(&mut pieces, None);
    assert_eq!(text(&pieces), text(&whole));
}

#[test]
fn a_cut_line_says_how_much_is_missing() {
    let mut out = Vec::new();
    LineOpening::Base64.open(&mut out, LineKind::Err, 7);
    LineOpening::Base64.piece(&mut out, b"\xff\xfe\xfd");
    LineOpening::Base64.piece(&mut out, b"\xfc");
    LineOpening::Base64.close(&mut out, Some(99));
    let record = Record::decode(&out).unwrap();
    let content = Content::Bytes(b"\xff\xfe\xfd\xfc".to_vec());
    let line = Line {
        content,
        cut: Some(99),
    };
    assert_eq!(
        record.body,
        Body::Line {
            kind: LineKind::Err,
            line
        }
    );
}

#[test]
fn the_longest_line_fits_the_longest_record() {
    let fields = 1024;
    assert!(2 * limits::LINE_LEN + fields <= limits::RECORD_LEN);
    assert!(limits::LINE_LEN.div_ceil(3) * 4 + fields <= limits::RECORD_LEN);
}

proptest! {
    #[test]
    fn any_line_comes_back_and_takes_one_line(bytes: Vec<u8>, at_ms: u64) {
        let mut out = Vec::new();
        encode::line(&mut out, LineKind::Out, at_ms, &bytes);
        prop_assert_eq!(out.iter().filter(|byte| **byte == b'\n').count(), 1);
        let record = Record::decode(&out).unwrap();
        prop_assert_eq!(record.at_ms, at_ms);
        let Body::Line { kind: LineKind::Out, line } = record.body else { panic!("another kind") };
        prop_assert_eq!(line.content.as_bytes(), bytes);
    }

    #[test]
    fn any_text_is_escaped_as_serde_json_would_read_it(line: String) {
        let mut out = Vec::new();
        encode::line(&mut out, LineKind::Out, 0, line.as_bytes());
        let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
        prop_assert_eq!(json["s"].as_str(), Some(line.as_str()));
        let quoted = out.len() - br#"{"k":"out","t":0,"s":""}"#.len() - 1;
        prop_assert_eq!(encode::escaped_len(line.as_bytes()), quoted);
    }

    #[test]
    fn no_line_makes_decode_panic(bytes: Vec<u8>) {
        let _ = Record::decode(&bytes);
    }
}
