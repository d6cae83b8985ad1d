//! What users ask of one task.
//!
//! An order is refused when the state machine does not allow it, written down when it is to be kept,
//! and only then carried out. Answers are given when the order is safe, not when it is done.

use std::sync::Arc;

use paddock_boxes::LiveBox;
use paddock_domain::{
    Action, Answer, ApprovalId, Body, CheckResult, CommitPreview, CommitRequest, Condensing,
    Decision, DiffRequest, EventId, GroupId, HandOffRequest, InputId, KeepRule, LineEnd,
    NoticeLevel, PastSession, PlanDecision, PlanId, PurgePreview, PurgeRequest, QuestionId,
    RelinkRequest, SquashPreview, StateName, SyncReport, SyncRequest, TaskCommits, TaskId,
    Transition,
};
use paddock_harness::{Codec, Outgoing};
use tokio::sync::oneshot;

use super::note::Note;
use super::queue::Saying;
use super::{JOBS, ORDERS, Runner, ids, job};
use crate::CommandError;
use crate::marks::Mark;
use crate::past;
use crate::plan::{BoxSeen, RunSeen};
use crate::resuming;
use crate::tuning::Tuning;
use crate::work::fork::{ForkSeed, ForkWish};
use crate::work::{Work, check, commit, diff, fork, purge, relink, sync};

/// Where the answer to an order goes.
pub(crate) type Reply<T> = oneshot::Sender<Result<T, CommandError>>;

/// One order for a task.
#[derive(Debug)]
pub(crate) enum Order {
    /// The host has a place for it.
    PlaceGranted,
    /// The host has no place for it yet, and why.
    Queued(String),
    /// The engine says that its box ended.
    BoxEnded {
        out_of_memory: bool,
    },
    /// The engine says that a process in its box was ended for its memory.
    MemoryUsedUp,
    /// The engine says that its box is gone, or may have changed unseen.
    BoxInDoubt,
    /// It has rested for long: its journal is to be compressed.
    Settle,
    /// Its journal was found otherwise than it was left.
    Tell(Vec<String>),
    /// Something happened beside the runs that belongs into its journal.
    TellUser(String, Reply<()>),
    /// Something is to be said, or to be changed of what will be.
    Say(Saying),
    /// Move to an end of the line for a place, which is this rank; answered with the event that says so.
    Move(LineEnd, i64, Reply<u64>),
    Answer(QuestionId, Answer, Reply<()>),
    Decide(ApprovalId, Decision, Option<KeepRule>, Reply<()>),
    DecidePlan(PlanId, PlanDecision, Reply<()>),
    /// Change how the agent works.
    Tune(Tuning, Reply<()>),
    /// Shorten or empty its context.
    Condense(Condensing, Option<String>, Reply<()>),
    /// Go on by itself when the usage limit is lifted, or not.
    ResumeOnLimit(bool, Reply<()>),
    Interrupt(Reply<()>),
    Stop(Reply<()>),
    Revive(Reply<()>),
    /// The same, with another of the agent's sessions in the box.
    ReviveWith(String, Reply<()>),
    /// The agent's sessions in the box.
    PastSessions(Reply<Vec<PastSession>>),
    PurgePreview(Reply<PurgePreview>),
    Purge(PurgeRequest, Reply<()>),
    Restore(Reply<()>),
    Diff(DiffRequest, Reply<String>),
    Commits(Option<String>, Reply<TaskCommits>),
    CommitPreview(Option<String>, Reply<Vec<CommitPreview>>),
    Commit(CommitRequest, Reply<String>),
    SquashPreview(Reply<Vec<SquashPreview>>),
    Sync(SyncRequest, Reply<SyncReport>),
    /// Put aside what it called for, take that up again; archive it, take it out.
    Mark(Mark, Reply<()>),
    Fork(ForkWish, Reply<ForkSeed>),
    HandOff(HandOffRequest, Reply<()>),
    Check(String, Reply<CheckResult>),
    Pick(GroupId, TaskId, Reply<()>),
    Relink(RelinkRequest, Reply<()>),
}

impl Order {
    /// Whether it begins a run.
    pub(crate) fn needs_place(&self) -> bool {
        if let Self::Say(saying) = self {
            return saying.needs_place();
        }
        matches!(self, Self::Revive(..) | Self::ReviveWith(..))
    }

