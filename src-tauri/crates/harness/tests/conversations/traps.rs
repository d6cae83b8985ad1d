//! Each trap that the real programs set, by the transcript that shows it.

use paddock_domain::{BlockKind, Body, ErrorClass, TurnOutcome, Usage};
use paddock_harness::{CodecSetup, Heard, find};

use crate::story::{Record, Story, play};

fn events(name: &str) -> Vec<Body> {
    let heard = Story::named(name).hear().into_iter();
    let events = heard.filter_map(|heard| match heard {
        Heard::Event(body) => Some(body),
        _ => None,
    });
    events.collect()
}

fn outcomes(name: &str) -> Vec<TurnOutcome> {
    let events = events(name).into_iter();
    let outcomes = events.filter_map(|body| match body {
        Body::TurnFinished { outcome, .. } => Some(outcome),
        _ => None,
    });
    outcomes.collect()
}

fn errors(name: &str) -> Vec<ErrorClass> {
    let events = events(name).into_iter();
    let classes = events.filter_map(|body| match body {
        Body::Error { class, .. } => Some(class),
        _ => None,
    });
    classes.collect()
}

fn usages(name: &str) -> Vec<Usage> {
    let events = events(name).into_iter();
    let usages = events.filter_map(|body| match body {
        Body::UsageUpdated(usage) => Some(usage),
        _ => None,
    });
    usages.collect()
}

fn count(name: &str, type_name: &str) -> usize {
    let events = events(name);
    events
        .iter()
        .filter(|body| body.type_name() == type_name)
        .count()
}

#[test]
fn a_success_that_is_an_error_fails_the_turn_with_the_class_of_its_cause() {
    let classes = [
        ("err401", ErrorClass::Auth),
        ("noauth", ErrorClass::Auth),
        ("err429-final", ErrorClass::Quota),
        ("noserver", ErrorClass::Network),
        ("toolong", ErrorClass::ContextTooLong),
        ("refusal", ErrorClass::Refused),
    ];
    for (scenario, class) in classes {
        let name = format!("claude-2.1.330/{scenario}");
        assert_eq!(errors(&name), [class], "{name}");
        assert_eq!(outcomes(&name), [TurnOutcome::Failed], "{name}");
    }
}

#[test]
fn codex_failures_are_told_once_with_the_class_of_their_cause() {
    let classes = [
        ("err401", ErrorClass::Auth),
        ("err429-final", ErrorClass::Quota),
        ("err503-final", ErrorClass::Overload),
        ("err400", ErrorClass::Refused),
    ];
    for (scenario, class) in classes {
        let name = format!("codex-0.169.0/{scenario}");
        assert_eq!(errors(&name), [class], "{name}");
        assert_eq!(outcomes(&name), [TurnOutcome::Failed], "{name}");
    }
}

#[test]
fn retries_under_way_are_told_and_fail_nothing() {
    for name in ["claude-2.1.330/err529", "claude-2.1.330/err500"] {
        let retries = events(name).into_iter().filter_map(|body| match body {
            Body::Retrying(retry) => Some(retry),
            _ => None,
        });
        let first = retries
            .into_iter()
            .next()
            .unwrap_or_else(|| panic!("{name}"));
        assert_eq!((first.attempt, first.attempts_max), (Some(1), Some(10)));
        assert_eq!(first.class, Some(ErrorClass::Overload), "{name}");
        assert!(first.delay_ms.is_some(), "{name}");
        assert_eq!(outcomes(name), [TurnOutcome::Completed], "{name}");
        assert_eq!(errors(name), [], "{name}");
    }
}

#[test]
fn codex_and_copilot_tell_of_retries_in_their_own_ways() {
    let told = |name: &str| -> Vec<_> {
        let retries = events(name).into_iter().filter_map(|body| match body {
            Body::Retrying(retry) => Some((retry.attempt, retry.attempts_max, retry.class)),
            _ => None,
        });
        retries.collect()
    };
    let overload = Some(ErrorClass::Overload);
    assert_eq!(
        told("codex-0.169.0/err503-final"),
        [(Some(1), Some(2), overload), (Some(2), Some(2), overload)]
    );
    // Copilot says so in a message, which is none of the model's.
    assert_eq!(
        told("copilot-1.0.102/err529"),
        [(Some(1), None, None), (Some(2), None, None)]
    );
    let said = events("copilot-1.0.102/err529").into_iter().any(|body| {
        matches!(body, Body::AssistantMessage { blocks, .. } if blocks[0].content.contains("Retrying"))
    });
    assert!(!said);
}

#[test]
fn pieces_of_what_sub_agents_say_name_the_call_that_they_stand_in() {
    for name in ["qwen-0.24.4/subagent", "codex-0.169.0/subagent"] {
        let heard = Story::named(name).hear();
        let agents: Vec<_> = heard
            .iter()
            .filter_map(|heard| match heard {
                Heard::Event(Body::SubagentStarted { tool_call_id, .. }) => Some(tool_call_id),
                _ => None,
            })
            .collect();
        let nested: Vec<_> = heard
            .iter()
            .filter_map(|heard| match heard {
                Heard::Delta(delta) => delta.parent_tool_call_id.as_ref(),
                _ => None,
            })
            .collect();
        assert!(!nested.is_empty(), "{name}");
        assert!(nested.iter().all(|call| agents.contains(call)), "{name}");
    }
}

