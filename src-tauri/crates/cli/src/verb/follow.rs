//! Following a task to the end of a turn: what happens is shown, what the agent asks is asked.
//!
//! Ctrl-C ends the turn; a second one leaves the task alone. The turn is over for us when the task has come to
//! rest behind it: by then its commits are out of the box.

mod meanwhile;
mod typed;
mod watch;

use std::time::Duration;

use anyhow::Result;
use paddock_api::{AnswerRequest, ApprovalRequest, PlanRequest};
use paddock_client::{Client, FeedItem, JournalEvent};
use paddock_domain::{InputId, PlanDecision, StateName, Task, TaskId, TurnOutcome};
use tokio::time::Instant;

use self::typed::{is_yes, read_answer, read_decision};
use self::watch::Watch;
use crate::exit::Exit;
use crate::keyboard::Keyboard;
use crate::render::{LinkTeller, Paint, Transcript, line, on_terminal, print, say};
use crate::resolve::short;
use crate::verb::list::now;

/// How long a task may take to come to rest behind its turn.
const REST_MAX: Duration = Duration::from_secs(60);
/// How long a task may wait for a place before the user is told what it waits for.
const PLACE_HINT: Duration = Duration::from_secs(2);

/// A task that is being followed.
pub(crate) struct Following<'a> {
    client: &'a Client,
    task: TaskId,
    json: bool,
    transcript: Transcript,
    keyboard: Keyboard,
    watch: Watch,
    links: LinkTeller,
    interrupts: u32,
    hint_at: Option<Instant>,
    asked: Option<Request>,
    /// The user's keyboard was closed.
    deaf: bool,
}

/// Something the agent asks.
#[derive(Clone, Debug)]
enum Request {
    Question(paddock_domain::Question),
    Approval(paddock_domain::ApprovalId),
    Plan(paddock_domain::PlanId),
    Prompt,
}

impl<'a> Following<'a> {
    /// Follows `task` to the end of the turn of the message `input`, or of the first.
    pub(crate) fn new(
        client: &'a Client,
        task: TaskId,
        json: bool,
        input: Option<InputId>,
    ) -> Self {
        Self {
            client,
            task,
            json,
            transcript: Transcript::new(Paint::of_stdout(), on_terminal()),
            keyboard: Keyboard::new(),
            watch: Watch::of(input),
            links: LinkTeller::default(),
            interrupts: 0,
            hint_at: None,
            asked: None,
            deaf: false,
        }
    }

    /// Follows from the event `since_seq` on.
    pub(crate) async fn until_rest(mut self, since_seq: u64) -> Result<Exit> {
        self.hint_at = (since_seq == 0 && !self.json).then(|| Instant::now() + PLACE_HINT);
        let mut feed = self.client.events(&self.task, since_seq);
        // One listener for all the time: a press is never lost between two of them.
        let mut pressed = Box::pin(tokio::signal::ctrl_c());
        loop {
            let until = self.watch.ended_at.map(|at| at + REST_MAX);
            let exit = tokio::select! {
                item = feed.next() => self.take(item?).await?,
                outcome = &mut pressed => {
                    outcome?;
                    pressed.set(tokio::signal::ctrl_c());
                    self.pressed().await?
                }
                typed = self.keyboard.line(), if self.asked.is_some() || self.listens() => self.typed(typed).await?,
                () = sleep_until(self.hint_at) => self.hint().await,
                () = sleep_until(until) => Some(self.watch.exit()),
            };
            if let Some(exit) = exit {
                return Ok(exit);
            }
        }
    }

    async fn take(&mut self, item: FeedItem) -> Result<Option<Exit>> {
        match item {
            FeedItem::Event(event) => self.event(&event).await,
            FeedItem::Delta(delta) => {
                if !self.json {
                    print(&self.transcript.delta(&delta.delta));
                }
                Ok(None)
            }
            FeedItem::Statistics(_) => Ok(None),
            FeedItem::Link(link) => {
                if !self.json {
                    self.links.tell(&link.link, now());
                }
                Ok(None)
            }
            FeedItem::Ready => {
                if !self.json {
                    print(&self.transcript.rejoin());
                }
                Ok(None)
            }
            FeedItem::Reset(_) => {
                say("the server does not know where we were: the whole journal follows");
                Ok(None)
            }
            FeedItem::Reconnecting { attempt, pause } => {
                if attempt > 1 {
                    say(&format!(
                        "reconnecting (try {attempt}, in {} ms)",
                        pause.as_millis()
                    ));
                }
                Ok(None)
            }
        }
    }

    async fn event(&mut self, journal: &JournalEvent) -> Result<Option<Exit>> {
        if self.json {
            line(&journal.json);
        }
        let Ok(event) = journal.parse() else {
            // Of a newer server; it is in the JSON for those who know it.
            return Ok(None);
        };
        if !self.json {
            print(&self.transcript.event(&event));
        }
        let entered = self.watch.take(&event);
        if entered.is_some() {
            self.hint_at = None;
        }
        match entered {
            Some(StateName::Asking | StateName::HasPlan) => self.ask().await,
            Some(StateName::Waiting)
                if self.watch.outcome == Some(TurnOutcome::Interrupted) && self.interrupts > 0 =>
            {
                self.ask_what_now()
            }
            Some(state) => Ok(self.watch.at_rest(state)),
            None => Ok(None),
        }
    }

