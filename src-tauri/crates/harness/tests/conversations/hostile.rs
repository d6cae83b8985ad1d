//! Whatever an agent prints, no codec panics, fills memory or loses a later line.

use paddock_domain::{ArtifactRef, Body, ErrorClass, InputId};
use paddock_harness::{Codec, CodecSetup, Heard, decode_recording, find, registry};
use proptest::prelude::*;

use crate::story::{Record, Story, play, stories};

fn codec(harness: &str) -> Box<dyn Codec> {
    find(harness).unwrap().codec(CodecSetup::default())
}

fn is_unknown(heard: &Heard) -> bool {
    matches!(
        heard,
        Heard::Event(Body::Error {
            class: ErrorClass::UnknownLine,
            ..
        })
    )
}

#[test]
fn odd_lines_are_kept_as_errors_and_the_next_line_is_understood() {
    let nested = "[".repeat(100_000);
    let deep = format!("{{\"type\":\"assistant\",\"method\":\"x\",\"message\":{nested}");
    let odd: [&[u8]; 9] = [
        b"not json",
        b"\xff\xfe{\"type\":\"user\"}",
        b"{\"type\":\"assistant\"",
        b"{\"type\":\"no_such_type\",\"method\":\"no/such/method\"}",
        b"[1,2,3]",
        b"42",
        b"\"text\"",
        b"{\"type\":\"text\",\"x\":\"\0\"}",
        deep.as_bytes(),
    ];
    let good = [
        (
            "claude",
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]}}"#,
        ),
        (
            "codex",
            r#"{"method":"item/completed","params":{"item":{"type":"agentMessage","id":"m","text":"hi"}}}"#,
        ),
        ("scripted", r#"{"type":"text","message":"t1","text":"hi"}"#),
    ];
    for (harness, good) in good {
        for line in odd {
            let mut codec = codec(harness);
            let mut heard = Vec::new();
            codec.hear(line, &mut heard);
            let kept = heard.iter().filter(|heard| is_unknown(heard)).count();
            assert_eq!(kept, 1, "{harness}: {heard:?}");
            heard.clear();
            codec.hear(good.as_bytes(), &mut heard);
            let understood = heard
                .iter()
                .any(|heard| matches!(heard, Heard::Event(Body::AssistantMessage { .. })));
            assert!(understood, "{harness} lost the line after {line:?}");
        }
    }
}

#[test]
fn empty_lines_mean_nothing() {
    for harness in registry() {
        let mut heard = Vec::new();
        for line in [b"".as_slice(), b"  ", b"\r"] {
            harness.codec(CodecSetup::default()).hear(line, &mut heard);
        }
        assert_eq!(heard, [], "{}", harness.name());
    }
}

#[test]
fn a_huge_unknown_line_is_kept_up_to_the_size_of_an_artifact() {
    let line = vec![b'x'; ArtifactRef::MAX + 100];
    for harness in registry() {
        let mut heard = Vec::new();
        harness.codec(CodecSetup::default()).hear(&line, &mut heard);
        let [Heard::Event(Body::Error { raw: Some(raw), .. })] = heard.as_slice() else {
            panic!("{} heard something else", harness.name())
        };
        assert_eq!(raw.len(), ArtifactRef::MAX + ArtifactRef::CUT_MARK.len());
    }
}

#[test]
fn a_line_that_ends_with_cr_is_understood() {
    let line = b"{\"type\":\"text\",\"message\":\"t1\",\"text\":\"hi\"}\r";
    let mut heard = Vec::new();
    codec("scripted").hear(line, &mut heard);
    assert!(matches!(
        heard.as_slice(),
        [Heard::Event(Body::AssistantMessage { .. })]
    ));
}

#[test]
fn calls_and_requests_without_end_do_not_fill_memory() {
    let mut codec = codec("claude");
    let mut heard = Vec::new();
    let fill = "x".repeat(10_000);
    for n in 0..5_000 {
        let call = format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"c{n}","name":"ExitPlanMode","input":{{"plan":"{fill}"}}}}]}}}}"#
        );
        codec.hear(call.as_bytes(), &mut heard);
        let request = format!(
            r#"{{"type":"control_request","request_id":"r{n}","request":{{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"c{n}","input":{{"command":"{fill}"}}}}}}"#
        );
        codec.hear(request.as_bytes(), &mut heard);
        heard.clear();
    }
    // The newest is still there, the first has been forgotten.
    let decide = |codec: &mut dyn Codec, id: &str| {
        let approval = paddock_domain::ApprovalId::parse(id).unwrap();
        let deny = paddock_domain::Decision::Deny {
            message: None,
            interrupt: false,
        };
        codec.decide(&InputId::parse("i").unwrap(), &approval, &deny)
    };
    assert!(decide(&mut *codec, "r4999").is_ok());
    assert!(decide(&mut *codec, "r0").is_err());
}

#[test]
fn a_request_that_paddock_does_not_know_is_refused_so_that_nobody_waits() {
    let asked = [
        (
            "claude",
            r#"{"type":"control_request","request_id":"r1","request":{"subtype":"elicitation"}}"#,
        ),
        (
            "codex",
            r#"{"method":"currentTime/read","id":7,"params":{}}"#,
        ),
    ];
    for (harness, line) in asked {
        let mut heard = Vec::new();
        codec(harness).hear(line.as_bytes(), &mut heard);
        let [kept, Heard::Send(refusal)] = heard.as_slice() else {
            panic!("{harness}: {heard:?}")
        };
        assert!(is_unknown(kept));
        let text = std::str::from_utf8(&refusal.bytes).unwrap();
        assert!(text.contains("error") && text.ends_with('\n'), "{text}");
    }
}