#[test]
fn a_refusal_is_shown_as_one() {
    let refused = events("claude-2.1.330/refusal").into_iter().any(|body| {
        matches!(body, Body::AssistantMessage { blocks, .. } if blocks[0].kind == BlockKind::Refusal)
    });
    assert!(refused);
}

#[test]
fn a_message_during_a_turn_is_folded_into_it() {
    for name in ["claude-2.1.330/queued-message", "codex-0.169.0/steer"] {
        assert_eq!(outcomes(name), [TurnOutcome::Completed], "{name}");
    }
}

#[test]
fn the_session_and_the_model_are_named_once_though_claude_repeats_them_every_turn() {
    let name = "claude-2.1.330/compact-auto";
    assert_eq!(outcomes(name).len(), 4);
    assert_eq!(count(name, "agent_session_named"), 1);
    assert_eq!(count(name, "model_selected"), 1);
}

#[test]
fn a_model_that_was_set_is_reported_before_the_next_turn() {
    let model = "claude-haiku-4-5";
    let events = events("claude-2.1.330/control-requests");
    let at = |wanted: &dyn Fn(&Body) -> bool| events.iter().position(wanted).unwrap();
    let selected = at(&|body| matches!(body, Body::ModelSelected { model: m, .. } if m == model));
    let first_end = at(&|body| matches!(body, Body::TurnFinished { .. }));
    assert!(selected > first_end);
    assert_eq!(
        count("claude-2.1.330/control-requests", "model_selected"),
        2
    );
}

#[test]
fn an_interrupt_ends_the_turn_without_an_error_and_the_run_goes_on() {
    for scenario in ["claude-2.1.330/interrupt-", "codex-0.169.0/interrupt-"] {
        for what in ["stream", "tool"] {
            let name = format!("{scenario}{what}");
            let both = [TurnOutcome::Interrupted, TurnOutcome::Completed];
            assert_eq!(outcomes(&name), both, "{name}");
            assert_eq!(errors(&name), [], "{name}");
        }
    }
}

#[test]
fn a_request_that_the_agent_takes_back_is_resolved_without_a_decision() {
    let resolved = events("claude-2.1.330/perm-cancelled")
        .into_iter()
        .any(|body| matches!(body, Body::ApprovalResolved { decision: None, .. }));
    assert!(resolved);
}

#[test]
fn a_request_that_was_answered_is_not_taken_back() {
    for name in [
        "claude-2.1.330/perm-allow",
        "codex-0.169.0/perm-accept-session",
    ] {
        assert!(count(name, "approval_requested") > 0, "{name}");
        assert_eq!(count(name, "approval_resolved"), 0, "{name}");
    }
}

#[test]
fn questions_and_plans_come_even_where_nothing_is_asked_for() {
    assert_eq!(count("claude-2.1.330/ask-bypass", "question_asked"), 1);
    assert_eq!(count("claude-2.1.330/ask-bypass", "tool_call_started"), 0);
    assert_eq!(count("codex-0.169.0/ask", "question_asked"), 1);
}

#[test]
fn a_plan_is_shown_whether_the_agent_wrote_it_to_its_file_or_not() {
    for scenario in [
        "plan-file",
        "plan-approve",
        "plan-reject",
        "plan-approve-setmode",
    ] {
        let name = format!("claude-2.1.330/{scenario}");
        let shown = events(&name).into_iter().any(
            |body| matches!(body, Body::PlanProposed(plan) if plan.text.starts_with("# Plan")),
        );
        assert!(shown, "{name}");
    }
}

#[test]
fn codex_proposes_its_plan_after_its_turn() {
    let types = Story::named("codex-0.169.0/ask").event_types();
    assert_eq!(types.last().map(String::as_str), Some("plan_proposed"));
}

#[test]
fn exit_codes_are_told_for_commands_that_fail_and_that_succeed() {
    for name in ["claude-2.1.330/bashfail", "codex-0.169.0/bashfail"] {
        let failed = events(name).into_iter().any(|body| {
            matches!(body, Body::ToolCallFinished(call) if call.exit_code == Some(3) && call.is_error)
        });
        assert!(failed, "{name}");
    }
    for name in ["claude-2.1.330/write", "codex-0.169.0/write"] {
        let went_well = events(name)
            .into_iter()
            .any(|body| matches!(body, Body::ToolCallFinished(call) if call.exit_code == Some(0)));
        assert!(went_well, "{name}");
    }
}

#[test]
fn what_was_applied_to_a_file_is_told_as_a_diff() {
    let patch = |name: &str| {
        let events = events(name).into_iter();
        events
            .filter_map(|body| match body {
                Body::ToolCallFinished(call) => call.patch,
                _ => None,
            })
            .next()
            .unwrap()
    };
    let edited = "--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n-# scratch\n+# scratch (edited)\n \n A scratch repository.\n";
    assert_eq!(patch("claude-2.1.330/edit"), edited);
    let written = "--- /dev/null\n+++ b/hello.txt\n@@ -0,0 +1,1 @@\n+hello from the fake model\n";
    assert_eq!(patch("claude-2.1.330/write"), written);
    assert_eq!(patch("codex-0.169.0/write"), written);
}

