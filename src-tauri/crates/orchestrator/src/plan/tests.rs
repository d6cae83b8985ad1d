//! The planner in a world of its own: effects that work, effects that fail, and things that happen.
//!
//! [`World`] carries effects out the way the runner does, in no time. Whatever has happened to it, the
//! plan comes to rest when nothing more goes wrong, and it rests in a state that is true.

use paddock_domain::{
    Action, Body, BoxKind, Event, EventId, HarnessName, InputId, RunId, StateName, TaskId, TaskSpec,
    Timestamp, TurnId, TurnOutcome,
};
use proptest::prelude::*;

use super::*;
use crate::runner::outcome_of;

struct World {
    task: Task,
    seen: Observed,
    seq: u64,
    turn: bool,
    /// What there really is, beyond what is seen.
    box_stands: bool,
    /// It stands and answers nobody.
    box_is_silent: bool,
    run_lives: bool,
    /// The agent has been heard to know nothing of its session.
    session_is_lost: bool,
}

/// Something that happens without our doing.
#[derive(Clone, Copy, Debug)]
enum Happens {
    PlaceGranted,
    ConnectionLost,
    /// The box answers nobody any more, for long.
    BoxFallsSilent,
    BoxAnswersAgain,
    /// The box is gone, directory and all.
    BoxVanishes,
    SessionIsLost,
    BoxEnds,
    AgentExits(i32),
    AgentFinishesTurn,
    AgentAsks,
    UserSends,
    UserQueues,
    UserStops,
    UserRevives,
    UserPurges,
    UserRestores,
    PurgeDue,
    SetupFails,
    Restart,
}

impl World {
    fn new() -> Self {
        let spec: TaskSpec = serde_json::from_str(
            r#"{"prompt":"go","harness":"scripted","repositories":[{"path":"/r"}]}"#,
        )
        .unwrap();
        let first = event(
            1,
            Body::SessionStarted {
                task_description: "go".into(),
                project_path: None,
                coding_provider: spec.harness.clone(),
                spec: Box::new(spec),
            },
            false,
        );
        let seen = Observed {
            has_place: false,
            place: BoxSeen::Absent,
            run: RunSeen::None,
            syncing: false,
            bringing_out: false,
            purge_due: false,
            silent: false,
        };
        let task = Task::begin(&first).unwrap();
        let mut world = Self {
            task,
            seen,
            seq: 1,
            turn: true,
            box_stands: false,
            box_is_silent: false,
            run_lives: false,
            session_is_lost: false,
        };
        world.message();
        world
    }

    fn tell(&mut self, body: Body) {
        self.seq += 1;
        let event = event(self.seq, body, self.turn);
        self.task.record(&event);
        self.turn = self.task.turn.is_some();
    }

    fn message(&mut self) {
        self.turn = true;
        let input_id = InputId::parse("i").unwrap();
        self.tell(Body::UserMessage {
            input_id,
            content: "go".into(),
            during_turn: false,
        });
    }

    /// Writes a transition and the end of the turn that it brings, as the runner does.
    fn go(&mut self, on: Transition) -> bool {
        let from = self.task.state;
        let possible = self.task.machine().apply(on).is_ok();
        if possible {
            if let Some(outcome) = outcome_of(on, self.task.machine()).filter(|_| self.turn) {
                self.finish(outcome);
            }
            self.tell(Body::StateChanged {
                from,
                to: from,
                on,
                cause: None,
            });
        }
        possible
    }

