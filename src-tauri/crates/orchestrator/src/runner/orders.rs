//! What users ask of one task.
//!
//! An order is refused when the state machine does not allow it, written down when it is to be kept,
//! and only then carried out. Answers are given when the order is safe, not when it is done.

use std::sync::Arc;

use paddock_boxes::LiveBox;
use paddock_domain::{
    Action, Answer, ApprovalId, Body, CommitPreview, CommitRequest, Decision, DiffRequest, EventId,
    InputId, Message, NoticeLevel, PlanDecision, PlanId, PurgePreview, PurgeRequest, QuestionId,
    SquashPreview, SyncReport, SyncRequest, TaskSpec, Transition,
};
use paddock_harness::{CannotSay, Codec, Outgoing};
use tokio::sync::oneshot;

use super::note::Note;
use super::{JOBS, ORDERS, Runner, ids, job};
use crate::CommandError;
use crate::plan::{BoxSeen, RunSeen};
use crate::work::{Work, commit, diff, purge, sync};

/// Where the answer to an order goes.
pub(crate) type Reply<T> = oneshot::Sender<Result<T, CommandError>>;

/// One order for a task.
#[derive(Debug)]
pub(crate) enum Order {
    /// The host has a place for it.
    PlaceGranted,
    /// The host has no place for it yet.
    Queued,
    /// The engine says that its box ended.
    BoxEnded {
        out_of_memory: bool,
    },
    /// The engine says that its box is gone, or may have changed unseen.
    BoxInDoubt,
    Send(Message, Reply<InputId>),
    Answer(QuestionId, Answer, Reply<()>),
    Decide(ApprovalId, Decision, Reply<()>),
    DecidePlan(PlanId, PlanDecision, Reply<()>),
    Interrupt(Reply<()>),
    Stop(Reply<()>),
    Revive(Reply<()>),
    PurgePreview(Reply<PurgePreview>),
    Purge(PurgeRequest, Reply<()>),
    Restore(Reply<()>),
    Diff(DiffRequest, Reply<String>),
    CommitPreview(Option<String>, Reply<Vec<CommitPreview>>),
    Commit(CommitRequest, Reply<String>),
    SquashPreview(Reply<Vec<SquashPreview>>),
    Sync(SyncRequest, Reply<SyncReport>),
}

impl Order {
    /// Whether it begins a run.
    pub(crate) fn needs_place(&self) -> bool {
        matches!(self, Self::Send(..) | Self::Revive(_))
    }

    /// What a user would call it.
    pub(crate) fn action(&self) -> Action {
        match self {
            Self::Send(..) | Self::PlaceGranted | Self::Queued => Action::Send,
            Self::Answer(..) | Self::Decide(..) | Self::DecidePlan(..) => Action::Answer,
            Self::Interrupt(_) => Action::Interrupt,
            Self::Stop(_) | Self::BoxEnded { .. } | Self::BoxInDoubt => Action::Stop,
            Self::Revive(_) => Action::Revive,
            Self::PurgePreview(_) | Self::Purge(..) => Action::Purge,
            Self::Restore(_) => Action::Restore,
            Self::Diff(..) | Self::SquashPreview(_) | Self::Sync(..) => Action::Sync,
            Self::CommitPreview(..) | Self::Commit(..) => Action::Commit,
        }
    }
}

