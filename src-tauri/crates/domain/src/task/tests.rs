//! The fold held against small journals and against any sequence of events.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::{Answer, Choice, EventId, InputId, QuestionId, Transition};

/// A journal that numbers its events.
struct Story {
    task: Task,
    seq: u64,
}

impl Story {
    fn begin() -> Self {
        let spec: TaskSpec = serde_json::from_str(
            r#"{"prompt":"fix it","harness":"claude","repositories":[{"path":"/r"}]}"#,
        )
        .unwrap();
        let body = Body::SessionStarted {
            task_description: spec.title(),
            project_path: None,
            coding_provider: spec.harness.clone(),
            spec: Box::new(spec),
        };
        Self {
            task: Task::begin(&event(1, body)).unwrap(),
            seq: 1,
        }
    }

    fn tell(&mut self, body: Body) -> &mut Self {
        self.seq += 1;
        self.task.record(&event(self.seq, body));
        self
    }

    fn go(&mut self, on: Transition) -> &mut Self {
        let from = self.task.state;
        self.tell(Body::StateChanged {
            from,
            to: from,
            on,
            cause: None,
        })
    }

    fn running() -> Self {
        let mut story = Self::begin();
        story
            .go(Transition::Scheduled)
            .go(Transition::Branched)
            .go(Transition::BoxReady);
        story.tell(prompt()).go(Transition::Prompted);
        story
    }
}

fn event(seq: u64, body: Body) -> Event {
    Event {
        event_id: EventId::new(seq, 0),
        ts: Timestamp::from_unix_ms(i64::try_from(seq).unwrap()),
        seq,
        task_id: TaskId::parse("t1").unwrap(),
        run_id: Some(RunId::parse("r1").unwrap()),
        turn_id: Some(TurnId::parse("u1").unwrap()),
        source: None,
        body,
    }
}

fn prompt() -> Body {
    let input_id = InputId::parse("i1").unwrap();
    Body::UserMessage {
        input_id,
        content: "fix it".into(),
        during_turn: false,
        attachments: Vec::new(),
    }
}

fn question(id: &str) -> Body {
    Body::QuestionAsked(Question {
        question_id: QuestionId::parse(id).unwrap(),
        header: None,
        text: "Which?".into(),
        choices: vec![Choice {
            label: "A".into(),
            description: None,
        }],
        multiple: false,
    })
}

fn finished(outcome: TurnOutcome) -> Body {
    Body::TurnFinished {
        outcome,
        duration_ms: None,
    }
}

#[test]
fn the_state_and_what_is_allowed_follow_the_journal() {
    let mut story = Story::running();
    assert_eq!(story.task.state, StateName::Running);
    assert!(story.task.allowed.contains(&Action::Interrupt));
    story.go(Transition::Rested(crate::Need::Prompt));
    assert_eq!(story.task.state, StateName::Waiting);
}

#[test]
fn each_question_is_closed_by_its_own_answer() {
    let mut story = Story::running();
    story.tell(question("q1")).tell(question("q2"));
    let question_id = QuestionId::parse("q1").unwrap();
    let answer = Some(Answer {
        choices: vec!["A".into()],
        text: None,
    });
    story.tell(Body::QuestionAnswered {
        question_id,
        answer,
    });
    assert_eq!(story.task.questions.len(), 1);
    assert_eq!(story.task.questions[0].question_id.as_str(), "q2");
}

#[test]
fn every_prompt_terminates_with_its_turn_or_with_its_run() {
    let mut story = Story::running();
    assert!(story.task.turn.is_some());
    story
        .tell(question("q1"))
        .tell(finished(TurnOutcome::Interrupted));
    assert_eq!(story.task.turn, None);
    assert_eq!(story.task.last_outcome, Some(TurnOutcome::Interrupted));
    assert!(!story.task.has_open_requests());
}

#[test]
fn a_second_message_joins_the_open_turn() {
    let mut story = Story::running();
    let began = story.task.turn.clone();
    story.tell(prompt());
    assert_eq!(story.task.turn, began);
}

#[test]
fn a_task_is_read_back_from_its_json_as_it_was() {
    let mut story = Story::running();
    story.tell(question("q1")).go(Transition::PullStarted);
    let json = serde_json::to_string(&story.task).unwrap();
    assert_eq!(serde_json::from_str::<Task>(&json).unwrap(), story.task);
}

#[test]
fn a_journal_that_does_not_begin_with_its_start_is_no_task() {
    assert_eq!(Task::begin(&event(1, prompt())), None);
}

/// Bodies that touch the fold, for random journals.
fn any_body() -> impl Strategy<Value = Body> {
    prop_oneof![
        (0..Transition::ALL.len()).prop_map(|n| Body::StateChanged {
            from: StateName::Pending,
            to: StateName::Pending,
            on: Transition::ALL[n],
            cause: None,
        }),
        Just(prompt()),
        "q[0-9]".prop_map(|id| question(&id)),
        Just(finished(TurnOutcome::Completed)),
        Just(Body::RunEnded {
            exit: RunExit::Lost,
            stderr_tail: String::new(),
            unheard_since: None,
        }),
        Just(Body::DiffStat {
            repository: "/other".into(),
            stat: DiffStat::default()
        }),
    ]
}

