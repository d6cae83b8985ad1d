//! Starting anew with an empty context: another session of the same process, and nothing lost in between.

use paddock_domain::{Body, CondensePolicy};
use paddock_harness::{Codec, Heard, Outgoing};
use serde_json::{Value, json};

use crate::story::{Story, codec_after, id};

fn hear(codec: &mut dyn Codec, line: &Value) -> Vec<Heard> {
    let mut out = Vec::new();
    codec.hear(line.to_string().as_bytes(), &mut out);
    out
}

/// Asks to clear, and sees that the log has it.
fn clear(codec: &mut dyn Codec) -> Value {
    let said = codec.clear(&id("c")).unwrap();
    let [Outgoing { id, bytes }] = &said[..] else {
        panic!("{said:?}")
    };
    codec.said(id, bytes);
    serde_json::from_slice(bytes).unwrap()
}

fn sent(heard: &[Heard]) -> Vec<Value> {
    let sent = heard.iter().filter_map(|heard| match heard {
        Heard::Send(outgoing) => serde_json::from_slice(&outgoing.bytes).ok(),
        _ => None,
    });
    sent.collect()
}

/// That it was cleared, and the session's new name.
fn cleared(heard: &[Heard]) -> (bool, Option<&str>) {
    let mut named = None;
    let mut told = false;
    for heard in heard {
        match heard {
            Heard::Event(Body::ContextCondensed { policy, .. }) => {
                told |= *policy == CondensePolicy::Cleared;
            }
            Heard::Event(Body::AgentSessionNamed { session_id }) => named = Some(&**session_id),
            _ => {}
        }
    }
    (told, named)
}

#[test]
fn codex_is_given_another_thread_and_what_is_said_meanwhile_waits_for_it() {
    let mut codec = codec_after("codex-0.169.0/write");
    let asked = clear(&mut *codec);
    assert_eq!(
        (&asked["method"], &asked["id"]),
        (&json!("thread/start"), &json!("clear:c"))
    );
    assert_eq!(asked["params"]["cwd"], "/box/repo");
    assert_eq!(codec.prompt(&id("u9"), "and now?"), []);
    assert_eq!(codec.clear(&id("d")), None, "it is under way");
    let opened = json!({"id": "clear:c", "result": {"thread": {"id": "NEW"}, "model": "gpt-5.5"}});
    let heard = hear(&mut *codec, &opened);
    assert_eq!(cleared(&heard), (true, Some("NEW")));
    let prompt = &sent(&heard)[0];
    assert_eq!(
        (&prompt["params"]["threadId"], &prompt["id"]),
        (&json!("NEW"), &json!("prompt:u9"))
    );
    assert_eq!(
        cleared(&hear(&mut *codec, &opened)),
        (false, None),
        "it was answered"
    );
}

#[test]
fn figures_of_the_thread_before_are_added_to_those_of_the_next() {
    let usage = |heard: &[Heard]| {
        let told = heard.iter().rev().find_map(|heard| match heard {
            Heard::Event(Body::UsageUpdated(usage)) => Some(*usage),
            _ => None,
        });
        told.unwrap()
    };
    let before = usage(&Story::named("codex-0.169.0/write").hear());
    assert!(before.input_tokens + before.cached_tokens > 0);
    let mut codec = codec_after("codex-0.169.0/write");
    clear(&mut *codec);
    let opened = json!({"id": "clear:c", "result": {"thread": {"id": "NEW"}, "model": "gpt-5.5"}});
    let now = usage(&hear(&mut *codec, &opened));
    assert_eq!(
        (now.input_tokens, now.output_tokens),
        (before.input_tokens, before.output_tokens)
    );
    assert_eq!(now.context_used, None);
    let tokens = json!({"inputTokens": 10, "outputTokens": 2, "totalTokens": 12});
    let counted = json!({"method": "thread/tokenUsage/updated", "params": {"threadId": "NEW",
        "tokenUsage": {"total": tokens, "last": tokens}}});
    hear(&mut *codec, &counted);
    let turn = |status: &str| json!({"threadId": "NEW", "turn": {"id": "U", "status": status}});
    hear(
        &mut *codec,
        &json!({"method": "turn/started", "params": turn("inProgress")}),
    );
    let ended = hear(
        &mut *codec,
        &json!({"method": "turn/completed", "params": turn("completed")}),
    );
    let then = usage(&ended);
    assert_eq!(then.input_tokens, before.input_tokens + 10);
    assert_eq!(
        (then.output_tokens, then.context_used),
        (before.output_tokens + 2, Some(12))
    );
}