#[test]
fn sub_agents_are_nested_and_their_turns_end_no_turn() {
    for name in [
        "claude-2.1.330/subagent-forward-text",
        "codex-0.169.0/subagent",
        "codex-0.169.0/subagent-code-mode",
    ] {
        assert_eq!(outcomes(name), [TurnOutcome::Completed], "{name}");
        let mut parents = Vec::new();
        let mut nested = 0;
        for body in events(name) {
            match body {
                Body::SubagentStarted { tool_call_id, .. } => parents.push(tool_call_id),
                Body::ToolCallStarted(call) => {
                    nested += usize::from(
                        call.parent_tool_call_id
                            .is_some_and(|id| parents.contains(&id)),
                    );
                }
                _ => {}
            }
        }
        assert_eq!((parents.len(), nested), (1, 1), "{name}");
        assert_eq!(count(name, "subagent_finished"), 1, "{name}");
    }
}

#[test]
fn codex_usage_is_that_of_the_thread_and_its_sub_agents() {
    // The main thread read 30,928 tokens and wrote 130, the sub-agent's 15,574 and 71.
    let usage = usages("codex-0.169.0/subagent")[0];
    assert_eq!(usage.input_tokens + usage.cached_tokens, 30_928 + 15_574);
    assert_eq!(usage.output_tokens, 130 + 71);
    let turns = usages("codex-0.169.0/multiturn");
    assert!(
        turns
            .windows(2)
            .all(|pair| pair[0].output_tokens < pair[1].output_tokens)
    );
}

#[test]
fn claude_usage_survives_clearing_and_is_not_counted_twice_on_resume() {
    let cleared = usages("claude-2.1.330/slash-commands");
    assert!(
        cleared
            .windows(2)
            .all(|pair| pair[0].input_tokens <= pair[1].input_tokens)
    );
    let last = cleared.last().unwrap();
    assert_eq!(last.input_tokens, 3_190 + 5_648 + 5_678);
    // The resumed process counts the 9,661 tokens of the run before as its own.
    let story = Story::named("claude-2.1.330/resume-2-resume");
    let mut codec = find("claude").unwrap().codec(CodecSetup {
        usage_before: Usage {
            input_tokens: 9_661,
            ..Usage::default()
        },
        ..CodecSetup::default()
    });
    let mut heard = Vec::new();
    for record in &story.log {
        play(&mut *codec, record, &mut heard);
    }
    let usage = heard.iter().find_map(|heard| match heard {
        Heard::Event(Body::UsageUpdated(usage)) => Some(usage),
        _ => None,
    });
    assert_eq!(usage.unwrap().input_tokens, 16_211);
}

#[test]
fn tokens_of_an_interrupted_turn_count_though_its_result_says_none() {
    let usage = usages("claude-2.1.330/interrupt-stream")[0];
    assert_eq!((usage.input_tokens, usage.output_tokens), (3_190, 40));
}

#[test]
fn the_context_is_what_the_last_message_read_and_shrinks_when_it_is_compacted() {
    let used: Vec<_> = usages("claude-2.1.330/compact-manual")
        .iter()
        .map(|usage| usage.context_used.unwrap())
        .collect();
    assert_eq!(used, [13_022, 13_065, 2_719, 13_207]);
}

#[test]
fn a_process_that_dies_in_a_call_leaves_it_open_and_says_nothing_more() {
    let name = "claude-2.1.330/kill-1-sigkill-in-tool";
    assert_eq!(count(name, "tool_call_started"), 1);
    assert_eq!(outcomes(name), []);
}

#[test]
fn a_turn_that_nobody_asked_for_is_noticed_and_one_that_was_asked_for_is_not() {
    let story = Story::named("claude-2.1.330/hello");
    assert!(!story.hear().contains(&Heard::TurnBegan));
    let mut codec = story.codec();
    let mut heard = Vec::new();
    for record in story
        .log
        .iter()
        .filter(|record| matches!(record, Record::Out(_)))
    {
        play(&mut *codec, record, &mut heard);
    }
    assert_eq!(
        heard
            .iter()
            .filter(|heard| **heard == Heard::TurnBegan)
            .count(),
        1
    );
}

#[test]
fn a_session_that_is_unknown_to_claude_is_an_error_of_no_turn() {
    let line = br#"{"type":"result","subtype":"error_during_execution","duration_ms":0,"is_error":true,"num_turns":0,"stop_reason":null,"session_id":"x","total_cost_usd":0,"errors":["No conversation found with session ID: x"]}"#;
    let mut heard = Vec::new();
    let mut codec = find("claude").unwrap().codec(CodecSetup::default());
    codec.hear(line, &mut heard);
    let [Heard::Event(Body::Error { message, .. })] = heard.as_slice() else {
        panic!("{heard:?}")
    };
    assert!(message.starts_with("No conversation found"));
}
