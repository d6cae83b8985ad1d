//! What we say to agents of the Agent Client Protocol, and what becomes of what they say.

use paddock_domain::{
    Answer, ApprovalId, ApprovalScope, Body, Decision, ErrorClass, InputId, PermissionMode,
    QuestionId, TurnOutcome,
};
use paddock_harness::{Codec, CodecSetup, Heard, Outgoing, find};
use serde_json::{Value, json};

use crate::story::{Story, id};

fn codec(harness: &str, mode: PermissionMode, resume: Option<&str>) -> Box<dyn Codec> {
    find(harness).unwrap().codec(CodecSetup {
        permission_mode: mode,
        work_dir: "/w".to_owned(),
        resume: resume.map(str::to_owned),
        ..CodecSetup::default()
    })
}

fn hear(codec: &mut dyn Codec, line: &Value) -> Vec<Heard> {
    let mut out = Vec::new();
    codec.hear(line.to_string().as_bytes(), &mut out);
    out
}

fn sent(heard: &[Heard]) -> Vec<Value> {
    let lines = heard.iter().filter_map(|heard| match heard {
        Heard::Send(outgoing) => Some(json_of(outgoing)),
        _ => None,
    });
    lines.collect()
}

fn json_of(outgoing: &Outgoing) -> Value {
    serde_json::from_slice(&outgoing.bytes).unwrap()
}

fn events(heard: Vec<Heard>) -> Vec<Body> {
    let bodies = heard.into_iter().filter_map(|heard| match heard {
        Heard::Event(body) => Some(body),
        _ => None,
    });
    bodies.collect()
}

const MODES: [&str; 4] = ["default", "autoEdit", "yolo", "plan"];

fn initialized(load: bool) -> Value {
    json!({"jsonrpc": "2.0", "id": "initialize", "result":
        {"protocolVersion": 1, "agentCapabilities": {"loadSession": load}}})
}

fn opened(session: Option<&str>) -> Value {
    let modes = MODES.map(|id| json!({"id": id}));
    json!({"jsonrpc": "2.0", "id": "session-1", "result":
        {"sessionId": session, "modes": {"currentModeId": "default", "availableModes": modes}}})
}

/// A conversation that stands, in the mode in which the agent begins.
fn standing(harness: &str) -> Box<dyn Codec> {
    let mut codec = codec(harness, PermissionMode::Ask, None);
    hear(&mut *codec, &initialized(true));
    hear(&mut *codec, &opened(Some("s1")));
    codec
}

fn permission(rpc_id: u64, kind: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": rpc_id, "method": "session/request_permission", "params": {
        "sessionId": "s1",
        "toolCall": {"toolCallId": "c1", "title": "rm -rf x", "kind": kind, "status": "pending"},
        "options": [
            {"optionId": "yes", "kind": "allow_once", "name": "Allow"},
            {"optionId": "ever", "kind": "allow_always", "name": "Always"},
            {"optionId": "no", "kind": "reject_once", "name": "Reject"},
        ],
    }})
}

#[test]
fn a_prompt_waits_for_the_session_and_for_the_mode_that_was_asked_for() {
    let mut codec = codec("gemini", PermissionMode::Plan, None);
    assert_eq!(json_of(&codec.greet()[0])["method"], "initialize");
    assert!(codec.prompt(&id("u1"), "go").is_empty());
    let asked = sent(&hear(&mut *codec, &initialized(true)));
    assert_eq!(asked[0]["method"], "session/new");
    assert_eq!(asked[0]["params"]["cwd"], "/w");
    let set = sent(&hear(&mut *codec, &opened(Some("s1"))));
    assert_eq!(set.len(), 1);
    assert_eq!(set[0]["params"]["modeId"], "plan");
    let answer = json!({"jsonrpc": "2.0", "id": "setting-mode", "result": {}});
    let said = sent(&hear(&mut *codec, &answer));
    assert_eq!(said[0]["method"], "session/prompt");
    assert_eq!(said[0]["params"]["prompt"][0]["text"], "go");
}