    /// Nothing has begun yet: says why.
    async fn hint(&mut self) -> Option<Exit> {
        self.hint_at = None;
        if let Ok(place) = self.client.place(&self.task).await {
            say(&format!(
                "{}; `paddock places` shows all of it, `paddock places --front {}` serves this one next",
                place.reason,
                short(&self.task)
            ));
        }
        None
    }

    /// The agent needs something: asks the user, or says how to answer.
    async fn ask(&mut self) -> Result<Option<Exit>> {
        let task = self.client.task(&self.task).await?;
        let Some(request) = first_request(&task) else {
            // Answered elsewhere meanwhile.
            return Ok(None);
        };
        if self.json || !self.keyboard.is_there() {
            say(&format!(
                "the agent needs an answer: paddock answer {}",
                short(&self.task)
            ));
            return Ok(Some(Exit::NeedsAnswer));
        }
        say(match &request {
            Request::Question(question) if question.choices.is_empty() => "your answer:",
            Request::Question(_) => "your answer (numbers or words):",
            Request::Approval(_) => "let it? y(es), a(lways in this task), n(o) or why not:",
            Request::Plan(_) => "carry it out? y(es), or what is wrong with it:",
            Request::Prompt => "",
        });
        self.asked = Some(request);
        Ok(None)
    }

    fn ask_what_now(&mut self) -> Result<Option<Exit>> {
        if self.json || !self.keyboard.is_there() {
            return Ok(Some(Exit::Interrupted));
        }
        say("what now? (an empty line leaves the task as it is)");
        self.asked = Some(Request::Prompt);
        Ok(None)
    }

    async fn typed(&mut self, typed: Option<String>) -> Result<Option<Exit>> {
        if self.asked.is_some() {
            return self.answered(typed).await;
        }
        self.say_meanwhile(typed).await;
        Ok(None)
    }

    async fn answered(&mut self, typed: Option<String>) -> Result<Option<Exit>> {
        let Some(request) = self.asked.take() else {
            return Ok(None);
        };
        let Some(typed) = typed else {
            return Ok(Some(Exit::NeedsAnswer));
        };
        let typed = typed.trim();
        let sent = match request {
            Request::Question(question) => {
                let answer = read_answer(&question, typed);
                let question_id = question.question_id;
                self.client
                    .answer(
                        &self.task,
                        &AnswerRequest {
                            question_id,
                            answer,
                        },
                    )
                    .await
                    .map(drop)
            }
            Request::Approval(approval_id) => {
                let decision = read_decision(typed);
                self.client
                    .decide(
                        &self.task,
                        &ApprovalRequest {
                            approval_id,
                            decision,
                            keep: None,
                        },
                    )
                    .await
                    .map(drop)
            }
            Request::Plan(plan_id) => {
                let decision = if is_yes(typed) {
                    PlanDecision::Approve { text: None }
                } else {
                    PlanDecision::Reject {
                        comment: Some(typed.to_owned()).filter(|text| !text.is_empty()),
                    }
                };
                self.client
                    .decide_plan(&self.task, &PlanRequest { plan_id, decision })
                    .await
                    .map(drop)
            }
            Request::Prompt if typed.is_empty() => return Ok(Some(Exit::Interrupted)),
            Request::Prompt => {
                let message = paddock_domain::Message {
                    input_id: None,
                    text: typed.to_owned(),
                    attachments: Vec::new(),
                };
                let sent = self.client.say(&self.task, &message).await;
                self.interrupts = 0;
                sent.map(|sent| self.watch = Watch::of(Some(sent.input_id)))
            }
        };
        if let Err(error) = sent {
            say(&error.to_string());
        }
        // Several questions are asked one after the other.
        let task = self.client.task(&self.task).await?;
        if matches!(task.state, StateName::Asking | StateName::HasPlan) {
            self.ask().await
        } else {
            Ok(None)
        }
    }

    /// Ctrl-C: first the turn is ended, then the task is left alone.
    async fn pressed(&mut self) -> Result<Option<Exit>> {
        self.interrupts += 1;
        if self.interrupts > 1 || self.watch.outcome.is_some() {
            let task = short(&self.task);
            say(&format!(
                "\nthe task goes on: `paddock logs -f {task}` follows it, `paddock stop {task}` ends it"
            ));
            return Ok(Some(Exit::Detached));
        }
        say("\nending the turn; Ctrl-C again leaves the task running");
        if let Err(error) = self.client.interrupt(&self.task).await {
            say(&error.to_string());
        }
        Ok(None)
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

fn first_request(task: &Task) -> Option<Request> {
    let question = task.questions.first().cloned().map(Request::Question);
    let approval = || {
        task.approvals
            .first()
            .map(|approval| Request::Approval(approval.approval_id.clone()))
    };
    let plan = || {
        task.plan
            .as_ref()
            .map(|plan| Request::Plan(plan.plan_id.clone()))
    };
    question.or_else(approval).or_else(plan)
}

#[cfg(test)]
mod tests;
