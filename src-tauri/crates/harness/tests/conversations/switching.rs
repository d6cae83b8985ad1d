//! What can be changed while an agent runs: each in its program's words, and known from the log alone.

use paddock_domain::{Body, PermissionMode};
use paddock_harness::{Codec, Heard, Outgoing};
use serde_json::{Value, json};

use crate::story::{Story, codec_after, id};

fn line(outgoing: Option<Vec<Outgoing>>) -> Value {
    let outgoing = outgoing.unwrap();
    assert_eq!(outgoing.len(), 1);
    serde_json::from_slice(&outgoing[0].bytes).unwrap()
}

#[test]
fn codex_is_told_effort_and_mode_as_settings_of_its_thread_and_condenses_by_a_request() {
    let mut codec = codec_after("codex-0.169.0/write");
    let effort = line(codec.set_effort(&id("a"), "high"));
    assert_eq!(effort["method"], "thread/settings/update");
    assert_eq!(effort["params"]["effort"], "high");
    let mode = line(codec.set_permission_mode(&id("b"), PermissionMode::Ask));
    assert_eq!(mode["params"]["approvalPolicy"], "untrusted");
    assert_eq!(mode["params"]["collaborationMode"]["mode"], "default");
    let condense = line(codec.compact(&id("c"), None));
    assert_eq!(condense["method"], "thread/compact/start");
}

#[test]
fn pi_is_told_effort_and_condensing_by_its_commands() {
    let mut codec = codec_after("pi-0.87.1/hello");
    let effort = line(codec.set_effort(&id("a"), "high"));
    assert_eq!(
        effort,
        json!({"id": "a", "type": "set_thinking_level", "level": "high"})
    );
    let condense = line(codec.compact(&id("c"), Some("the tests")));
    assert_eq!(condense["type"], "compact");
    assert_eq!(condense["customInstructions"], "the tests");
    assert_eq!(
        codec.set_permission_mode(&id("b"), PermissionMode::Ask),
        None
    );
}

#[test]
fn an_acp_agent_that_was_told_to_ask_is_not_answered_for_its_user_any_more() {
    let mut codec = codec_after("kimi-2.1.0/hello");
    let permission = br#"{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s","options":[{"optionId":"y","name":"Yes","kind":"allow_once"}],"toolCall":{"toolCallId":"t1","kind":"execute","title":"ls","rawInput":{"command":"ls"}}}}"#;
    let asks = |codec: &mut dyn Codec| {
        let mut heard = Vec::new();
        codec.hear(permission, &mut heard);
        heard
            .iter()
            .any(|heard| matches!(heard, Heard::Event(Body::ApprovalRequested(_))))
    };
    let auto = codec
        .set_permission_mode(&id("a"), PermissionMode::FullAuto)
        .unwrap();
    codec.said(&auto[0].id, &auto[0].bytes);
    assert!(!asks(&mut *codec));
    let ask = codec
        .set_permission_mode(&id("b"), PermissionMode::Ask)
        .unwrap();
    assert!(!asks(&mut *codec), "a wish alone changes nothing");
    codec.said(&ask[0].id, &ask[0].bytes);
    assert!(asks(&mut *codec));
    assert_eq!(
        line(codec.compact(&id("c"), None))["params"]["prompt"][0]["text"],
        "/compact"
    );
}

#[test]
fn what_a_sub_agent_of_an_acp_agent_does_is_nested_below_the_call_that_started_it() {
    for (name, of_words) in [("qwen-0.24.4", true), ("copilot-1.0.102", false)] {
        let heard = Story::named(&format!("{name}/subagent")).hear();
        let bodies: Vec<Body> = heard
            .into_iter()
            .filter_map(|heard| match heard {
                Heard::Event(body) => Some(body),
                _ => None,
            })
            .collect();
        let call = bodies.iter().find_map(|body| match body {
            Body::SubagentStarted { tool_call_id, .. } => Some(tool_call_id.clone()),
            _ => None,
        });
        let call = call.unwrap_or_else(|| panic!("{name} told no sub-agent"));
        let nested_call = bodies.iter().any(|body| {
            matches!(body, Body::ToolCallStarted(it) if it.parent_tool_call_id.as_ref() == Some(&call))
        });
        assert!(nested_call, "{name}");
        let nested_words = bodies.iter().any(|body| {
            matches!(body, Body::AssistantMessage { parent_tool_call_id: Some(parent), .. } if *parent == call)
        });
        assert_eq!(nested_words, of_words, "{name}");
    }
}