#[test]
fn a_mode_that_is_refused_is_told_and_holds_nothing_up() {
    let mut codec = codec("gemini", PermissionMode::Plan, None);
    codec.prompt(&id("u1"), "go");
    hear(&mut *codec, &initialized(true));
    hear(&mut *codec, &opened(Some("s1")));
    let answer =
        json!({"jsonrpc": "2.0", "id": "setting-mode", "error": {"code": -32603, "message": "no"}});
    let heard = hear(&mut *codec, &answer);
    assert_eq!(sent(&heard)[0]["method"], "session/prompt");
    assert!(matches!(&events(heard)[0], Body::Notice { text, .. } if text.contains("mode")));
}

#[test]
fn a_message_during_a_turn_waits_for_its_end() {
    let mut codec = standing("opencode");
    let first = codec.prompt(&id("u1"), "one");
    codec.said(&id("u1"), &first[0].bytes);
    assert!(codec.prompt(&id("u2"), "two").is_empty());
    let done = json!({"jsonrpc": "2.0", "id": "prompt:u1", "result": {"stopReason": "end_turn"}});
    let heard = hear(&mut *codec, &done);
    assert_eq!(sent(&heard)[0]["params"]["prompt"][0]["text"], "two");
    assert!(events(heard).iter().any(|body| matches!(
        body,
        Body::TurnFinished {
            outcome: TurnOutcome::Completed,
            ..
        }
    )));
}

fn spoken(text: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s1", "update":
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}}})
}

#[test]
fn the_past_of_a_loaded_session_is_not_told_again() {
    let mut codec = codec("kimi", PermissionMode::Ask, Some("s1"));
    assert_eq!(
        sent(&hear(&mut *codec, &initialized(true)))[0]["method"],
        "session/load"
    );
    assert!(hear(&mut *codec, &spoken("old")).is_empty());
    assert!(hear(&mut *codec, &opened(None)).is_empty());
    assert_eq!(
        hear(&mut *codec, &spoken("new")).len(),
        1,
        "what comes now is new"
    );
}

#[test]
fn a_past_that_is_still_told_after_the_session_is_loaded_holds_the_next_prompt_back() {
    let mut codec = codec("gemini", PermissionMode::Ask, Some("s1"));
    hear(&mut *codec, &initialized(true));
    codec.prompt(&InputId::parse("u1").unwrap(), "go on");
    let refused = |id: &Value| json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}});
    let first = sent(&hear(&mut *codec, &opened(None)));
    assert_eq!(first.len(), 1, "the prompt waits");
    assert!(hear(&mut *codec, &spoken("old")).is_empty());
    let second = sent(&hear(&mut *codec, &refused(&first[0]["id"])));
    assert_ne!(first[0]["id"], second[0]["id"], "it told more: asked again");
    let third = sent(&hear(&mut *codec, &refused(&second[0]["id"])));
    assert_eq!(third[0]["method"], "session/prompt");
    assert_eq!(hear(&mut *codec, &spoken("new")).len(), 1);
}

#[test]
fn a_context_is_told_as_condensed_when_the_agent_says_so_and_no_turn_ends_with_it() {
    let mut codec = codec("kimi", PermissionMode::Ask, None);
    hear(&mut *codec, &initialized(true));
    hear(&mut *codec, &opened(Some("s1")));
    let done = "Compaction completed.\n- Messages compacted: 5\n- Tokens before: 61,190\n- Tokens after: 41,829";
    assert_eq!(
        hear(&mut *codec, &spoken(done)).len(),
        1,
        "nobody asked: words"
    );
    let asked = codec.compact(&id("c1"), Some("the tests")).unwrap();
    let line = json_of(&asked[0]);
    assert_eq!(line["params"]["prompt"][0]["text"], "/compact the tests");
    codec.said(&asked[0].id, &asked[0].bytes);
    let begun = hear(&mut *codec, &spoken("Context compaction started"));
    assert_eq!(
        begun.len(),
        2,
        "what was said before, and a piece: {begun:?}"
    );
    let ended = json!({"jsonrpc": "2.0", "id": line["id"], "result": {"stopReason": "end_turn"}});
    let ended = events(hear(&mut *codec, &ended));
    let is_end = |body: &Body| matches!(body, Body::TurnFinished { .. });
    assert!(!ended.iter().any(is_end), "{ended:?}");
    let condensed = events(hear(&mut *codec, &spoken(done)));
    let [
        Body::ContextCondensed {
            tokens_before,
            tokens_after,
            ..
        },
    ] = &condensed[..]
    else {
        panic!("{condensed:?}")
    };
    assert_eq!(
        (*tokens_before, *tokens_after),
        (Some(61_190), Some(41_829))
    );
}