#[test]
fn a_refusal_is_told_and_the_conversation_goes_on_as_it_was() {
    let mut codec = codec_after("codex-0.169.0/write");
    clear(&mut *codec);
    codec.prompt(&id("u9"), "and now?");
    let refused = json!({"id": "clear:c", "error": {"code": -1, "message": "no more threads"}});
    let heard = hear(&mut *codec, &refused);
    assert_eq!(cleared(&heard), (false, None));
    assert!(
        matches!(&heard[0], Heard::Event(Body::Notice { text, .. }) if text.contains("no more threads"))
    );
    assert_eq!(sent(&heard)[0]["id"], "prompt:u9");

    let mut codec = codec_after("pi-0.87.1/hello");
    clear(&mut *codec);
    let stopped = json!({"type": "response", "command": "new_session", "success": true, "data": {"cancelled": true}});
    let heard = hear(&mut *codec, &stopped);
    assert!(
        matches!(&heard[..], [Heard::Event(Body::Notice { .. })]),
        "{heard:?}"
    );
    assert_eq!(codec.prompt(&id("u9"), "and now?").len(), 1);
}

#[test]
fn pi_is_given_another_session_and_asked_for_its_name() {
    let mut codec = codec_after("pi-0.87.1/hello");
    assert_eq!(
        clear(&mut *codec),
        json!({"id": "c", "type": "new_session"})
    );
    assert_eq!(codec.prompt(&id("u9"), "and now?"), []);
    let begun = json!({"type": "response", "command": "new_session", "success": true, "data": {"cancelled": false}});
    let heard = hear(&mut *codec, &begun);
    assert_eq!(
        sent(&heard),
        [json!({"id": "state-1", "type": "get_state"})]
    );
    let state = json!({"id": "state-1", "type": "response", "command": "get_state", "success": true,
        "data": {"sessionId": "NEW", "messageCount": 0}});
    let heard = hear(&mut *codec, &state);
    assert_eq!(cleared(&heard), (true, Some("NEW")));
    assert_eq!(sent(&heard)[0]["message"], "and now?");
}

#[test]
fn a_session_that_was_cleared_before_its_first_turn_is_named_by_no_later_one() {
    let harness = paddock_harness::find("pi").unwrap();
    let mut codec = harness.codec(paddock_harness::CodecSetup::default());
    let state = |id: &str, session: &str| {
        json!({"id": id, "type": "response", "command": "get_state", "success": true,
            "data": {"sessionId": session, "messageCount": 0}})
    };
    hear(&mut *codec, &state("state", "OLD"));
    clear(&mut *codec);
    let begun = json!({"type": "response", "command": "new_session", "success": true, "data": {"cancelled": false}});
    hear(&mut *codec, &begun);
    let heard = hear(&mut *codec, &state("state-1", "NEW"));
    assert_eq!(cleared(&heard), (true, Some("NEW")));
    let turn = hear(&mut *codec, &json!({"type": "agent_start"}));
    assert!(turn.contains(&Heard::TurnBegan), "{turn:?}");
    assert_eq!(cleared(&turn), (false, None), "{turn:?}");
}

#[test]
fn an_acp_agent_is_given_another_session_and_is_not_heard_in_the_one_before() {
    let mut codec = codec_after("kimi-2.1.0/hello");
    let tuned = codec.set_model(&id("m"), "other").unwrap();
    codec.said(&tuned[0].id, &tuned[0].bytes);
    hear(
        &mut *codec,
        &json!({"jsonrpc": "2.0", "id": "model:m", "result": {}}),
    );
    let asked = clear(&mut *codec);
    assert_eq!(
        (&asked["method"], &asked["params"]["cwd"]),
        (&json!("session/new"), &json!("/box/repo"))
    );
    assert_eq!(codec.prompt(&id("u9"), "and now?"), []);
    let opened = kimi_opens("clear:c", "NEW");
    let heard = hear(&mut *codec, &opened);
    assert_eq!(cleared(&heard), (true, Some("NEW")));
    // What a user chose is chosen again, under names that the relay has not delivered yet.
    let chosen = sent(&heard);
    let ids: Vec<_> = chosen
        .iter()
        .map(|line| line["id"].as_str().unwrap())
        .collect();
    assert!(ids.contains(&"setting-model-1"), "{ids:?}");
    assert!(ids.iter().all(|id| id.ends_with("-1")), "{ids:?}");
    assert!(
        chosen
            .iter()
            .all(|line| line["params"]["sessionId"] == "NEW")
    );
    let mut after = Vec::new();
    for id in ids {
        after = hear(
            &mut *codec,
            &json!({"jsonrpc": "2.0", "id": id, "result": {}}),
        );
    }
    assert_eq!(sent(&after)[0]["params"]["sessionId"], "NEW", "{after:?}");
    let word = |session: &Value| {
        json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session,
        "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "late"}}}})
    };
    assert_eq!(hear(&mut *codec, &word(&first_of_kimi())), []);
    assert_ne!(hear(&mut *codec, &word(&json!("NEW"))), []);
}