    /// What a user would call it.
    pub(crate) fn action(&self) -> Action {
        match self {
            Self::Say(saying) => saying.action(),
            Self::PlaceGranted
            | Self::Queued(_)
            | Self::Move(..)
            | Self::Tune(..)
            | Self::Condense(..)
            | Self::ResumeOnLimit(..) => Action::Send,
            Self::Answer(..) | Self::Decide(..) | Self::DecidePlan(..) => Action::Answer,
            Self::Interrupt(_) => Action::Interrupt,
            Self::Stop(_)
            | Self::Settle
            | Self::Tell(_)
            | Self::TellUser(..)
            | Self::BoxEnded { .. }
            | Self::MemoryUsedUp
            | Self::BoxInDoubt => Action::Stop,
            Self::Revive(_) | Self::ReviveWith(..) | Self::PastSessions(_) => Action::Revive,
            Self::PurgePreview(_) | Self::Purge(..) => Action::Purge,
            Self::Restore(_) => Action::Restore,
            Self::Diff(..)
            | Self::Commits(..)
            | Self::SquashPreview(_)
            | Self::Sync(..)
            | Self::Relink(..) => Action::Sync,
            Self::CommitPreview(..) | Self::Commit(..) => Action::Commit,
            Self::Fork(..) | Self::Check(..) | Self::Pick(..) => Action::Fork,
            Self::HandOff(..) => Action::HandOff,
            Self::Mark(mark, _) => mark.action(),
        }
    }
}

/// Answers; a door that has gone away is no matter.
pub(super) fn answer<T>(reply: Reply<T>, result: Result<T, CommandError>) {
    let _ = reply.send(result);
}

impl Runner {
    pub(super) async fn obey(&mut self, order: Order) {
        if order.needs_place() && self.is_ending() && self.waiting.len() < ORDERS {
            self.waiting.push_back(order);
            return;
        }
        match order {
            Order::PlaceGranted => self.seen.has_place = true,
            Order::Queued(why) => self.tell_queued(why).await,
            Order::Move(_, rank, reply) => answer(reply, self.move_to(rank).await),
            Order::BoxEnded { out_of_memory } => self.doubt_box(out_of_memory),
            Order::MemoryUsedUp => self.memory_used_up().await,
            Order::BoxInDoubt => self.doubt_box(false),
            Order::Settle => self.settle_journal().await,
            Order::Tell(words) => self.tell_found(words).await,
            Order::TellUser(text, reply) => {
                let notice = Body::Notice {
                    level: NoticeLevel::Info,
                    phase: None,
                    text,
                };
                let written = self.write(vec![notice]).await;
                answer(
                    reply,
                    written.map_err(|error| self.rooms.not_written(&error)),
                );
            }
            Order::Say(saying) => self.obey_saying(saying).await,
            Order::Answer(question, text, reply) => {
                answer(reply, self.answer_question(question, text).await);
            }
            Order::Decide(approval, decision, keep, reply) => {
                answer(reply, self.decide(approval, decision, keep).await);
            }
            Order::DecidePlan(plan, decision, reply) => {
                answer(reply, self.decide_plan(plan, decision).await);
            }
            Order::Tune(tuning, reply) => answer(reply, self.tune(tuning).await),
            Order::Condense(what, about, reply) => {
                answer(reply, self.condense(what, about).await);
            }
            Order::ResumeOnLimit(resume, reply) => {
                answer(reply, self.resume_on_limit(resume).await);
            }
            Order::Interrupt(reply) => self.interrupt(reply),
            Order::Stop(reply) => answer(
                reply,
                self.go(Action::Stop, Transition::StopRequested).await,
            ),
            Order::Revive(reply) => {
                answer(
                    reply,
                    self.go(Action::Revive, Transition::ReviveRequested).await,
                );
            }
            Order::ReviveWith(session, reply) => {
                answer(reply, self.revive_with(session).await);
            }
            Order::PastSessions(reply) => {
                self.work(reply, |work| async move { past::in_box(&work).await });
            }
            Order::Restore(reply) => answer(reply, self.restore().await),
            Order::PurgePreview(reply) => {
                self.work(reply, |work| async move { Ok(purge::preview(&work).await) });
            }
            Order::Purge(request, reply) => {
                let hurried = request.now || request.without_snapshot;
                let again = self.task().state == StateName::Purging && hurried;
                if let (false, Err(refused)) = (again, self.check(Action::Purge)) {
                    return answer(reply, Err(refused));
                }
                self.work(reply, move |work| async move {
                    purge::purge(&work, request).await
                });
            }
            Order::Diff(request, reply) => {
                self.work(reply, move |work| async move {
                    diff::diff(&work, &request).await
                });
            }
            Order::Commits(repository, reply) => {
                self.work(reply, move |work| async move {
                    diff::commits(&work, repository.as_deref()).await
                });
            }
            Order::CommitPreview(repository, reply) => {
                self.work(reply, move |work| async move {
                    commit::preview(&work, repository.as_deref()).await
                });
            }
            Order::Commit(request, reply) => {
                if let Err(refused) = self.check(Action::Commit) {
                    return answer(reply, Err(refused));
                }
                self.work(reply, move |work| async move {
                    commit::commit(&work, &request).await
                });
            }
            Order::Relink(request, reply) => {
                self.work(reply, move |work| async move {
                    relink::relink(&work, &request).await
                });
            }
            Order::Fork(wish, reply) => {
                if let Err(refused) = self.check(Action::Fork) {
                    return answer(reply, Err(refused));
                }
                self.work(reply, |work| async move { fork::seed(&work, wish).await });
            }
            Order::Mark(mark, reply) => answer(reply, self.mark(mark).await),
            Order::HandOff(request, reply) => answer(reply, self.hand_off(request).await),
            Order::Check(command, reply) => {
                if let Err(refused) = self.check(Action::Fork) {
                    return answer(reply, Err(refused));
                }
                self.work(
                    reply,
                    |work| async move { check::check(&work, command).await },
                );
            }
            Order::Pick(group, winner, reply) => answer(reply, self.pick(group, winner).await),
            Order::SquashPreview(reply) => {
                self.work(
                    reply,
                    |work| async move { sync::squash_preview(&work).await },
                );
            }
            Order::Sync(request, reply) => {
                if let Err(refused) = self.check(Action::Sync) {
                    return answer(reply, Err(refused));
                }
                self.seen.syncing = true;
                self.work(reply, move |work| async move {
                    let report = sync::sync(&work, &request).await;
                    work.note(Note::SyncOver).await;
                    report
                });
            }
        }
    }