/// Answers; a door that has gone away is no matter.
fn answer<T>(reply: Reply<T>, result: Result<T, CommandError>) {
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
            Order::Queued => self.tell_queued().await,
            Order::BoxEnded { out_of_memory } => self.box_ended(out_of_memory),
            Order::BoxInDoubt if self.seen.place != BoxSeen::Absent => self.lose_box(),
            Order::BoxInDoubt => {}
            Order::Send(message, reply) => answer(reply, self.send(message).await),
            Order::Answer(question, text, reply) => {
                answer(reply, self.answer_question(question, text).await);
            }
            Order::Decide(approval, decision, reply) => {
                answer(reply, self.decide(approval, decision).await);
            }
            Order::DecidePlan(plan, decision, reply) => {
                answer(reply, self.decide_plan(plan, decision).await);
            }
            Order::Interrupt(reply) => answer(reply, self.interrupt()),
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
            Order::Restore(reply) => {
                answer(
                    reply,
                    self.go(Action::Restore, Transition::PurgeUndone).await,
                );
            }
            Order::PurgePreview(reply) => {
                self.work(reply, |work| async move { Ok(purge::preview(&work).await) });
            }
            Order::Purge(request, reply) => {
                if let Err(refused) = self.check(Action::Purge) {
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

    async fn tell_queued(&mut self) {
        let places = self.rooms.settings.parallel_tasks;
        let text = format!(
            "waits for a place: {places} tasks are at work on this host, and more are not allowed at once"
        );
        let notice = Body::Notice {
            level: NoticeLevel::Info,
            phase: None,
            text,
        };
        if let Err(error) = self.write(vec![notice]).await {
            self.cannot_write(&error);
        }
    }

    fn check(&self, action: Action) -> Result<(), CommandError> {
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
    async fn go(&mut self, action: Action, transition: Transition) -> Result<(), CommandError> {
        self.check(action)?;
        let change = self.change(transition, None);
        let change = change.ok_or(CommandError::NotNow {
            action,
            state: self.task().state,
        })?;
        self.write(vec![change])
            .await
            .map_err(CommandError::failed)?;
        self.entered(transition);
        Ok(())
    }

    async fn send(&mut self, message: Message) -> Result<InputId, CommandError> {
        self.check(Action::Send)?;
        check_text(&message.text)?;
        let event_id = ids::new_event();
        let input_id = message.input_id.unwrap_or_else(|| event_id.clone().into());
        if self.inbox.contains(&input_id) {
            return Ok(input_id);
        }
        if self.task().allowed.contains(&Action::Revive) {
            self.go(Action::Revive, Transition::ReviveRequested).await?;
        }
        let during_turn = self.turn.is_some();
        if !during_turn {
            self.turn = Some(ids::new_turn());
        }
        let body = Body::UserMessage {
            input_id: input_id.clone(),
            content: message.text.clone(),
            during_turn,
        };
        self.write_as(event_id, body).await?;
        self.remember(&input_id);
        if let Some(run) = self.talking() {
            let messages = run.codec().prompt(&input_id, &message.text);
            run.say(messages);
        }
        Ok(input_id)
    }

    async fn answer_question(&mut self, id: QuestionId, text: Answer) -> Result<(), CommandError> {
        let open = self
            .task()
            .questions
            .iter()
            .any(|question| question.question_id == id);
        must_be_open(open, "question", &id)?;
        let body = Body::QuestionAnswered {
            question_id: id.clone(),
            answer: Some(text.clone()),
        };
        self.tell(body, |codec, input| codec.answer(input, &id, &text))
            .await
    }

    async fn decide(&mut self, id: ApprovalId, decision: Decision) -> Result<(), CommandError> {
        let open = self
            .task()
            .approvals
            .iter()
            .any(|approval| approval.approval_id == id);
        must_be_open(open, "approval", &id)?;
        let body = Body::ApprovalResolved {
            approval_id: id.clone(),
            decision: Some(decision.clone()),
        };
        self.tell(body, |codec, input| codec.decide(input, &id, &decision))
            .await
    }

    async fn decide_plan(
        &mut self,
        id: PlanId,
        decision: PlanDecision,
    ) -> Result<(), CommandError> {
        let open = self
            .task()
            .plan
            .as_ref()
            .is_some_and(|plan| plan.plan_id == id);
        must_be_open(open, "plan", &id)?;
        let body = Body::PlanResolved {
            plan_id: id.clone(),
            decision: Some(decision.clone()),
        };
        self.tell(body, |codec, input| {
            codec.decide_plan(input, &id, &decision)
        })
        .await
    }

    /// Writes what a user decided, then says it to the agent. Without a connection it is said as soon
    /// as the run is joined again.
    async fn tell(
        &mut self,
        body: Body,
        say: impl FnOnce(&mut dyn Codec, &InputId) -> Result<Vec<Outgoing>, CannotSay>,
    ) -> Result<(), CommandError> {
        let event_id = ids::new_event();
        let input = event_id.clone().into();
        let messages = match self.talking() {
            Some(run) => say(run.codec(), &input).map_err(CommandError::bad)?,
            None => Vec::new(),
        };
        if let Err(error) = self.write_as(event_id, body).await {
            // The codec believes it said; join the run again with one that does not.
            self.lose_box();
            return Err(error);
        }
        if let Some(run) = self.talking() {
            run.say(messages);
        }
        Ok(())
    }

    fn interrupt(&mut self) -> Result<(), CommandError> {
        self.check(Action::Interrupt)?;
        let state = self.task().state;
        let run = self.talking().ok_or(CommandError::NotNow {
            action: Action::Interrupt,
            state,
        })?;
        let id = ids::new_event().into();
        let messages = run
            .codec()
            .interrupt(&id)
            .ok_or_else(|| CommandError::Bad {
                message: "this agent has no turn to interrupt, or cannot; stop it instead"
                    .to_owned(),
            })?;
        run.say(messages);
        Ok(())
    }

    /// The run, when it can be talked to: after its replay.
    fn talking(&mut self) -> Option<&mut super::run::LiveRun> {
        let talks = matches!(self.seen.run, RunSeen::Live | RunSeen::Joining);
        self.run
            .as_mut()
            .filter(|run| talks && run.awaited.is_some())
    }

    async fn write_as(&mut self, event_id: EventId, body: Body) -> Result<(), CommandError> {
        let mut draft = self.draft(body, None);
        draft.event_id = event_id;
        self.append(vec![draft]).await.map_err(CommandError::failed)
    }

    /// Carries out what takes time beside the runner.
    fn work<T, F>(&mut self, reply: Reply<T>, work: impl FnOnce(Work) -> F + Send + 'static)
    where
        T: Send + 'static,
        F: Future<Output = Result<T, CommandError>> + Send + 'static,
    {
        if self.jobs.len() >= JOBS {
            return answer(
                reply,
                Err(CommandError::Overloaded {
                    what: "the task's list of jobs",
                }),
            );
        }
        let mut now = self.work_now();
        self.jobs.push(job(async move {
            now.reach().await;
            answer(reply, work(now).await);
        }));
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
                    Some(change) => self.write(vec![change]).await.map_err(CommandError::failed),
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
            Note::SyncOver => self.seen.syncing = false,
            Note::BroughtOut => self.brought_out(),
            Note::PurgeNow => self.begin_purge(),
            Note::BoxInDoubt if self.seen.place != BoxSeen::Standing => self.lose_box(),
            Note::BoxInDoubt => {}
        }
    }
}

fn must_be_open(
    open: bool,
    what: &'static str,
    id: &impl std::fmt::Display,
) -> Result<(), CommandError> {
    if open {
        return Ok(());
    }
    let message = format!("the agent does not wait for {what} {id} (any more)");
    Err(CommandError::Conflict {
        message,
        paths: Vec::new(),
    })
}

fn check_text(text: &str) -> Result<(), CommandError> {
    let (len, max) = (text.len(), TaskSpec::PROMPT_MAX);
    if text.trim().is_empty() {
        return Err(paddock_domain::InvalidSpec::EmptyPrompt.into());
    }
    if len > max {
        return Err(paddock_domain::InvalidSpec::LongPrompt { len, max }.into());
    }
    Ok(())
}