/// Kimi's answer to its first `session/new`.
fn kimi_opened() -> Value {
    let story = Story::named("kimi-2.1.0/hello");
    let lines = story.lines().into_iter();
    let mut lines = lines.map(|line| serde_json::from_slice::<Value>(line).unwrap());
    lines.find(|line| line["id"] == "session-1").unwrap()
}

/// The session of that.
fn first_of_kimi() -> Value {
    kimi_opened()["result"]["sessionId"].clone()
}

/// The same answer for another session.
fn kimi_opens(rpc_id: &str, session: &str) -> Value {
    let mut opened = kimi_opened();
    opened["id"] = json!(rpc_id);
    opened["result"]["sessionId"] = json!(session);
    opened
}

/// Clears once more: the new session is `session`. Gives what is chosen for it, taken but for what `refuses` names.
fn clear_kimi(
    codec: &mut dyn Codec,
    session: &str,
    refuses: Option<&str>,
) -> (Vec<String>, String) {
    let said = codec.clear(&id(session)).unwrap();
    codec.said(&said[0].id, &said[0].bytes);
    let opened = kimi_opens(&format!("clear:{session}"), session);
    let chosen = sent(&hear(codec, &opened));
    let mut told = String::new();
    let mut ids = Vec::new();
    for line in &chosen {
        let rpc_id = line["id"].as_str().unwrap();
        let is_refused = refuses.is_some_and(|what| rpc_id.contains(what));
        let answer = match is_refused {
            true => json!({"id": rpc_id, "error": {"code": -32602, "message": "no such thing"}}),
            false => json!({"id": rpc_id, "result": {}}),
        };
        for heard in hear(codec, &answer) {
            if let Heard::Event(Body::Notice { text, .. }) = heard {
                told += &text;
            }
        }
        ids.push(rpc_id.to_owned());
    }
    (ids, told)
}

fn choose_model(codec: &mut dyn Codec, input: &str, model: &str, answer: &Value) {
    let tuned = codec.set_model(&id(input), model).unwrap();
    codec.said(&tuned[0].id, &tuned[0].bytes);
    let mut answer = answer.clone();
    answer["id"] = json!(format!("model:{input}"));
    hear(codec, &answer);
}

#[test]
fn an_acp_agent_is_heard_in_none_of_the_sessions_that_it_was_told_to_forget() {
    let mut codec = codec_after("kimi-2.1.0/hello");
    clear_kimi(&mut *codec, "SECOND", None);
    clear_kimi(&mut *codec, "THIRD", None);
    let word = |session: &Value| {
        json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session,
        "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "late"}}}})
    };
    for former in [first_of_kimi(), json!("SECOND")] {
        assert_eq!(hear(&mut *codec, &word(&former)), [], "{former}");
    }
    assert_ne!(hear(&mut *codec, &word(&json!("THIRD"))), []);
}

/// Kimi asks whether it may, in `session`.
fn kimi_asks(rpc_id: u64, session: &Value) -> Value {
    let options = json!([
        {"optionId": "a", "name": "Allow", "kind": "allow_once"},
        {"optionId": "r", "name": "Reject", "kind": "reject_once"},
    ]);
    let call = json!({"toolCallId": format!("t{rpc_id}"), "kind": "execute", "title": "ls"});
    json!({"jsonrpc": "2.0", "id": rpc_id, "method": "session/request_permission",
        "params": {"sessionId": session, "toolCall": call, "options": options}})
}