    /// Does what the plan says until it says nothing more; gives what was done.
    fn settle(&mut self) -> Vec<Effect> {
        let mut done = Vec::new();
        while let Some(effect) = plan(&self.task, &self.seen) {
            // A box that does not answer is looked for again and again, with pauses.
            if effect == Effect::FindBox && done.last() == Some(&effect) {
                break;
            }
            done.push(effect);
            assert!(done.len() < 40, "the plan does not come to rest: {done:?}");
            self.carry_out(effect);
        }
        done
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Record(transition) => {
                let possible = self.go(transition);
                assert!(
                    possible,
                    "{transition:?} is not possible in {}",
                    self.task.state
                );
            }
            Effect::ClaimBranches => self.tell(Body::BranchClaimed {
                repository: "/r".into(),
                branch: "paddock-0".into(),
                base: "main".into(),
                base_commit: "0".into(),
                adopted: false,
            }),
            Effect::RaiseBox => {
                if self.box_is_silent {
                    // What does not answer is ended before it is begun again.
                    self.run_lives = false;
                }
                (self.box_stands, self.box_is_silent) = (true, false);
                self.seen.silent = false;
                self.seen.place = BoxSeen::Standing;
                self.tell(Body::BoxCreated {
                    kind: BoxKind::Worktree,
                    name: "b".into(),
                    image: None,
                });
            }
            Effect::FindBox => {
                self.seen.place = if self.box_stands && self.box_is_silent {
                    self.seen.silent = true;
                    BoxSeen::Unreached
                } else if self.box_stands {
                    self.seen.silent = false;
                    BoxSeen::Standing
                } else {
                    BoxSeen::Ended {
                        out_of_memory: false,
                    }
                };
            }
            Effect::StartRun => {
                assert!(!self.run_lives, "a second agent beside the first");
                let harness = HarnessName::parse("scripted").unwrap();
                if !run_is_open(&self.task) {
                    self.tell(Body::RunStarted {
                        harness,
                        version: "1".into(),
                        resumed: false,
                    });
                    self.tell(Body::AgentSessionNamed {
                        session_id: "s".into(),
                    });
                }
                self.session_is_lost = false;
                self.run_lives = true;
                self.seen.run = RunSeen::Live;
            }
            Effect::FollowRun => {
                self.seen.run = if self.run_lives {
                    RunSeen::Live
                } else {
                    RunSeen::Over(RunExit::Lost)
                };
            }
            Effect::StopRun => {
                self.run_lives = false;
                self.seen.run = RunSeen::Over(RunExit::Code { code: 0 });
            }
            Effect::EndBox => {
                (self.box_stands, self.box_is_silent, self.run_lives) = (false, false, false);
                self.seen.place = BoxSeen::Ended {
                    out_of_memory: false,
                };
            }
            Effect::CloseRun(exit) => {
                if self.turn && !self.task.session_lost {
                    self.finish(TurnOutcome::RunEnded);
                }
                self.tell(Body::RunEnded {
                    exit,
                    stderr_tail: String::new(),
                });
                self.run_lives = false;
                self.seen.run = RunSeen::Over(exit);
            }
            Effect::SendNext => {
                let next = self.task.next_follow_up().cloned();
                let next = next.expect("nothing is due");
                self.turn = true;
                self.tell(Body::UserMessage {
                    input_id: next.input_id,
                    content: next.content.to_string(),
                    during_turn: false,
                });
            }
            Effect::RemoveBox => {
                (self.box_stands, self.box_is_silent, self.run_lives) = (false, false, false);
                self.seen.place = BoxSeen::Absent;
                self.seen.run = RunSeen::None;
            }
        }
    }

    fn finish(&mut self, outcome: TurnOutcome) {
        self.tell(Body::TurnFinished {
            outcome,
            duration_ms: None,
        });
    }

    fn happen(&mut self, what: Happens) {
        match what {
            Happens::PlaceGranted => self.seen.has_place = true,
            Happens::ConnectionLost => self.lose(),
            Happens::UserQueues if self.task.allowed.contains(&Action::Queue) => {
                let input_id = InputId::parse(&format!("q{}", self.seq)).unwrap();
                let content = "then this".into();
                self.tell(Body::FollowUpQueued { input_id, content });
            }
            Happens::UserQueues => {}
            Happens::BoxFallsSilent if self.box_stands => {
                self.box_is_silent = true;
                self.lose();
            }
            Happens::BoxAnswersAgain => self.box_is_silent = false,
            Happens::BoxVanishes if self.box_stands && self.task.box_name.is_some() => {
                (self.box_stands, self.box_is_silent, self.run_lives) = (false, false, false);
                self.seen.place = BoxSeen::Absent;
                self.seen.run = RunSeen::Unknown;
            }
            Happens::SessionIsLost if self.run_lives && self.seen.run == RunSeen::Live => {
                self.session_is_lost = true;
                self.tell(
                    serde_json::from_str(
                        r#"{"type":"error","class":"session_lost","message":"unknown"}"#,
                    )
                    .unwrap(),
                );
            }
            Happens::BoxEnds if self.box_stands => {
                (self.box_stands, self.box_is_silent, self.run_lives) = (false, false, false);
                self.seen.place = BoxSeen::Ended {
                    out_of_memory: true,
                };
                self.seen.run = RunSeen::Unknown;
            }
            Happens::AgentExits(code) if self.run_lives => {
                self.run_lives = false;
                self.seen.run = RunSeen::Over(RunExit::Code { code });
            }
            Happens::AgentFinishesTurn if self.run_lives && self.turn => {
                self.finish(TurnOutcome::Completed);
            }
            Happens::AgentAsks if self.run_lives && self.turn => {
                self.tell(
                    serde_json::from_str(
                        r#"{"type":"question_asked","question_id":"q","text":"?"}"#,
                    )
                    .unwrap(),
                );
            }
            Happens::UserSends if self.task.machine().has_run() && self.run_lives => self.message(),
            Happens::UserStops => _ = self.go(Transition::StopRequested),
            Happens::UserRevives
                if !run_is_open(&self.task) && self.go(Transition::ReviveRequested) =>
            {
                self.seen.run = RunSeen::None;
            }
            Happens::UserPurges => _ = self.go(Transition::PurgeRequested),
            Happens::UserRestores if self.go(Transition::PurgeUndone) => {
                self.seen.purge_due = false;
            }
            Happens::PurgeDue => self.seen.purge_due = self.task.state == StateName::Purging,
            Happens::SetupFails => _ = self.go(Transition::Failed),
            Happens::Restart => {
                self.lose();
                self.seen.place = if self.task.box_name.is_some() {
                    BoxSeen::Unknown
                } else {
                    BoxSeen::Absent
                };
                self.seen.run = if self.task.run.is_some() {
                    RunSeen::Unknown
                } else {
                    RunSeen::None
                };
            }
            Happens::BoxEnds
            | Happens::BoxFallsSilent
            | Happens::BoxVanishes
            | Happens::SessionIsLost
            | Happens::AgentExits(_)
            | Happens::AgentFinishesTurn
            | Happens::AgentAsks
            | Happens::UserSends
            | Happens::UserRevives
            | Happens::UserRestores => {}
        }
    }

    fn lose(&mut self) {
        if self.seen.place == BoxSeen::Standing {
            self.seen.place = BoxSeen::Unreached;
            self.seen.run = RunSeen::Unknown;
        }
    }

    /// What the state says and what there is must be the same.
    fn check(&self) {
        let state = self.task.state;
        if self.task.machine().has_run() {
            assert!(self.run_lives, "{state}, and no agent lives");
        }
        if matches!(
            state,
            StateName::Stopped | StateName::Crashed | StateName::Failed
        ) {
            assert!(!self.run_lives, "{state}, and the agent lives");
            assert!(!self.turn, "{state}, and a turn is open");
        }
        if matches!(state, StateName::Failed | StateName::Purged) {
            assert!(!self.box_stands, "{state}, and a box stands");
        }
        let asks = self.task.has_open_requests();
        let shown = match (self.turn, asks) {
            (_, true) => StateName::Asking,
            (true, false) => StateName::Running,
            (false, false) => StateName::Waiting,
        };
        if matches!(
            state,
            StateName::Asking | StateName::Running | StateName::Waiting
        ) {
            assert_eq!(state, shown);
        }
        if state == StateName::Waiting {
            assert!(self.task.next_follow_up().is_none(), "a message is due");
        }
    }
}