#[test]
fn a_session_that_is_gone_is_told_as_lost() {
    let mut codec = codec("gemini", PermissionMode::Ask, Some("s1"));
    hear(&mut *codec, &initialized(true));
    let gone = json!({"jsonrpc": "2.0", "id": "session-1", "error": {"code": -32603, "message": "Internal error",
        "data": {"details": "No previous sessions found for this project."}}});
    let events = events(hear(&mut *codec, &gone));
    assert!(
        matches!(&events[..], [Body::Error { class: ErrorClass::SessionLost, message, .. }]
        if message.contains("No previous sessions"))
    );
}

#[test]
fn an_agent_of_another_protocol_version_is_refused_with_a_reason() {
    let mut codec = codec("kimi", PermissionMode::Ask, None);
    let newer = json!({"jsonrpc": "2.0", "id": "initialize", "result": {"protocolVersion": 7}});
    let heard = hear(&mut *codec, &newer);
    assert!(sent(&heard).is_empty());
    assert!(
        matches!(&events(heard)[..], [Body::Error { message, .. }] if message.contains("version 7"))
    );
}

#[test]
fn decisions_choose_the_option_of_their_kind() {
    let allow = |scope| Decision::Allow { scope, input: None };
    let deny = |interrupt| Decision::Deny {
        message: None,
        interrupt,
    };
    let cases = [
        (
            allow(ApprovalScope::Once),
            json!({"outcome": "selected", "optionId": "yes"}),
        ),
        (
            allow(ApprovalScope::Task),
            json!({"outcome": "selected", "optionId": "ever"}),
        ),
        (
            deny(false),
            json!({"outcome": "selected", "optionId": "no"}),
        ),
        (deny(true), json!({"outcome": "cancelled"})),
    ];
    for (decision, expected) in cases {
        let mut codec = standing("copilot");
        hear(&mut *codec, &permission(4, "execute"));
        let approval = ApprovalId::parse("c1#4").unwrap();
        let said = codec.decide(&id("d"), &approval, &decision).unwrap();
        assert_eq!(json_of(&said[0])["result"]["outcome"], expected);
        let again = codec.decide(&id("e"), &approval, &decision);
        assert!(again.is_err(), "it was decided already");
    }
}

#[test]
fn words_of_a_refusal_follow_as_a_turn_of_their_own_though_we_crash_in_between() {
    let mut codec = standing("copilot");
    hear(&mut *codec, &permission(4, "execute"));
    let message = Some("use trash instead".to_owned());
    let decision = Decision::Deny {
        message,
        interrupt: false,
    };
    let approval = ApprovalId::parse("c1#4").unwrap();
    let said = codec.decide(&id("d"), &approval, &decision).unwrap();
    // Another codec, that knows the log alone.
    let mut replayed = standing("copilot");
    hear(&mut *replayed, &permission(4, "execute"));
    replayed.said(&id("d"), &said[0].bytes);
    let done = json!({"jsonrpc": "2.0", "id": "prompt:u1", "result": {"stopReason": "end_turn"}});
    let heard = hear(&mut *replayed, &done);
    assert_eq!(
        sent(&heard)[0]["params"]["prompt"][0]["text"],
        "use trash instead"
    );
    assert!(heard.contains(&Heard::TurnBegan));
}

#[test]
fn what_the_user_permitted_beforehand_is_answered_at_once() {
    for (mode, kind, asked) in [
        (PermissionMode::FullAuto, "execute", false),
        (PermissionMode::AcceptEdits, "edit", false),
        (PermissionMode::AcceptEdits, "execute", true),
        (PermissionMode::Ask, "edit", true),
        (PermissionMode::FullAuto, "switch_mode", true),
    ] {
        let mut codec = codec("opencode", mode, None);
        hear(&mut *codec, &initialized(true));
        hear(&mut *codec, &opened(Some("s1")));
        let heard = hear(&mut *codec, &permission(0, kind));
        assert_eq!(sent(&heard).is_empty(), asked, "{mode:?} {kind}");
        let waits = events(heard)
            .iter()
            .any(|body| matches!(body, Body::ApprovalRequested(_) | Body::PlanProposed(_)));
        assert_eq!(waits, asked, "{mode:?} {kind}");
    }
}

