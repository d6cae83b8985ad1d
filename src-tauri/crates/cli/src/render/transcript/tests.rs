//! Transcripts held against what a reader should see.

use paddock_domain::{DeltaKind, EventId, TaskId, Timestamp};

use super::*;

/// What a story of JSON bodies, and of deltas as plain text, looks like.
fn show(live: bool, story: &[&str]) -> String {
    let mut transcript = Transcript::new(Paint::never(), live);
    let mut seen = String::new();
    for told in story {
        seen.push_str(&match serde_json::from_str::<Body>(told) {
            Ok(body) => transcript.event(&event(body)),
            Err(_) => transcript.delta(&Delta {
                kind: DeltaKind::Text,
                key: "k".into(),
                text: (*told).to_owned(),
                parent_tool_call_id: None,
            }),
        });
    }
    seen
}

fn event(body: Body) -> Event {
    Event {
        event_id: EventId::new(1, 0),
        ts: Timestamp::from_unix_ms(0),
        seq: 1,
        task_id: TaskId::parse("t1").unwrap(),
        run_id: None,
        turn_id: None,
        source: None,
        body,
    }
}

const SAID: &str = r#"{"type":"assistant_message","blocks":[{"kind":"text","content":"I will look at login first."}]}"#;
const READ: &str = r#"{"type":"tool_call_started","tool_call_id":"1","tool":"read","tool_name":"Read","path":"src/login.rs"}"#;

#[test]
fn a_turn_reads_like_a_conversation() {
    let text = show(
        false,
        &[
            r#"{"type":"branch_claimed","repository":"/r","branch":"paddock-7","base":"main","base_commit":"abc","adopted":false}"#,
            r#"{"type":"run_started","harness":"claude","version":"2.1.330","resumed":false}"#,
            r#"{"type":"user_message","input_id":"i1","content":"Fix the login\n"}"#,
            SAID,
            READ,
            r#"{"type":"tool_call_finished","tool_call_id":"1","is_error":false,"output":"fn login"}"#,
            r#"{"type":"tool_call_started","tool_call_id":"2","tool":"bash","tool_name":"Bash","command":"cargo test auth\necho done"}"#,
            r#"{"type":"tool_call_finished","tool_call_id":"2","is_error":true,"exit_code":101,"output":"running\nassertion failed\n"}"#,
            r#"{"type":"todo_updated","items":[{"text":"a","status":"completed"},{"text":"b","status":"pending"}]}"#,
            r#"{"type":"question_asked","question_id":"q1","text":"Which token?","choices":[{"label":"JWT"},{"label":"opaque","description":"a random one"}]}"#,
            r#"{"type":"question_answered","question_id":"q1","answer":{"choices":["JWT"]}}"#,
            r#"{"type":"commit_made","repository":"/r","commit":"0123456789abcdef","subject":"Fix the login"}"#,
            r#"{"type":"turn_finished","outcome":"completed","duration_ms":61234}"#,
        ],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn a_message_that_streamed_is_not_printed_again() {
    let text = show(true, &["I will look ", "at login", SAID, READ]);
    assert_eq!(text, "I will look at login first.\n▸ Read  src/login.rs\n");
    let whole = show(true, &["I will look at login first.", SAID, SAID]);
    assert_eq!(
        whole,
        "I will look at login first.\nI will look at login first.\n"
    );
}

#[test]
fn a_message_that_streamed_before_an_earlier_one_arrived_is_not_printed_again() {
    let earlier =
        r#"{"type":"assistant_message","blocks":[{"kind":"text","content":"Plan accepted."}]}"#;
    let text = show(true, &["I will look at login first.", earlier, SAID]);
    assert_eq!(text, "I will look at login first.\nPlan accepted.\n");
}

#[test]
fn an_event_in_mid_message_begins_on_a_line_of_its_own() {
    let text = show(true, &["thinking about", READ]);
    assert_eq!(text, "thinking about\n▸ Read  src/login.rs\n");
}

#[test]
fn without_a_terminal_messages_come_whole() {
    assert_eq!(
        show(false, &["I will", SAID]),
        "I will look at login first.\n"
    );
}

#[test]
fn what_a_client_that_rejoins_is_told_again_is_not_taken_for_the_whole() {
    let mut transcript = Transcript::new(Paint::never(), true);
    let delta = |text: &str| Delta {
        kind: DeltaKind::Text,
        key: "k".into(),
        text: text.into(),
        parent_tool_call_id: None,
    };
    let mut seen = transcript.delta(&delta("I will "));
    seen.push_str(&transcript.rejoin());
    seen.push_str(&transcript.delta(&delta("I will look")));
    seen.push_str(&transcript.event(&event(serde_json::from_str(SAID).unwrap())));
    assert_eq!(seen, "I will \nI will look at login first.\n");
}

#[test]
fn pieces_of_sub_agents_wait_for_their_whole_message() {
    let mut transcript = Transcript::new(Paint::never(), true);
    let piece = Delta {
        kind: DeltaKind::Text,
        key: "k".into(),
        text: "I found".into(),
        parent_tool_call_id: Some("1".into()),
    };
    assert_eq!(transcript.delta(&piece), "");
    let whole = r#"{"type":"assistant_message","blocks":[{"kind":"text","content":"I found it."}],"parent_tool_call_id":"1"}"#;
    let seen = transcript.event(&event(serde_json::from_str(whole).unwrap()));
    assert_eq!(seen, "  I found it.\n");
}

#[test]
fn a_retry_says_what_failed_and_when_it_is_tried_again() {
    let retrying = r#"{"type":"retrying","attempt":1,"attempts_max":3,"class":"quota","reason":"429: slow down","delay_ms":2500}"#;
    let told =
        "! the provider's limit is met, tries again in 2.5 s (attempt 1 of 3): 429: slow down\n";
    assert_eq!(show(false, &[retrying]), told);
    assert_eq!(show(false, &[r#"{"type":"retry_ended"}"#]), "");
}

#[test]
fn an_agent_cannot_paint_the_terminal() {
    let text = show(
        false,
        &[
            r#"{"type":"assistant_message","blocks":[{"kind":"text","content":"\u001b[2Jgone\u0007"}]}"#,
        ],
    );
    assert_eq!(text, "[2Jgone\n");
}

#[test]
fn a_context_says_why_it_is_another() {
    let told = |policy: &str| {
        let body = format!(r#"{{"type":"context_condensed","policy":"{policy}"}}"#);
        show(false, &[&body])
    };
    assert!(told("cleared").contains("context cleared"));
    assert!(told("rolling_window").contains("by the agent"));
    assert!(told("session_lost").contains("session lost"));
}

#[test]
fn a_wish_is_told_and_one_that_failed_says_why() {
    let wish = r#"{"type":"condensing_wished","what":"clear"}"#;
    assert!(show(false, &[wish]).contains("you asked for an empty context"));
    let failed = r#"{"type":"wish_failed","wish":"e7","why":"The run ended"}"#;
    assert_eq!(show(false, &[failed]), "! The run ended\n");
}