fn event(seq: u64, body: Body, in_turn: bool) -> Event {
    let turn = TurnId::parse("u").unwrap();
    Event {
        event_id: EventId::new(seq, 0),
        ts: Timestamp::from_unix_ms(0),
        seq,
        task_id: TaskId::parse("t").unwrap(),
        run_id: Some(RunId::parse("r").unwrap()),
        turn_id: in_turn.then_some(turn),
        source: None,
        body,
    }
}

/// Lets things happen, settling after each, and gives the states that were rested in.
fn states(happenings: &[Happens]) -> String {
    let mut world = World::new();
    let mut states = Vec::new();
    for &what in happenings {
        world.happen(what);
        world.settle();
        world.check();
        states.push(world.task.state.as_str());
    }
    states.join(" ")
}

use Happens as H;

#[test]
fn a_place_is_all_that_a_new_task_waits_for() {
    assert_eq!(states(&[H::Restart, H::PlaceGranted]), "pending running");
}

#[test]
fn the_state_follows_what_the_agent_does() {
    let life = [
        H::PlaceGranted,
        H::AgentAsks,
        H::AgentFinishesTurn,
        H::UserSends,
    ];
    assert_eq!(states(&life), "running asking waiting running");
}

#[test]
fn a_restart_or_a_lost_connection_changes_nothing_that_users_see() {
    let life = [
        H::PlaceGranted,
        H::Restart,
        H::ConnectionLost,
        H::AgentFinishesTurn,
        H::Restart,
    ];
    assert_eq!(states(&life), "running running running waiting waiting");
}

#[test]
fn an_agent_that_leaves_stops_its_task_and_one_that_fails_crashes_it() {
    assert_eq!(
        states(&[H::PlaceGranted, H::AgentExits(0)]),
        "running stopped"
    );
    assert_eq!(
        states(&[H::PlaceGranted, H::AgentExits(1)]),
        "running crashed"
    );
    let again = [H::PlaceGranted, H::AgentExits(1), H::UserRevives];
    assert_eq!(states(&again), "running crashed waiting");
}

#[test]
fn a_box_that_ends_by_itself_stops_its_task() {
    assert_eq!(states(&[H::PlaceGranted, H::BoxEnds]), "running stopped");
}

