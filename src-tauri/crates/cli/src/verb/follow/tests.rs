//! Which events end the wait, and as what; and what users type.

use paddock_domain::{
    ApprovalScope, Body, Choice, Decision, Event, EventId, Question, QuestionId, Timestamp,
    Transition, TurnId,
};

use super::*;

/// Feeds events written as words to a watch; the exit once it is at rest.
fn watch(story: &str) -> Option<Exit> {
    let mut watch = Watch::default();
    let mut seq = 0;
    for word in story.split_whitespace() {
        seq += 1;
        if let Some(state) = watch.take(&event(seq, word)) {
            let exit = watch.at_rest(state);
            if exit.is_some() {
                return exit;
            }
        }
    }
    None
}

fn event(seq: u64, word: &str) -> Event {
    let outcome = |outcome| Body::TurnFinished {
        outcome,
        duration_ms: None,
    };
    let (turn, body) = match word {
        "prompt" => {
            let input_id = InputId::parse("i1").unwrap();
            (
                "u1",
                Body::UserMessage {
                    input_id,
                    content: "x".into(),
                    during_turn: false,
                    attachments: Vec::new(),
                },
            )
        }
        "completed" => ("u1", outcome(TurnOutcome::Completed)),
        "failed!" => ("u1", outcome(TurnOutcome::Failed)),
        "interrupted" => ("u1", outcome(TurnOutcome::Interrupted)),
        "ended" => ("u1", outcome(TurnOutcome::RunEnded)),
        "other" => ("u9", outcome(TurnOutcome::Completed)),
        state => {
            let to = StateName::ALL
                .iter()
                .find(|name| name.as_str() == state)
                .copied()
                .unwrap();
            (
                "u1",
                Body::StateChanged {
                    from: to,
                    to,
                    on: Transition::Ended,
                    cause: None,
                },
            )
        }
    };
    Event {
        event_id: EventId::new(seq, 0),
        ts: Timestamp::from_unix_ms(0),
        seq,
        task_id: TaskId::parse("t1").unwrap(),
        run_id: None,
        turn_id: TurnId::parse(turn).ok(),
        source: None,
        body,
    }
}

#[test]
fn each_ending_has_its_exit() {
    let table = [
        (
            "prompt branching provisioning starting running completed waiting",
            Some(Exit::Well),
        ),
        ("prompt running failed! waiting", Some(Exit::TurnFailed)),
        (
            "prompt running interrupted waiting",
            Some(Exit::Interrupted),
        ),
        ("prompt running ended crashed", Some(Exit::TurnFailed)),
        (
            "prompt running stopping ended stopped",
            Some(Exit::Interrupted),
        ),
        (
            "prompt branching provisioning failed",
            Some(Exit::SetupFailed),
        ),
        ("prompt pending purging", Some(Exit::Interrupted)),
        ("prompt running completed", None),
        ("prompt running other waiting", None),
        ("prompt running asking running", None),
    ];
    for (story, exit) in table {
        assert_eq!(watch(story), exit, "{story}");
    }
}

#[test]
fn numbers_and_labels_choose_and_words_are_words() {
    let question = Question {
        question_id: QuestionId::parse("q1").unwrap(),
        header: None,
        text: "Which?".into(),
        choices: ["JWT", "opaque"]
            .map(|label| Choice {
                label: label.into(),
                description: None,
            })
            .into(),
        multiple: true,
    };
    let read = |typed| read_answer(&question, typed);
    assert_eq!(read("2").choices, ["opaque"]);
    assert_eq!(read("1, 2").choices, ["JWT", "opaque"]);
    assert_eq!(read("jwt").choices, ["JWT"]);
    assert_eq!(read("3").text.as_deref(), Some("3"));
    assert_eq!(read("neither").text.as_deref(), Some("neither"));
}

#[test]
fn a_reason_is_a_refusal_with_a_reason() {
    assert!(matches!(
        read_decision("Y"),
        Decision::Allow {
            scope: ApprovalScope::Once,
            ..
        }
    ));
    assert!(matches!(
        read_decision("always"),
        Decision::Allow {
            scope: ApprovalScope::Task,
            ..
        }
    ));
    assert!(matches!(
        read_decision("no"),
        Decision::Deny { message: None, .. }
    ));
    let Decision::Deny { message, .. } = read_decision("not here") else {
        panic!("allowed")
    };
    assert_eq!(message.as_deref(), Some("not here"));
}
