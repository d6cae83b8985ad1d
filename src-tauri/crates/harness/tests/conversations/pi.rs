//! What we say to Pi, and what becomes of what it says.

use paddock_domain::{Body, ErrorClass, ToolKind, TurnOutcome};
use paddock_harness::{Codec, CodecSetup, Heard, find};
use serde_json::{Value, json};

use crate::story::{Story, id};

fn codec(resume: Option<&str>) -> Box<dyn Codec> {
    find("pi").unwrap().codec(CodecSetup {
        resume: resume.map(str::to_owned),
        ..CodecSetup::default()
    })
}

fn hear(codec: &mut dyn Codec, line: &Value) -> Vec<Heard> {
    let mut out = Vec::new();
    codec.hear(line.to_string().as_bytes(), &mut out);
    out
}

fn state(messages: u64) -> Value {
    json!({"id": "state", "type": "response", "command": "get_state", "success": true, "data":
        {"sessionId": "s1", "messageCount": messages, "model": {"id": "m", "provider": "paddock"}}})
}

fn outcomes(story: &str) -> Vec<TurnOutcome> {
    let heard = Story::named(story).hear().into_iter();
    let outcomes = heard.filter_map(|heard| match heard {
        Heard::Event(Body::TurnFinished { outcome, .. }) => Some(outcome),
        _ => None,
    });
    outcomes.collect()
}

#[test]
fn a_message_waits_for_the_session_and_steers_during_a_turn() {
    let mut codec = codec(None);
    assert_eq!(codec.greet().len(), 3);
    assert!(codec.prompt(&id("u1"), "go").is_empty());
    let heard = hear(&mut *codec, &state(0));
    let Some(Heard::Send(first)) = heard.first() else {
        panic!("{heard:?}")
    };
    let line: Value = serde_json::from_slice(&first.bytes).unwrap();
    assert_eq!(
        (&line["type"], &line["message"]),
        (&json!("prompt"), &json!("go"))
    );
    codec.said(&id("u1"), &first.bytes);
    let began = hear(&mut *codec, &json!({"type": "agent_start"}));
    assert!(!began.contains(&Heard::TurnBegan), "it was asked for");
    let second = codec.prompt(&id("u2"), "and this");
    let line: Value = serde_json::from_slice(&second[0].bytes).unwrap();
    assert_eq!(line["streamingBehavior"], "steer");
}

#[test]
fn a_session_whose_file_is_gone_is_told_as_lost() {
    let mut lost = codec(Some("s1"));
    let heard = hear(&mut *lost, &state(0));
    assert!(matches!(
        &heard[..],
        [Heard::Event(Body::Error {
            class: ErrorClass::SessionLost,
            ..
        })]
    ));
    let mut known = codec(Some("s1"));
    assert!(hear(&mut *known, &state(7)).is_empty());
}

#[test]
fn an_abort_interrupts_whether_text_streams_or_a_tool_runs() {
    for story in ["pi-0.87.1/abort-stream", "pi-0.87.1/abort-tool"] {
        assert_eq!(
            outcomes(story),
            [TurnOutcome::Interrupted, TurnOutcome::Completed],
            "{story}"
        );
        let errors = Story::named(story).hear().into_iter();
        let told = errors.filter(|heard| matches!(heard, Heard::Event(Body::Error { .. })));
        assert_eq!(told.count(), 0, "{story}: what the user ended did not fail");
    }
}

#[test]
fn retries_are_told_and_what_fails_for_good_fails_the_turn() {
    assert_eq!(outcomes("pi-0.87.1/err529"), [TurnOutcome::Completed]);
    let retries = Story::named("pi-0.87.1/err529")
        .hear()
        .into_iter()
        .filter(|heard| matches!(heard, Heard::Event(Body::Retrying(_))));
    assert_eq!(retries.count(), 2);
    assert_eq!(outcomes("pi-0.87.1/err401"), [TurnOutcome::Failed]);
    let auth = Story::named("pi-0.87.1/err401")
        .hear()
        .into_iter()
        .any(|heard| {
            matches!(
                heard,
                Heard::Event(Body::Error {
                    class: ErrorClass::Auth,
                    ..
                })
            )
        });
    assert!(auth);
}

#[test]
fn a_failed_command_tells_its_exit_code_and_an_edit_its_patch() {
    let finished = |story: &str| {
        let heard = Story::named(story).hear().into_iter();
        let calls = heard.filter_map(|heard| match heard {
            Heard::Event(Body::ToolCallFinished(call)) => Some(call),
            _ => None,
        });
        calls.collect::<Vec<_>>()
    };
    let failed = finished("pi-0.87.1/bashfail");
    assert_eq!((failed[0].is_error, failed[0].exit_code), (true, Some(3)));
    let edited = finished("pi-0.87.1/edit");
    let patch = edited[1].patch.as_deref().unwrap();
    assert!(patch.contains("+# scratch (edited)"), "{patch}");
}

#[test]
fn its_tools_are_known_by_what_they_do() {
    let mut kinds = Story::named("pi-0.87.1/write")
        .hear()
        .into_iter()
        .filter_map(|heard| match heard {
            Heard::Event(Body::ToolCallStarted(call)) => Some(call.tool),
            _ => None,
        });
    assert_eq!(kinds.next(), Some(ToolKind::Write));
    assert_eq!(kinds.next(), Some(ToolKind::Bash));
}
