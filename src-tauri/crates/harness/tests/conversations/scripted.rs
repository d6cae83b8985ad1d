//! The scripted agent: what it says and what it is told.

use paddock_domain::{ApprovalId, Body, ErrorClass, PlanDecision, PlanId, QuestionId};
use paddock_harness::{CodecSetup, Heard, find};
use serde_json::json;

use crate::saying::{ACCEPTS, ALLOW, chosen, one};
use crate::story::Story;
use crate::story::id;

#[test]
fn the_scripted_agent_is_told_everything_in_its_own_words() {
    let mut codec = find("scripted").unwrap().codec(CodecSetup::default());
    let mut heard = Vec::new();
    let prompt = one(&codec.prompt(&id("p"), "say hi"));
    assert_eq!(
        prompt,
        json!({"type": "prompt", "id": "p", "text": "say hi"})
    );
    for line in [
        r#"{"type":"question","question":"q1.1","header":"H","text":"Which?","options":[{"label":"A","description":""}],"multiple":false}"#,
        r#"{"type":"approval","approval":"a1.2","call":"c1.2","kind":"bash","input":{"command":"ls"},"reason":"r"}"#,
        r##"{"type":"plan","plan":"p1.3","text":"# Plan"}"##,
    ] {
        codec.hear(line.as_bytes(), &mut heard);
    }
    let types: Vec<&str> = heard
        .iter()
        .map(|heard| match heard {
            Heard::Event(body) => body.type_name(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        types,
        ["question_asked", "approval_requested", "plan_proposed"]
    );
    let question_id = QuestionId::parse("q1.1").unwrap();
    let said = one(&codec.answer(&id("a"), &question_id, &chosen("A")).unwrap());
    assert_eq!(
        said,
        json!({"type": "answer", "id": "a", "question": "q1.1", "answers": ["A"]})
    );
    let approval_id = ApprovalId::parse("a1.2").unwrap();
    let said = one(&codec.decide(&id("b"), &approval_id, &ALLOW).unwrap());
    assert_eq!(
        said,
        json!({"type": "approval", "id": "b", "approval": "a1.2", "decision": "allow"})
    );
    let plan_id = PlanId::parse("p1.3").unwrap();
    let reject = PlanDecision::Reject {
        comment: Some("no".to_owned()),
    };
    let said = one(&codec
        .decide_plan(&id("c"), &plan_id, &reject, ACCEPTS)
        .unwrap());
    assert_eq!(
        said,
        json!({"type": "plan", "id": "c", "plan": "p1.3", "decision": "reject", "message": "no"})
    );
}

#[test]
fn the_scripted_agents_turn_is_told_in_the_common_order() {
    let lines = [
        r#"{"type":"session","protocol":1,"id":"s-1","resumed":false,"model":"small","turns":0}"#,
        r#"{"type":"turn_started","turn":1,"prompt":"p"}"#,
        r#"{"type":"thinking","text":"hm"}"#,
        r#"{"type":"delta","message":"t1.1","text":"he"}"#,
        r#"{"type":"text","message":"t1.1","text":"hello"}"#,
        r#"{"type":"tool_started","call":"c1.2","kind":"bash","input":{"command":"ls"}}"#,
        r#"{"type":"tool_finished","call":"c1.2","kind":"bash","ok":false,"output":"","exit":3}"#,
        r#"{"type":"usage","input_tokens":10,"output_tokens":5,"cached_tokens":1,"context_window":1000}"#,
        r#"{"type":"turn_finished","turn":1,"prompt":"p","outcome":"completed"}"#,
    ];
    let mut codec = find("scripted").unwrap().codec(CodecSetup::default());
    codec.prompt(&id("p"), "go");
    let mut heard = Vec::new();
    for line in lines {
        codec.hear(line.as_bytes(), &mut heard);
    }
    let types: Vec<&str> = heard
        .iter()
        .filter_map(|heard| match heard {
            Heard::Event(body) => Some(body.type_name()),
            Heard::Delta(_) => None,
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = "agent_session_named model_selected thinking assistant_message \
                    tool_call_started tool_call_finished usage_updated turn_finished";
    assert_eq!(types.join(" "), expected);
}

#[test]
fn garbage_is_kept_line_by_line_and_what_is_good_in_it_is_understood() {
    let heard = Story::named("scripted-0.1.0/garbage").hear();
    let kept = heard.iter().filter(|heard| {
        matches!(
            heard,
            Heard::Event(Body::Error {
                class: ErrorClass::UnknownLine,
                ..
            })
        )
    });
    assert!(kept.count() >= 6);
    let huge = heard.iter().any(|heard| {
        matches!(heard, Heard::Event(Body::AssistantMessage { blocks, .. }) if blocks[0].content.len() > 10_000)
    });
    assert!(huge);
    assert!(matches!(
        heard.last(),
        Some(Heard::Event(Body::TurnFinished { .. }))
    ));
}