proptest! {
    #[test]
    fn no_journal_panics_and_after_a_finished_turn_nothing_is_open(
        bodies in prop::collection::vec(any_body(), 0..100)
    ) {
        let mut story = Story::begin();
        for body in bodies {
            story.tell(body);
        }
        story.tell(finished(TurnOutcome::RunEnded));
        prop_assert!(story.task.turn.is_none());
        prop_assert!(!story.task.has_open_requests());
        prop_assert_eq!(story.task.last_seq, story.seq);
    }
}

#[test]
fn a_hand_off_names_another_agent_that_begins_from_what_is_written() {
    let harness = |name| crate::HarnessName::parse(name).unwrap();
    let started = || Body::RunStarted {
        harness: harness("claude"),
        version: "1".into(),
        resumed: false,
        account: None,
        asks_as: None,
    };
    let mut story = Story::running();
    story.tell(started()).tell(Body::AgentSessionNamed {
        session_id: "s".into(),
    });
    story.tell(Body::ProviderSwitched {
        from_provider: harness("claude"),
        to_provider: harness("codex"),
        from_model: None,
        to_model: Some("m".into()),
        to_version: None,
        to_effort: None,
        reason: "asked for".into(),
    });
    let task = &story.task;
    assert_eq!(task.spec.harness.as_str(), "codex");
    assert_eq!(task.spec.model.as_deref(), Some("m"));
    assert!(task.session_lost && task.agent_session.is_none());
    assert_eq!(task.run_since_seq, task.last_seq);
    let task = &story.tell(started()).task;
    assert!(!task.session_lost && task.taken_over_from.is_none());
}

#[test]
fn a_run_keeps_the_session_that_it_was_begun_with_whatever_that_is_called_later() {
    let started = |resumed| Body::RunStarted {
        harness: crate::HarnessName::parse("pi").unwrap(),
        version: "1".into(),
        resumed,
        account: None,
        asks_as: None,
    };
    let named = |name: &str| Body::AgentSessionNamed {
        session_id: name.into(),
    };
    let mut story = Story::running();
    story.tell(started(false)).tell(named("s"));
    let begun_with = |story: &Story| story.task.run.as_ref().unwrap().goes_on_with.clone();
    assert_eq!(begun_with(&story), None, "the first run began its own");
    story.tell(started(true)).tell(named("cleared"));
    assert_eq!(begun_with(&story).as_deref(), Some("s"));
    assert_eq!(story.task.agent_session.as_deref(), Some("cleared"));
}

#[test]
fn a_fork_goes_on_with_the_session_it_came_with_until_it_has_one_or_that_is_lost() {
    let spec: TaskSpec = serde_json::from_str(
        r#"{"prompt":"x","harness":"claude","origin":{"kind":"fork","task_id":"t0","session":{"session_id":"s0","archive":"a"}}}"#,
    )
    .unwrap();
    let body = Body::SessionStarted {
        task_description: spec.title(),
        project_path: None,
        coding_provider: spec.harness.clone(),
        spec: Box::new(spec),
    };
    let mut task = Task::begin(&event(1, body)).unwrap();
    let session = |task: &Task| task.session_to_fork().map(|s| s.session_id.clone());
    assert_eq!(session(&task).as_deref(), Some("s0"));
    let mut lost = task.clone();
    lost.record(&event(
        2,
        Body::Error {
            class: ErrorClass::SessionLost,
            message: "gone".into(),
            raw: None,
            raw_ref: None,
        },
    ));
    assert_eq!((session(&lost), lost.session_lost), (None, true));
    let named = Body::AgentSessionNamed {
        session_id: "s1".into(),
    };
    task.record(&event(2, named));
    assert_eq!(session(&task), None);
}

#[test]
fn a_repository_that_is_elsewhere_is_known_by_its_new_path_from_then_on() {
    let mut story = Story::running();
    let task = &story
        .tell(Body::RepositoryRelinked {
            repository: "/r".to_owned(),
            path: "/moved".to_owned(),
        })
        .task;
    assert_eq!(task.repositories[0].path, "/moved");
    assert_eq!(task.spec.repositories[0].path, "/moved");
    let stat = DiffStat {
        commits: 3,
        ..DiffStat::default()
    };
    let repository = "/moved".to_owned();
    story.tell(Body::DiffStat { repository, stat });
    assert_eq!(story.task.repositories[0].diff.commits, 3);
}

#[test]
fn an_approved_plan_ends_planning_and_a_rejected_one_does_not() {
    let decided = |decision| {
        let mut story = Story::running();
        Arc::make_mut(&mut story.task.spec).permission_mode = PermissionMode::Plan;
        let plan_id = crate::PlanId::parse("p1").unwrap();
        story.tell(Body::PlanResolved { plan_id, decision });
        story.task.spec.permission_mode
    };
    let approved = decided(Some(PlanDecision::Approve { text: None }));
    assert_eq!(approved, PermissionMode::AcceptEdits);
    let rejected = decided(Some(PlanDecision::Reject { comment: None }));
    assert_eq!(rejected, PermissionMode::Plan);
    assert_eq!(decided(None), PermissionMode::Plan, "taken back");
}
