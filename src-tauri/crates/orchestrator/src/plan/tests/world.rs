//! A world for the planner: what there is of a task, what is seen of it, and what can happen to it.
//!
//! [`World::carry_out`] does what the runner does, in no time; [`World::check`] says what must be true
//! whenever the plan has come to rest.

use paddock_domain::{
    Action, Body, BoxKind, Event, EventId, HarnessName, InputId, RunId, StateName, TaskId,
    TaskSpec, Timestamp, TurnId, TurnOutcome,
};

use crate::plan::*;
use crate::runner::outcome_of;

pub(super) struct World {
    pub(super) task: Task,
    pub(super) seen: Observed,
    seq: u64,
    pub(super) turn: bool,
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
pub(super) enum Happens {
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
    pub(super) fn new() -> Self {
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
            attachments: Vec::new(),
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
    pub(super) fn settle(&mut self) -> Vec<Effect> {
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

    pub(super) fn carry_out(&mut self, effect: Effect) {
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
                        account: None,
                        asks_as: None,
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
                    unheard_since: None,
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
                    attachments: Vec::new(),
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

    pub(super) fn happen(&mut self, what: Happens) {
        match what {
            Happens::PlaceGranted => self.seen.has_place = true,
            Happens::ConnectionLost => self.lose(),
            Happens::UserQueues if self.task.allowed.contains(&Action::Queue) => {
                let input_id = InputId::parse(&format!("q{}", self.seq)).unwrap();
                let content = "then this".into();
                let attachments = Vec::new();
                self.tell(Body::FollowUpQueued {
                    input_id,
                    content,
                    attachments,
                });
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
    pub(super) fn check(&self) {
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
