//! What is said to the programs, byte for byte as they understand it.

use paddock_domain::{
    Answer, ApprovalId, ApprovalScope, Body, Decision, PermissionMode, Plan, PlanDecision, PlanId,
    Question, QuestionId,
};
use paddock_harness::{CannotSay, Codec, CodecSetup, Heard, Outgoing, find};
use serde_json::{Value, json};

use crate::story::{Record, Story, id, play};

/// How an agent is to ask once its plan is approved, where no rule denies.
pub(crate) const ACCEPTS: PermissionMode = PermissionMode::AcceptEdits;

fn line(outgoing: &Outgoing) -> Value {
    assert_eq!(
        outgoing.bytes.iter().filter(|byte| **byte == b'\n').count(),
        1
    );
    serde_json::from_slice(&outgoing.bytes).unwrap()
}

pub(crate) fn one(outgoing: &[Outgoing]) -> Value {
    let [outgoing] = outgoing else {
        panic!("{outgoing:?}")
    };
    line(outgoing)
}

/// A codec in the midst of a story, right after an event of this type, with that event.
fn after(story: &str, mode: PermissionMode, type_name: &str) -> (Box<dyn Codec>, Body) {
    let story = Story::named(story);
    let mut codec = story.harness.codec(CodecSetup {
        permission_mode: mode,
        work_dir: "/box/repo".to_owned(),
        ..CodecSetup::default()
    });
    for record in &story.log {
        let mut heard = Vec::new();
        play(&mut *codec, record, &mut heard);
        let found = heard.into_iter().find_map(|heard| match heard {
            Heard::Event(body) if body.type_name() == type_name => Some(body),
            _ => None,
        });
        if let Some(body) = found {
            return (codec, body);
        }
    }
    panic!("no {type_name}")
}

fn approval(story: &str) -> (Box<dyn Codec>, ApprovalId) {
    match after(story, PermissionMode::Ask, "approval_requested") {
        (codec, Body::ApprovalRequested(approval)) => (codec, approval.approval_id),
        _ => unreachable!(),
    }
}

fn question(story: &str) -> (Box<dyn Codec>, QuestionId) {
    match after(story, PermissionMode::FullAuto, "question_asked") {
        (codec, Body::QuestionAsked(Question { question_id, .. })) => (codec, question_id),
        _ => unreachable!(),
    }
}

fn plan(story: &str, mode: PermissionMode) -> (Box<dyn Codec>, PlanId) {
    match after(story, mode, "plan_proposed") {
        (codec, Body::PlanProposed(Plan { plan_id, .. })) => (codec, plan_id),
        _ => unreachable!(),
    }
}

pub(crate) fn chosen(label: &str) -> Answer {
    Answer {
        choices: vec![label.to_owned()],
        text: None,
    }
}

pub(crate) const ALLOW: Decision = Decision::Allow {
    scope: ApprovalScope::Once,
    input: None,
};

