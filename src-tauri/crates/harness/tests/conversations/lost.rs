//! Agents that no longer know the session they are to go on with, in their own words.

use paddock_domain::{Body, ErrorClass};
use paddock_harness::{Codec, CodecSetup, Heard, find};

use crate::story::id;

/// As Claude Code 2.1.330 says it, but for its figures; then it exits with code 1.
const CLAUDE: &str = r#"{"type":"result","subtype":"error_during_execution","duration_ms":0,"duration_api_ms":0,"is_error":true,"num_turns":0,"stop_reason":null,"session_id":"11111111-2222-3333-4444-555555555555","total_cost_usd":0,"permission_denials":[],"uuid":"u","errors":["No conversation found with session ID: 11111111-2222-3333-4444-555555555555"],"result_index":0}"#;
/// As Codex 0.169.0 answers; it goes on.
const CODEX: &str = r#"{"error":{"code":-32600,"message":"no rollout found for thread id 11111111-2222-3333-4444-555555555555"},"id":"thread-1"}"#;
const SCRIPTED: &str =
    r#"{"type":"error","message":"there is no session \"s\" to resume","fatal":true}"#;

fn resuming(harness: &str) -> Box<dyn Codec> {
    find(harness).unwrap().codec(CodecSetup {
        resume: Some("11111111-2222-3333-4444-555555555555".to_owned()),
        ..CodecSetup::default()
    })
}

fn fresh(harness: &str) -> Box<dyn Codec> {
    find(harness).unwrap().codec(CodecSetup::default())
}

/// What `lines` mean to `codec`, to which a message was delivered before: types and error classes.
fn told(mut codec: Box<dyn Codec>, lines: &[&str]) -> Vec<String> {
    codec.greet();
    let said = codec.prompt(&id("m"), "go on");
    for outgoing in said {
        codec.said(&outgoing.id, &outgoing.bytes);
    }
    let mut heard = Vec::new();
    for line in lines {
        codec.hear(line.as_bytes(), &mut heard);
    }
    let tell = |heard: &Heard| match heard {
        Heard::Event(Body::Error { class, .. }) => Some(format!("{class:?}")),
        Heard::Event(body) => Some(body.type_name().to_owned()),
        Heard::Delta(_) | Heard::Send(_) | Heard::TurnBegan => None,
    };
    heard.iter().filter_map(tell).collect()
}

#[test]
fn a_lost_session_is_told_as_that_and_ends_no_turn() {
    let lost = [format!("{:?}", ErrorClass::SessionLost)];
    assert_eq!(told(resuming("claude"), &[CLAUDE]), lost);
    let codex = [r#"{"id":"initialize","result":{}}"#, CODEX];
    assert_eq!(told(resuming("codex"), &codex), lost);
    assert_eq!(told(resuming("scripted"), &[SCRIPTED]), lost);
}

#[test]
fn a_fresh_run_that_says_the_same_has_lost_nothing() {
    for (harness, line) in [("claude", CLAUDE), ("scripted", SCRIPTED)] {
        let told = told(fresh(harness), &[line]);
        assert!(
            !told.contains(&"SessionLost".to_owned()),
            "{harness}: {told:?}"
        );
    }
}

#[test]
fn an_agent_that_has_named_its_session_has_not_lost_it() {
    let session =
        r#"{"type":"session","protocol":1,"id":"s","resumed":true,"model":"m","turns":1}"#;
    let told = told(resuming("scripted"), &[session, SCRIPTED]);
    assert!(told.contains(&"Agent".to_owned()), "{told:?}");
}