/// Found by fuzzing: such an id is passed over as it stands and is no value.
#[test]
fn a_request_whose_id_has_a_torn_escape_is_refused_without_a_panic() {
    for harness in registry() {
        let mut heard = Vec::new();
        let line = br#"{"jsonrpc":"2.0","id":"\ud8","method":"fs/read_text_file","params":{}}"#;
        harness.codec(CodecSetup::default()).hear(line, &mut heard);
        assert!(!heard.is_empty(), "{}", harness.name());
    }
}

#[test]
fn decoding_a_log_again_gives_the_same_events_and_the_same_ids() {
    for story in stories() {
        assert_eq!(story.hear(), story.hear(), "{}", story.name);
    }
}

#[test]
fn a_recording_decodes_line_by_line_with_or_without_its_last_newline() {
    let story = Story::named("claude-2.1.330/write");
    let mut bytes = story.lines().join(&b"\n"[..]);
    let without: Vec<_> = decode_recording(story.harness, &bytes).collect();
    bytes.push(b'\n');
    let with: Vec<_> = decode_recording(story.harness, &bytes).collect();
    assert_eq!(with, without);
    assert!(with.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    assert!(with.iter().any(|(line, _)| *line == 43));
}

/// What was heard, live: every wish that a user could have is uttered between the records.
fn live(story: &Story, wishes: &[bool]) -> Vec<Heard> {
    let mut codec = story.codec();
    let mut heard = Vec::new();
    let id = InputId::parse("wish").unwrap();
    let greeting = codec.greet();
    assert!(
        greeting
            .iter()
            .all(|outgoing| outgoing.bytes.ends_with(b"\n"))
    );
    for (nth, record) in story.log.iter().enumerate() {
        if wishes
            .get(nth % wishes.len().max(1))
            .copied()
            .unwrap_or(false)
        {
            drop(codec.interrupt(&id));
            drop(codec.set_model(&id, "other"));
        }
        play(&mut *codec, record, &mut heard);
    }
    heard
}

fn events(heard: Vec<Heard>) -> Vec<Body> {
    let events = heard.into_iter().filter_map(|heard| match heard {
        Heard::Event(body) => Some(body),
        _ => None,
    });
    events.collect()
}

fn any_story() -> impl Strategy<Value = Story> {
    let names: Vec<String> = stories().into_iter().map(|story| story.name).collect();
    prop::sample::select(names).prop_map(|name| Story::named(&name))
}

impl std::fmt::Debug for Story {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_taken(lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..20)) {
        for harness in registry() {
            let mut codec = harness.codec(CodecSetup::default());
            let mut heard = Vec::new();
            for line in &lines {
                codec.hear(line, &mut heard);
            }
        }
    }

    #[test]
    fn what_is_decoded_depends_on_the_log_alone(story in any_story(), wishes in prop::collection::vec(any::<bool>(), 1..8)) {
        prop_assert_eq!(events(live(&story, &wishes)), events(story.hear()));
    }

    #[test]
    fn lines_that_are_cut_doubled_and_mixed_up_are_taken(
        story in any_story(),
        swaps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..10),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..10),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 0..10),
        doubles in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
    ) {
        let mut log = story.log.clone();
        for (a, b) in swaps {
            let (a, b) = (a.index(log.len()), b.index(log.len()));
            log.swap(a, b);
        }
        for (which, at) in cuts {
            let nth = which.index(log.len());
            if let Record::Out(line) = &mut log[nth] {
                let keep = at.index(line.len() + 1);
                line.truncate(keep);
            }
        }
        for (which, at, byte) in flips {
            let nth = which.index(log.len());
            if let Record::Out(line) = &mut log[nth] && !line.is_empty() {
                let at = at.index(line.len());
                line[at] = byte;
            }
        }
        for which in doubles {
            let record = log[which.index(log.len())].clone();
            log.push(record);
        }
        let mut codec = story.codec();
        let mut heard = Vec::new();
        for record in &log {
            play(&mut *codec, record, &mut heard);
        }
        // Whatever came before, a whole turn is told to its end.
        heard.clear();
        for record in &story.log {
            play(&mut *codec, record, &mut heard);
        }
        let ends = |heard: &[Heard]| heard.iter().filter(|heard| matches!(heard, Heard::Event(Body::TurnFinished { .. }))).count();
        if story.name.starts_with("claude") {
            prop_assert_eq!(ends(&heard), ends(&story.hear()));
        }
    }

    #[test]
    fn a_log_that_is_split_anywhere_is_decoded_as_the_whole(story in any_story(), at in any::<prop::sample::Index>()) {
        let at = at.index(story.log.len() + 1);
        // A codec that heard the first part is gone; a fresh one is fed all of it and goes on.
        let mut first = story.codec();
        let mut before = Vec::new();
        for record in &story.log[..at] {
            play(&mut *first, record, &mut before);
        }
        let mut again = story.codec();
        let mut heard = Vec::new();
        for record in &story.log[..at] {
            play(&mut *again, record, &mut heard);
        }
        prop_assert_eq!(&heard, &before);
        for record in &story.log[at..] {
            play(&mut *again, record, &mut heard);
        }
        prop_assert_eq!(heard, story.hear());
    }
}