#[test]
fn claude_messages_wait_for_the_handshake_and_go_out_under_their_own_ids() {
    let mut codec = find("claude").unwrap().codec(CodecSetup::default());
    assert_eq!(one(&codec.greet())["request"]["subtype"], "initialize");
    assert_eq!(codec.prompt(&id("a"), "first"), []);
    assert_eq!(codec.prompt(&id("b"), "second"), []);
    let mut heard = Vec::new();
    let ready = br#"{"type":"control_response","response":{"subtype":"success","request_id":"greet-0","response":{}}}"#;
    codec.hear(ready, &mut heard);
    let sent: Vec<_> = heard
        .iter()
        .map(|heard| match heard {
            Heard::Send(outgoing) => (
                outgoing.id.as_str(),
                line(outgoing)["message"]["content"].clone(),
            ),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(sent, [("a", json!("first")), ("b", json!("second"))]);
    let third = one(&codec.prompt(&id("c"), "third \"quoted\"\n"));
    assert_eq!(
        third,
        json!({"type": "user", "message": {"role": "user", "content": "third \"quoted\"\n"}})
    );
}

#[test]
fn a_message_that_the_log_shows_as_delivered_is_not_sent_again_in_a_replay() {
    let mut codec = find("claude").unwrap().codec(CodecSetup::default());
    codec.prompt(&id("a"), "first");
    codec.said(
        &id("a"),
        b"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"first\"}}\n",
    );
    let mut heard = Vec::new();
    let ready =
        br#"{"type":"control_response","response":{"subtype":"success","request_id":"greet-0"}}"#;
    codec.hear(ready, &mut heard);
    assert_eq!(heard, []);
}

#[test]
fn claude_is_allowed_denied_and_given_other_input() {
    let story = "claude-2.1.330/perm-allow";
    let (mut codec, approval_id) = approval(story);
    let said = one(&codec.decide(&id("i"), &approval_id, &ALLOW).unwrap());
    let response = &said["response"];
    assert_eq!(response["request_id"], approval_id.as_str());
    assert_eq!(response["response"]["behavior"], "allow");
    assert_eq!(
        response["response"]["updatedInput"]["file_path"],
        "/box/repo/hello.txt"
    );
    assert_eq!(response["response"].get("updatedPermissions"), None);

    let (mut codec, approval_id) = approval(story);
    let input = json!({"file_path": "/box/repo/other.txt", "content": "x"});
    let edited = Decision::Allow {
        scope: ApprovalScope::Once,
        input: Some(input.clone()),
    };
    let said = one(&codec.decide(&id("i"), &approval_id, &edited).unwrap());
    assert_eq!(said["response"]["response"]["updatedInput"], input);

    let (mut codec, approval_id) = approval(story);
    let deny = Decision::Deny {
        message: Some("no".to_owned()),
        interrupt: true,
    };
    let said = one(&codec.decide(&id("i"), &approval_id, &deny).unwrap());
    let expected = json!({"behavior": "deny", "message": "no", "interrupt": true});
    assert_eq!(said["response"]["response"], expected);
}

#[test]
fn a_permission_for_the_task_never_writes_into_the_repository() {
    let (mut codec, approval_id) = approval("claude-2.1.330/perm-allow-always");
    let task = Decision::Allow {
        scope: ApprovalScope::Task,
        input: None,
    };
    let said = one(&codec.decide(&id("i"), &approval_id, &task).unwrap());
    let rules = said["response"]["response"]["updatedPermissions"]
        .as_array()
        .unwrap();
    assert!(!rules.is_empty());
    assert!(
        rules.iter().all(|rule| rule["destination"] == "session"),
        "{rules:?}"
    );
    let (mut codec, approval_id) = approval("claude-2.1.330/perm-allow-always");
    let always = Decision::Allow {
        scope: ApprovalScope::Repository,
        input: None,
    };
    let refused = codec.decide(&id("i"), &approval_id, &always);
    assert!(matches!(refused, Err(CannotSay::Unfit { .. })));
}

#[test]
fn codex_is_allowed_once_and_for_the_task_and_denied_with_words() {
    let words = [
        (ALLOW, "accept"),
        (
            Decision::Allow {
                scope: ApprovalScope::Task,
                input: None,
            },
            "acceptForSession",
        ),
        (
            Decision::Deny {
                message: None,
                interrupt: false,
            },
            "decline",
        ),
        (
            Decision::Deny {
                message: None,
                interrupt: true,
            },
            "cancel",
        ),
    ];
    for (decision, word) in words {
        let (mut codec, approval_id) = approval("codex-0.169.0/perm-accept-session");
        let said = one(&codec.decide(&id("i"), &approval_id, &decision).unwrap());
        assert_eq!(said, json!({"id": 0, "result": {"decision": word}}));
    }
    let (mut codec, approval_id) = approval("codex-0.169.0/perm-accept-session");
    let deny = Decision::Deny {
        message: Some("use tabs".to_owned()),
        interrupt: false,
    };
    let said = codec.decide(&id("i"), &approval_id, &deny).unwrap();
    let [answer, words] = said.as_slice() else {
        panic!("{said:?}")
    };
    assert_eq!(line(answer)["result"]["decision"], "decline");
    assert_eq!(line(words)["params"]["input"][0]["text"], "use tabs");
    assert_ne!(answer.id, words.id);
}

#[test]
fn codex_edits_pass_unasked_where_edits_are_accepted_and_commands_do_not() {
    let story = Story::named("codex-0.169.0/perm-accept-session");
    let mut codec = story.harness.codec(CodecSetup {
        permission_mode: PermissionMode::AcceptEdits,
        ..CodecSetup::default()
    });
    let mut heard = Vec::new();
    for record in &story.log {
        play(&mut *codec, record, &mut heard);
    }
    let asked: Vec<_> = heard
        .iter()
        .filter_map(|heard| match heard {
            Heard::Event(Body::ApprovalRequested(approval)) => Some(approval.tool_name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(asked, ["shell"]);
    let accepted = heard.iter().any(|heard| {
        matches!(heard, Heard::Send(outgoing) if outgoing.id.as_str() == "reply-0"
            && line(outgoing) == json!({"id": 0, "result": {"decision": "accept"}}))
    });
    assert!(accepted);
}

#[test]
fn what_is_decided_twice_or_was_never_asked_is_gone() {
    for story in [
        "claude-2.1.330/perm-allow",
        "codex-0.169.0/perm-accept-session",
    ] {
        let (mut codec, approval_id) = approval(story);
        assert!(codec.decide(&id("i"), &approval_id, &ALLOW).is_ok());
        let again = codec.decide(&id("j"), &approval_id, &ALLOW);
        assert!(matches!(again, Err(CannotSay::Gone { .. })), "{story}");
        let stranger = ApprovalId::parse("stranger").unwrap();
        assert!(codec.decide(&id("k"), &stranger, &ALLOW).is_err());
    }
}

#[test]
fn a_request_that_the_log_shows_as_answered_is_gone_after_a_replay() {
    let story = Story::named("claude-2.1.330/perm-allow");
    let mut codec = story.codec();
    let mut heard = Vec::new();
    let mut asked = None;
    for record in &story.log {
        play(&mut *codec, record, &mut heard);
        if let Some(Heard::Event(Body::ApprovalRequested(approval))) = heard.last() {
            asked = Some(approval.approval_id.clone());
        }
        let answered = matches!(record, Record::In(_, bytes) if bytes.windows(8).any(|part| part == b"behavior"));
        if answered {
            break;
        }
    }
    assert!(codec.decide(&id("i"), &asked.unwrap(), &ALLOW).is_err());
}

#[test]
fn questions_asked_together_are_answered_together_with_the_last() {
    let asked = json!({"type": "control_request", "request_id": "r1", "request": {
        "subtype": "can_use_tool", "tool_name": "AskUserQuestion", "tool_use_id": "t1",
        "input": {"questions": [
            {"question": "Which?", "header": "W", "options": [{"label": "A"}, {"label": "B"}], "multiSelect": true},
            {"question": "Why?", "options": []},
        ]},
    }});
    let mut codec = find("claude").unwrap().codec(CodecSetup::default());
    let mut heard = Vec::new();
    codec.hear(asked.to_string().as_bytes(), &mut heard);
    let ids: Vec<QuestionId> = heard
        .iter()
        .map(|heard| match heard {
            Heard::Event(Body::QuestionAsked(question)) => question.question_id.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    let why = Answer {
        choices: Vec::new(),
        text: Some("Because.".to_owned()),
    };
    assert_eq!(codec.answer(&id("i"), &ids[1], &why), Ok(Vec::new()));
    let both = Answer {
        choices: vec!["A".to_owned(), "B".to_owned()],
        text: None,
    };
    let said = one(&codec.answer(&id("j"), &ids[0], &both).unwrap());
    let input = &said["response"]["response"]["updatedInput"];
    assert_eq!(
        input["answers"],
        json!({"Which?": "A, B", "Why?": "Because."})
    );
    assert_eq!(input["questions"].as_array().unwrap().len(), 2);
    assert!(codec.answer(&id("k"), &ids[0], &both).is_err());
}

#[test]
fn answers_are_as_the_recorded_ones() {
    let (mut codec, question_id) = question("claude-2.1.330/ask");
    let said = one(&codec
        .answer(&id("i"), &question_id, &chosen("Blue"))
        .unwrap());
    let answers = &said["response"]["response"]["updatedInput"]["answers"];
    assert_eq!(
        answers,
        &json!({"Which colour should the button be?": "Blue"})
    );
    let (mut codec, question_id) = question("codex-0.169.0/ask");
    let said = one(&codec
        .answer(&id("i"), &question_id, &chosen("Blue"))
        .unwrap());
    assert_eq!(
        said,
        json!({"id": 0, "result": {"answers": {"q1": {"answers": ["Blue"]}}}})
    );
}

#[test]
fn a_plan_is_approved_with_the_right_to_edit_and_rejected_with_words() {
    let story = "claude-2.1.330/plan-file";
    let (mut codec, plan_id) = plan(story, PermissionMode::Plan);
    let approve = PlanDecision::Approve { text: None };
    let said = one(&codec
        .decide_plan(&id("i"), &plan_id, &approve, ACCEPTS)
        .unwrap());
    let mode = &said["response"]["response"]["updatedPermissions"][0];
    assert_eq!(
        mode,
        &json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"})
    );

    // With rules that deny it asks from its first edit on: a word after the approval can come too late.
    let (mut codec, plan_id) = plan(story, PermissionMode::Plan);
    let asks = codec.decide_plan(&id("i"), &plan_id, &approve, PermissionMode::Ask);
    let said = one(&asks.unwrap());
    assert_eq!(
        said["response"]["response"]["updatedPermissions"][0]["mode"],
        "default"
    );

    let (mut codec, plan_id) = plan(story, PermissionMode::Plan);
    let reject = PlanDecision::Reject {
        comment: Some("Add a test.".to_owned()),
    };
    let said = one(&codec
        .decide_plan(&id("i"), &plan_id, &reject, ACCEPTS)
        .unwrap());
    let expected = json!({"behavior": "deny", "message": "Add a test."});
    assert_eq!(said["response"]["response"], expected);

    let (mut codec, plan_id) = plan(story, PermissionMode::Plan);
    let changed = PlanDecision::Approve {
        text: Some("# Mine".to_owned()),
    };
    let said = codec
        .decide_plan(&id("i"), &plan_id, &changed, ACCEPTS)
        .unwrap();
    let [answer, message] = said.as_slice() else {
        panic!("{said:?}")
    };
    assert_eq!(
        line(answer)["response"]["response"]["updatedInput"]["plan"],
        "# Mine"
    );
    assert!(
        line(message)["message"]["content"]
            .as_str()
            .unwrap()
            .ends_with("# Mine")
    );
}

#[test]
fn codex_plans_until_a_plan_is_approved() {
    let (mut codec, plan_id) = plan("codex-0.169.0/ask", PermissionMode::Plan);
    let asked = one(&codec.prompt(&id("a"), "and then?"));
    assert_eq!(asked["params"]["collaborationMode"]["mode"], "plan");
    let approve = PlanDecision::Approve { text: None };
    let said = one(&codec
        .decide_plan(&id("i"), &plan_id, &approve, ACCEPTS)
        .unwrap());
    assert_eq!(said["method"], "turn/start");
    assert_eq!(said["params"]["collaborationMode"]["mode"], "default");
    assert_eq!(
        said["params"]["collaborationMode"]["settings"]["model"],
        "gpt-5.5"
    );
    let next = one(&codec.prompt(&id("b"), "go on"));
    assert_eq!(next["params"].get("collaborationMode"), None);
    assert!(
        codec
            .decide_plan(&id("j"), &plan_id, &approve, ACCEPTS)
            .is_err()
    );
}

#[test]
fn codex_is_interrupted_by_the_turn_under_way_or_as_soon_as_it_has_an_id() {
    let opened = br#"{"id":"thread-1","result":{"thread":{"id":"T"},"model":"gpt-5.5"}}"#;
    let mut codec = find("codex").unwrap().codec(CodecSetup::default());
    let mut heard = Vec::new();
    assert_eq!(one(&codec.greet())["method"], "initialize");
    assert_eq!(codec.interrupt(&id("x")), None);
    assert_eq!(codec.prompt(&id("a"), "hello"), []);
    codec.hear(br#"{"id":"initialize","result":{}}"#, &mut heard);
    codec.hear(opened, &mut heard);
    let sent: Vec<&str> = heard
        .iter()
        .filter_map(|heard| match heard {
            Heard::Send(outgoing) => Some(outgoing.id.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(sent, ["initialized", "thread-1", "models", "a"]);
    heard.clear();
    assert_eq!(codec.interrupt(&id("y")), Some(Vec::new()));
    codec.hear(
        br#"{"id":"prompt:a","result":{"turn":{"id":"U"}}}"#,
        &mut heard,
    );
    let [Heard::Send(outgoing)] = heard.as_slice() else {
        panic!("{heard:?}")
    };
    assert_eq!(outgoing.id, id("y"));
    let expected = json!({"id": "interrupt:y", "method": "turn/interrupt", "params": {"threadId": "T", "turnId": "U"}});
    assert_eq!(line(outgoing), expected);
    let now = one(&codec.interrupt(&id("z")).unwrap());
    assert_eq!(now["params"]["turnId"], "U");
}

#[test]
fn codex_that_can_have_no_thread_fails_the_prompt_and_tries_again_with_the_next() {
    let mut codec = find("codex").unwrap().codec(CodecSetup::default());
    let mut heard = Vec::new();
    codec.greet();
    codec.prompt(&id("a"), "hello");
    codec.hear(br#"{"id":"initialize","result":{}}"#, &mut heard);
    heard.clear();
    codec.hear(
        br#"{"id":"thread-1","error":{"code":-32600,"message":"bad model"}}"#,
        &mut heard,
    );
    let types: Vec<&str> = heard
        .iter()
        .map(|heard| match heard {
            Heard::Event(body) => body.type_name(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(types, ["error", "usage_updated", "turn_finished"]);
    assert_eq!(
        one(&codec.prompt(&id("b"), "again"))["method"],
        "thread/start"
    );
}

#[test]
fn claude_is_interrupted_and_its_model_set_by_control_requests() {
    let mut codec = find("claude").unwrap().codec(CodecSetup::default());
    let said = one(&codec.interrupt(&id("x")).unwrap());
    assert_eq!(
        said,
        json!({"type": "control_request", "request_id": "interrupt:x", "request": {"subtype": "interrupt"}})
    );
    let said = one(&codec.set_model(&id("y"), "opus").unwrap());
    assert_eq!(
        said["request"],
        json!({"subtype": "set_model", "model": "opus"})
    );
}