    async fn mark(&mut self, mark: Mark) -> Result<(), CommandError> {
        match mark.on(self.task())? {
            Some(body) => self.write_as(ids::new_event(), body).await,
            None => Ok(()),
        }
    }

    async fn tell_queued(&mut self, text: String) {
        let notice = Body::Notice {
            level: NoticeLevel::Info,
            phase: None,
            text,
        };
        if let Err(error) = self.write(vec![notice]).await {
            self.cannot_write(&error);
        }
    }

    async fn move_to(&mut self, rank: i64) -> Result<u64, CommandError> {
        if self.task().state != StateName::Pending || self.seen.has_place {
            let message = "the task does not wait for a place any more";
            return Err(CommandError::conflict(message));
        }
        self.write_as(ids::new_event(), Body::PlaceMoved { rank })
            .await?;
        Ok(self.task().last_seq)
    }

    pub(super) fn check(&self, action: Action) -> Result<(), CommandError> {
        let task = self.task();
        if task.allowed.contains(&action) {
            return Ok(());
        }
        Err(CommandError::NotNow {
            action,
            state: task.state,
        })
    }

    /// Writes a transition that a user asked for.
    pub(super) async fn go(
        &mut self,
        action: Action,
        transition: Transition,
    ) -> Result<(), CommandError> {
        self.check(action)?;
        let change = self.change(transition, None);
        let change = change.ok_or(CommandError::NotNow {
            action,
            state: self.task().state,
        })?;
        let written = self.write(vec![change]).await;
        written.map_err(|error| self.rooms.not_written(&error))?;
        self.entered(transition);
        Ok(())
    }

    /// Starts the agent again with another of its sessions.
    async fn revive_with(&mut self, session_id: String) -> Result<(), CommandError> {
        self.check(Action::Revive)?;
        if self.task().agent_session.as_ref() != Some(&session_id) {
            let named = Body::AgentSessionNamed { session_id };
            self.write_as(ids::new_event(), named).await?;
        }
        self.go(Action::Revive, Transition::ReviveRequested).await
    }