#[test]
fn a_purge_stops_the_agent_at_once_and_takes_the_box_when_it_is_due() {
    let life = [H::PlaceGranted, H::UserPurges, H::PurgeDue];
    assert_eq!(states(&life), "running purging purged");
    let undone = [
        H::PlaceGranted,
        H::UserPurges,
        H::UserRestores,
        H::UserRevives,
    ];
    assert_eq!(states(&undone), "running purging stopped waiting");
}

#[test]
fn a_stop_is_carried_through_a_restart() {
    let mut world = World::new();
    world.happen(H::PlaceGranted);
    world.settle();
    world.happen(H::UserStops);
    world.happen(H::Restart);
    let done = world.settle();
    assert_eq!(world.task.state, StateName::Stopped);
    assert!(done.contains(&Effect::StopRun), "{done:?}");
    world.check();
}

#[test]
fn nothing_is_done_twice() {
    let mut world = World::new();
    world.happen(H::PlaceGranted);
    assert!(!world.settle().is_empty());
    assert_eq!(world.settle(), []);
}

#[test]
fn an_agent_without_its_session_gives_way_to_one_with_a_new_session_and_no_turn_ends() {
    let mut world = World::new();
    world.happen(H::PlaceGranted);
    world.settle();
    world.happen(H::SessionIsLost);
    let done = world.settle();
    let change = [
        Effect::StopRun,
        Effect::CloseRun(RunExit::Code { code: 0 }),
        Effect::StartRun,
    ];
    assert_eq!(done, change);
    assert_eq!(world.task.state, StateName::Running);
    assert!(world.turn && !world.task.session_lost);
    world.check();
}

#[test]
fn a_box_that_stays_silent_is_waited_for_and_ended_only_for_who_stops_it() {
    let mut world = World::new();
    world.happen(H::PlaceGranted);
    world.settle();
    world.happen(H::BoxFallsSilent);
    assert_eq!(world.settle(), [Effect::FindBox]);
    assert_eq!(world.task.state, StateName::Running);
    world.happen(H::UserStops);
    assert!(world.settle().contains(&Effect::EndBox));
    assert_eq!(world.task.state, StateName::Stopped);
    world.check();
}

#[test]
fn a_task_whose_box_vanished_stops_and_is_revived_in_another() {
    let life = [H::PlaceGranted, H::BoxVanishes, H::UserRevives];
    assert_eq!(states(&life), "running stopped waiting");
}

#[test]
fn what_is_queued_follows_the_turn_without_a_rest_between() {
    let life = [
        H::PlaceGranted,
        H::UserQueues,
        H::AgentFinishesTurn,
        H::Restart,
        H::AgentFinishesTurn,
        H::UserQueues,
    ];
    assert_eq!(
        states(&life),
        "running running running running waiting running"
    );
}

#[test]
fn what_is_queued_rests_with_an_agent_that_ended_until_the_user_speaks() {
    let life = [
        H::PlaceGranted,
        H::UserQueues,
        H::UserStops,
        H::UserRevives,
        H::UserSends,
        H::AgentFinishesTurn,
        H::AgentFinishesTurn,
    ];
    assert_eq!(
        states(&life),
        "running running stopped waiting running running waiting"
    );
}

fn anything() -> impl Strategy<Value = Happens> {
    prop_oneof![
        Just(H::PlaceGranted),
        Just(H::ConnectionLost),
        Just(H::BoxFallsSilent),
        Just(H::BoxAnswersAgain),
        Just(H::BoxVanishes),
        Just(H::SessionIsLost),
        Just(H::BoxEnds),
        (0..2i32).prop_map(H::AgentExits),
        Just(H::AgentFinishesTurn),
        Just(H::AgentAsks),
        Just(H::UserSends),
        Just(H::UserQueues),
        Just(H::UserStops),
        Just(H::UserRevives),
        Just(H::UserPurges),
        Just(H::UserRestores),
        Just(H::PurgeDue),
        Just(H::SetupFails),
        Just(H::Restart),
    ]
}

proptest! {
    /// Several things may happen between two looks; a step of the plan may come in between.
    #[test]
    fn whatever_happens_the_plan_comes_to_rest_in_a_true_state(
        rounds in prop::collection::vec((prop::collection::vec(anything(), 1..4), 0..6usize), 1..30)
    ) {
        let mut world = World::new();
        for (happenings, steps) in rounds {
            for what in happenings {
                world.happen(what);
            }
            for _ in 0..steps {
                if let Some(effect) = plan(&world.task, &world.seen) {
                    world.carry_out(effect);
                }
            }
        }
        // A silent box is looked for without end; what is true of it is seen when it answers.
        world.happen(H::BoxAnswersAgain);
        world.settle();
        world.check();
    }
}
