//! Recorded conversations with the real programs decode to the events that are committed beside them.
//!
//! A folder of `tests/fixtures/transcripts` holds, for each scenario, what the program said
//! (`NAME.jsonl`), what it was told and when (`NAME.said.jsonl`: after how many lines), and the events
//! that come of it (`NAME.events.jsonl`). `PADDOCK_BLESS=1` writes the last anew: read the difference
//! before it is committed.

use paddock_domain::{Body, CostSource, DeltaKind, ErrorClass};
use paddock_harness::{Heard, decode_recording};

use crate::story::{Story, stories};

#[test]
fn every_transcript_decodes_to_its_events() {
    let bless = std::env::var_os("PADDOCK_BLESS").is_some();
    let mut differing = Vec::new();
    for story in stories() {
        let found = story.told();
        if bless {
            std::fs::write(story.expected_path(), &found).unwrap();
        }
        let expected = std::fs::read_to_string(story.expected_path()).unwrap_or_default();
        if found != expected {
            differing.push(format!(
                "{}\n{}",
                story.name,
                first_difference(&expected, &found)
            ));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n\n"));
}

fn first_difference(expected: &str, found: &str) -> String {
    let mut lines = expected.lines().zip(found.lines());
    match lines.find(|(expected, found)| expected != found) {
        Some((expected, found)) => format!("expected {expected}\nfound    {found}"),
        None => "one has more lines than the other".to_owned(),
    }
}

#[test]
fn no_line_of_the_real_programs_is_unknown_but_requests_that_paddock_never_invites() {
    // The lab registered hooks and an in-process server; Paddock does neither.
    let invited = ["hooks", "mcp-sdk"];
    for story in stories() {
        let scenario = story.name.rsplit('/').next().unwrap();
        if invited.contains(&scenario) || story.name.starts_with("scripted") {
            continue;
        }
        for heard in story.hear() {
            if let Heard::Event(Body::Error {
                class: ErrorClass::UnknownLine,
                message,
                raw,
                ..
            }) = heard
            {
                panic!("{}: {message}: {raw:?}", story.name);
            }
        }
    }
}

#[test]
fn usage_comes_once_and_last_before_the_end_of_each_turn() {
    for story in stories() {
        let events = story.event_types();
        for (nth, name) in events.iter().enumerate() {
            let follows = events.get(nth + 1).map(String::as_str);
            match name.as_str() {
                "usage_updated" => assert_eq!(follows, Some("turn_finished"), "{}", story.name),
                "turn_finished" => assert_eq!(events[nth - 1], "usage_updated", "{}", story.name),
                _ => {}
            }
        }
    }
}

#[test]
fn every_tool_call_that_starts_finishes_within_a_finished_turn() {
    for story in stories() {
        let mut open = Vec::new();
        for heard in story.hear() {
            match heard {
                Heard::Event(Body::ToolCallStarted(call)) => open.push(call.tool_call_id),
                Heard::Event(Body::ToolCallFinished(call)) => {
                    let at = open.iter().position(|id| *id == call.tool_call_id);
                    let at = at.unwrap_or_else(|| panic!("{}: {}", story.name, call.tool_call_id));
                    open.remove(at);
                }
                Heard::Event(Body::TurnFinished { .. }) => {
                    assert!(open.is_empty(), "{}: {open:?}", story.name);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn deltas_add_up_to_the_message_that_follows() {
    for name in [
        "claude-2.1.330/write",
        "claude-2.1.330/think",
        "codex-0.169.0/write",
    ] {
        let mut streamed = String::new();
        let mut whole = String::new();
        for heard in Story::named(name).hear() {
            match heard {
                Heard::Delta(delta) if delta.kind == DeltaKind::Text => streamed += &delta.text,
                Heard::Event(Body::AssistantMessage { blocks, .. }) => whole += &blocks[0].content,
                _ => {}
            }
        }
        assert!(!whole.is_empty(), "{name}");
        assert_eq!(streamed, whole, "{name}");
    }
}

#[test]
fn claude_and_codex_tell_a_turn_with_tools_in_the_same_order() {
    let expected = "agent_session_named model_selected assistant_message tool_call_started \
                    tool_call_finished tool_call_started tool_call_finished assistant_message \
                    usage_updated turn_finished";
    for name in ["claude-2.1.330/write", "codex-0.169.0/write"] {
        assert_eq!(
            Story::named(name).event_types().join(" "),
            expected,
            "{name}"
        );
    }
    for name in ["claude-2.1.330/think", "codex-0.169.0/think"] {
        let expected = "agent_session_named model_selected thinking assistant_message \
                        usage_updated turn_finished";
        assert_eq!(
            Story::named(name).event_types().join(" "),
            expected,
            "{name}"
        );
    }
}

#[test]
fn a_recording_has_the_cost_that_its_program_told_or_else_one_by_list_price() {
    let cost = |name: &str| {
        let story = Story::named(name);
        let bytes = story.lines().join(&b'\n');
        let told = decode_recording(story.harness, &bytes).filter_map(|(_, heard)| match heard {
            Heard::Event(Body::UsageUpdated(usage)) => Some(usage.cost.map(|cost| cost.source)),
            _ => None,
        });
        told.last().unwrap()
    };
    assert_eq!(cost("claude-2.1.330/write"), Some(CostSource::Reported));
    assert_eq!(cost("codex-0.169.0/write"), Some(CostSource::Estimated));
    assert_eq!(cost("gemini-0.61.0/write"), Some(CostSource::Estimated));
    // A model without a list price.
    assert_eq!(cost("qwen-0.24.4/write"), None);
}