#[test]
fn an_interrupt_cancels_the_turn_and_answers_what_waits() {
    let mut codec = standing("opencode");
    assert!(codec.interrupt(&id("i0")).is_none(), "there is no turn");
    let prompt = codec.prompt(&id("u1"), "go");
    codec.said(&id("u1"), &prompt[0].bytes);
    hear(&mut *codec, &permission(9, "execute"));
    let said: Vec<Value> = codec
        .interrupt(&id("i1"))
        .unwrap()
        .iter()
        .map(json_of)
        .collect();
    assert_eq!(said[0]["method"], "session/cancel");
    assert!(said[0].get("id").is_none(), "a notification");
    assert_eq!(
        (&said[1]["id"], &said[1]["result"]["outcome"]["outcome"]),
        (&json!(9), &json!("cancelled"))
    );
}

#[test]
fn what_is_not_offered_is_refused_so_that_nobody_waits() {
    let mut codec = standing("qwen");
    let asked =
        json!({"jsonrpc": "2.0", "id": "x", "method": "craft/drainMidTurnQueue", "params": {}});
    let said = sent(&hear(&mut *codec, &asked));
    assert_eq!(
        (&said[0]["id"], &said[0]["error"]["code"]),
        (&json!("x"), &json!(-32601))
    );
}

#[test]
fn kimis_questions_are_questions_with_their_choices() {
    let story = Story::named("kimi-2.1.0/ask");
    let mut codec = story.codec();
    let mut asked = None;
    for line in story.lines() {
        let mut heard = Vec::new();
        codec.hear(line, &mut heard);
        for body in events(heard) {
            if let Body::QuestionAsked(question) = body {
                asked = Some(question);
            }
        }
        if asked.is_some() {
            break;
        }
    }
    let question = asked.unwrap();
    assert_eq!(question.text, "Which colour should the button be?");
    let labels: Vec<_> = question
        .choices
        .iter()
        .map(|choice| choice.label.as_str())
        .collect();
    assert_eq!(labels, ["Red", "Blue"]);
    let blue = Answer {
        choices: vec!["Blue".to_owned()],
        text: None,
    };
    let free = Answer {
        choices: Vec::new(),
        text: Some("green".to_owned()),
    };
    assert!(
        codec
            .answer(&id("a0"), &question.question_id, &free)
            .is_err()
    );
    let said = codec
        .answer(&id("a1"), &question.question_id, &blue)
        .unwrap();
    assert_eq!(
        json_of(&said[0])["result"]["outcome"]["optionId"],
        "q0_opt_1"
    );
    let gone = QuestionId::parse("nobody").unwrap();
    assert!(codec.answer(&id("a2"), &gone, &blue).is_err());
}

#[test]
fn a_command_tells_what_it_runs_whatever_the_agent_calls_it() {
    for (story, command) in [
        ("opencode-1.18.33/write", "cat hello.txt && wc -c hello.txt"),
        ("gemini-0.61.0/multi", "echo first"),
        ("kimi-2.1.0/write", "cat hello.txt && wc -c hello.txt"),
        ("copilot-1.0.102/write", "cat hello.txt && wc -c hello.txt"),
        ("qwen-0.15.10/write", "cat hello.txt && wc -c hello.txt"),
    ] {
        let told = Story::named(story).hear().into_iter().any(|heard| {
            matches!(heard, Heard::Event(Body::ToolCallStarted(call)) if call.command.as_deref() == Some(command))
        });
        assert!(told, "{story}");
    }
}

#[test]
fn copilot_that_reaches_no_model_fails_the_turn_though_it_calls_it_well_ended() {
    let mut codec = standing("copilot");
    let prompt = codec.prompt(&id("u1"), "go");
    codec.said(&id("u1"), &prompt[0].bytes);
    let text = "Error: Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 401).";
    hear(
        &mut *codec,
        &json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s1", "update":
            {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}}}),
    );
    let done = json!({"jsonrpc": "2.0", "id": "prompt:u1", "result": {"stopReason": "end_turn"}});
    let events = events(hear(&mut *codec, &done));
    assert!(events.iter().any(|body| matches!(
        body,
        Body::Error {
            class: ErrorClass::Auth,
            ..
        }
    )));
    assert!(events.iter().any(|body| matches!(
        body,
        Body::TurnFinished {
            outcome: TurnOutcome::Failed,
            ..
        }
    )));
}