    /// Writes what a user decided, then says it to the agent. Without a connection it is said as soon
    /// as the run is joined again.
    pub(super) async fn tell<E: Into<CommandError>>(
        &mut self,
        body: Body,
        say: impl FnOnce(&mut dyn Codec, &InputId) -> Result<Vec<Outgoing>, E>,
    ) -> Result<(), CommandError> {
        let event_id = ids::new_event();
        let input = event_id.clone().into();
        let messages = match self.talking() {
            Some(run) => {
                let messages = say(run.codec(), &input).map_err(Into::into)?;
                run.owes(&input);
                messages
            }
            None => Vec::new(),
        };
        if let Err(error) = self.write_as(event_id, body).await {
            // The codec believes it said; join the run again with one that does not.
            self.lose_box();
            return Err(error);
        }
        if let Some(run) = self.talking()
            && !run.say(messages)
        {
            // The line is too long: joined again, the run hears all that the journal has for it.
            self.lose_box();
        }
        Ok(())
    }

    /// Makes or cancels the appointment to go on when a limit is lifted.
    async fn resume_on_limit(&mut self, resume: bool) -> Result<(), CommandError> {
        match resuming::on_request(self.task(), resume, ids::now())? {
            Some(body) => self.write_as(ids::new_event(), body).await,
            None => Ok(()),
        }
    }

    /// The run, when it can be talked to: after its replay, and unless it gives way to another, which hears
    /// what is said from then on.
    pub(super) fn talking(&mut self) -> Option<&mut super::run::LiveRun> {
        let stays = !self.task().session_lost;
        let talks = stays && matches!(self.seen.run, RunSeen::Live | RunSeen::Joining);
        self.run
            .as_mut()
            .filter(|run| talks && run.awaited.is_some())
    }

    pub(super) async fn write_as(
        &mut self,
        event_id: EventId,
        body: Body,
    ) -> Result<(), CommandError> {
        let mut draft = self.draft(body, None);
        draft.event_id = event_id;
        let written = self.append(vec![draft]).await;
        written.map_err(|error| self.rooms.not_written(&error))
    }

    /// Carries out what takes time beside the runner.
    fn work<T, F>(&mut self, reply: Reply<T>, work: impl FnOnce(Work) -> F + Send + 'static)
    where
        T: Send + 'static,
        F: Future<Output = Result<T, CommandError>> + Send + 'static,
    {
        if let Err(crowded) = self.check_jobs() {
            return answer(reply, Err(crowded));
        }
        let mut now = self.work_now();
        self.jobs.push(job(async move {
            now.reach().await;
            answer(reply, work(now).await);
        }));
    }

    /// Whether there is room for one more job beside the runner.
    pub(super) fn check_jobs(&self) -> Result<(), CommandError> {
        if self.jobs.len() >= JOBS {
            return Err(CommandError::Overloaded {
                what: "the task's list of jobs",
            });
        }
        Ok(())
    }

    /// What a job may look at and write to, as it is now.
    pub(super) fn work_now(&self) -> Work {
        let place: Option<Arc<LiveBox>> = self.place.clone();
        Work {
            rooms: self.rooms.clone(),
            task: self.task().clone(),
            place,
            notes: self.notes.0.clone(),
            one_at_a_time: self.git.clone(),
        }
    }

    pub(super) async fn take_note(&mut self, note: Note) {
        match note {
            Note::Record(transition, reply) => {
                let action = Action::Sync;
                let change = self.change(transition, None);
                let written = match change {
                    Some(change) => {
                        let written = self.write(vec![change]).await;
                        written.map_err(|error| self.rooms.not_written(&error))
                    }
                    None => Err(CommandError::NotNow {
                        action,
                        state: self.task().state,
                    }),
                };
                if written.is_ok() {
                    self.entered(transition);
                }
                let _ = reply.send(written);
            }
            Note::Write(bodies) => {
                if let Err(error) = self.write(bodies).await {
                    tracing::warn!(task.id = %self.task().task_id, %error, "an event could not be written");
                }
            }
            Note::Relinked { from, to, reply } => {
                let body = Body::RepositoryRelinked {
                    repository: from,
                    path: to,
                };
                let written = self.write(vec![body]).await;
                if written.is_ok() && self.place.is_some() {
                    // It is reached again as its record says now.
                    self.lose_box();
                }
                let _ = reply.send(written.map_err(|error| self.rooms.not_written(&error)));
            }
            Note::SyncOver => self.seen.syncing = false,
            Note::BroughtOut => self.brought_out(),
            Note::PurgeNow if self.task().state == StateName::Purging => self.begin_purge(),
            // The purge was taken back meanwhile.
            Note::PurgeNow => {}
            Note::Unkept => self.removal.unkept = true,
            Note::BoxSilent(place, starved) => self.box_silent(&place, starved),
            Note::BoxInDoubt if self.seen.place != BoxSeen::Standing => self.lose_box(),
            Note::BoxInDoubt => {}
        }
    }
}