#[test]
fn what_an_acp_agent_asked_in_a_session_that_it_is_to_forget_is_asked_no_more() {
    let mut codec = codec_after("kimi-2.1.0/hello");
    clear(&mut *codec);
    let asked = hear(&mut *codec, &kimi_asks(71, &first_of_kimi()));
    let approval = asked.iter().find_map(|heard| match heard {
        Heard::Event(Body::ApprovalRequested(approval)) => Some(approval.approval_id.clone()),
        _ => None,
    });
    let approval = approval.expect("it is shown");

    let heard = hear(&mut *codec, &kimi_opens("clear:c", "NEW"));
    let withdrawn = heard.iter().any(|heard| {
        matches!(heard, Heard::Event(Body::ApprovalResolved { approval_id, decision: None, .. }) if *approval_id == approval)
    });
    assert!(withdrawn, "{heard:?}");
    let broken_off = heard.iter().any(|heard| {
        matches!(heard, Heard::Event(Body::ToolCallFinished(call)) if call.tool_call_id == "t71")
    });
    assert!(broken_off, "{heard:?}");
    let is_cancelled = |heard: &[Heard], rpc_id: u64| {
        let mut said = sent(heard).into_iter();
        said.any(|line| line["id"] == rpc_id && line["result"]["outcome"]["outcome"] == "cancelled")
    };
    assert!(is_cancelled(&heard, 71), "{heard:?}");

    // What it asks there later is nobody's business.
    let late = hear(&mut *codec, &kimi_asks(72, &first_of_kimi()));
    assert!(late.len() == 1 && is_cancelled(&late, 72), "{late:?}");
    let shown = hear(&mut *codec, &kimi_asks(73, &json!("NEW")));
    let is_shown = |heard: &Heard| matches!(heard, Heard::Event(Body::ApprovalRequested(_)));
    assert!(shown.iter().any(is_shown), "{shown:?}");
}

#[test]
fn a_model_that_an_acp_agent_refused_is_asked_for_in_no_later_session() {
    let taken = json!({"jsonrpc": "2.0", "result": {}});
    let refused = json!({"jsonrpc": "2.0", "error": {"code": -32602, "message": "unknown model"}});
    let mut codec = codec_after("kimi-2.1.0/hello");
    choose_model(&mut *codec, "m1", "odd", &refused);
    let (ids, _) = clear_kimi(&mut *codec, "S1", None);
    assert!(!ids.iter().any(|id| id.contains("model")), "{ids:?}");

    choose_model(&mut *codec, "m2", "good", &taken);
    choose_model(&mut *codec, "m3", "odd", &refused);
    let (ids, told) = clear_kimi(&mut *codec, "S2", Some("model"));
    assert!(ids.contains(&"setting-model-2".to_owned()), "{ids:?}");
    assert!(told.contains("did not take the model that"), "{told}");
    let (ids, _) = clear_kimi(&mut *codec, "S3", None);
    assert!(!ids.iter().any(|id| id.contains("model")), "{ids:?}");
}

#[test]
fn claude_is_heard_to_forget_once_whether_it_says_so_or_only_names_another_session() {
    let init = |session: &str| json!({"type": "system", "subtype": "init", "session_id": session, "model": "m"});
    let reset =
        json!({"type": "conversation_reset", "new_conversation_id": "x", "trigger": "clear"});
    let done = json!({"type": "result", "subtype": "success", "is_error": false, "result": ""});
    for says_so in [true, false] {
        let mut codec = codec_after("claude-2.1.330/hello");
        let said = codec.clear(&id("c")).unwrap();
        codec.said(&said[0].id, &said[0].bytes);
        let mut heard = Vec::new();
        for line in [
            Some(&reset).filter(|_| says_so),
            Some(&init("NEW")),
            Some(&done),
            Some(&init("NEW")),
        ] {
            heard.extend(line.map(|line| hear(&mut *codec, line)).unwrap_or_default());
        }
        assert_eq!(cleared(&heard), (true, Some("NEW")));
        let times = heard
            .iter()
            .filter(|heard| matches!(heard, Heard::Event(Body::ContextCondensed { .. })));
        assert_eq!(times.count(), 1, "{says_so}");
    }
}

#[test]
fn nothing_is_cleared_during_a_turn() {
    for story in ["codex-0.169.0/write", "pi-0.87.1/hello", "kimi-2.1.0/hello"] {
        let mut codec = codec_after(story);
        let said = codec.prompt(&id("u9"), "go");
        assert_eq!(said.len(), 1, "{story}");
        assert_eq!(codec.clear(&id("c")), None, "{story}");
    }
}
