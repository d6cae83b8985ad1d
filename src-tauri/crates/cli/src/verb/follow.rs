//! Following a task to the end of a turn: what happens is shown, what the agent asks is asked.
//!
//! Ctrl-C ends the turn; a second one leaves the task alone. The turn is over for us when the task has come to
//! rest behind it: by then its commits are out of the box.

use std::time::Duration;

use anyhow::Result;
use paddock_api::{AnswerRequest, ApprovalRequest, PlanRequest};
use paddock_client::{Client, FeedItem, JournalEvent};
use paddock_domain::{
    Answer, ApprovalScope, Body, Decision, Event, InputId, PlanDecision, StateName, Task, TaskId,
    TurnId, TurnOutcome,
};
use tokio::time::Instant;

use crate::exit::Exit;
use crate::keyboard::Keyboard;
use crate::render::{Paint, Transcript, line, on_terminal, print, say};
use crate::resolve::short;

/// How long a task may take to come to rest behind its turn.
const REST_MAX: Duration = Duration::from_secs(60);

/// A task that is being followed.
pub(crate) struct Following<'a> {
    client: &'a Client,
    task: TaskId,
    json: bool,
    transcript: Transcript,
    keyboard: Keyboard,
    watch: Watch,
    interrupts: u32,
    asked: Option<Request>,
}

/// What is waited for, and how far it is.
#[derive(Debug, Default)]
struct Watch {
    /// The message whose turn it is; the first one's when absent.
    input: Option<InputId>,
    turn: Option<TurnId>,
    outcome: Option<TurnOutcome>,
    stopping: bool,
    ended_at: Option<Instant>,
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
            watch: Watch {
                input,
                ..Watch::default()
            },
            interrupts: 0,
            asked: None,
        }
    }

    /// Follows from the event `since_seq` on.
    pub(crate) async fn until_rest(mut self, since_seq: u64) -> Result<Exit> {
        let mut feed = self.client.events(&self.task, since_seq);
        loop {
            let until = self.watch.ended_at.map(|at| at + REST_MAX);
            let exit = tokio::select! {
                item = feed.next() => self.take(item?).await?,
                pressed = tokio::signal::ctrl_c() => { pressed?; self.pressed().await? }
                answer = self.keyboard.line(), if self.asked.is_some() => self.answered(answer).await?,
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
                };
                let sent = self.client.say(&self.task, &message).await;
                sent.map(|sent| {
                    self.watch = Watch {
                        input: Some(sent.input_id),
                        ..Watch::default()
                    }
                })
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

impl Watch {
    /// Takes note of an event; gives the state that the task entered with it.
    fn take(&mut self, event: &Event) -> Option<StateName> {
        if let Body::UserMessage { input_id, .. } = &event.body {
            let ours = self.input.as_ref().is_none_or(|input| input == input_id);
            if ours && self.turn.is_none() {
                self.turn.clone_from(&event.turn_id);
            }
        } else if let Body::TurnFinished { outcome, .. } = &event.body {
            let ours = self.turn.is_some() && self.turn == event.turn_id;
            if ours && self.outcome.is_none() {
                self.outcome = Some(*outcome);
                self.ended_at = Some(Instant::now());
            }
        } else if let Body::StateChanged { to, .. } = &event.body {
            self.stopping |= matches!(to, StateName::Stopping | StateName::Purging);
            return Some(*to);
        }
        None
    }

    /// How it ended, once the task is in `state`; nothing when it goes on.
    fn at_rest(&self, state: StateName) -> Option<Exit> {
        match state {
            StateName::Failed => Some(Exit::SetupFailed),
            StateName::Crashed if self.outcome.is_some() || self.turn.is_some() => {
                Some(Exit::TurnFailed)
            }
            StateName::Stopped | StateName::Purging | StateName::Purged => {
                Some(if self.stopping || self.outcome.is_none() {
                    Exit::Interrupted
                } else {
                    self.exit()
                })
            }
            StateName::Waiting => self.outcome.map(|_| self.exit()),
            StateName::Crashed
            | StateName::Pending
            | StateName::Branching
            | StateName::Provisioning
            | StateName::Starting
            | StateName::Running
            | StateName::Asking
            | StateName::HasPlan
            | StateName::Pulling
            | StateName::Pushing
            | StateName::Stopping => None,
        }
    }

    fn exit(&self) -> Exit {
        match self.outcome {
            Some(TurnOutcome::Completed) => Exit::Well,
            Some(TurnOutcome::Interrupted) => Exit::Interrupted,
            Some(TurnOutcome::RunEnded) if self.stopping => Exit::Interrupted,
            Some(TurnOutcome::Failed | TurnOutcome::RunEnded) | None => Exit::TurnFailed,
        }
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

/// Numbers name choices; everything else is the user's own words.
fn read_answer(question: &paddock_domain::Question, typed: &str) -> Answer {
    let words = || Answer {
        choices: Vec::new(),
        text: Some(typed.to_owned()),
    };
    let parts: Vec<&str> = typed
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .collect();
    let choice = |part: &&str| {
        let number: usize = part.parse().ok()?;
        question
            .choices
            .get(number.checked_sub(1)?)
            .map(|choice| choice.label.clone())
    };
    let named: Option<Vec<String>> = parts.iter().map(choice).collect();
    match named {
        Some(choices) if !choices.is_empty() && (question.multiple || choices.len() == 1) => {
            Answer {
                choices,
                text: None,
            }
        }
        _ => match question
            .choices
            .iter()
            .find(|choice| choice.label.eq_ignore_ascii_case(typed))
        {
            Some(choice) => Answer {
                choices: vec![choice.label.clone()],
                text: None,
            },
            None => words(),
        },
    }
}

fn read_decision(typed: &str) -> Decision {
    match typed.to_ascii_lowercase().as_str() {
        "a" | "always" => Decision::Allow {
            scope: ApprovalScope::Task,
            input: None,
        },
        _ if is_yes(typed) => Decision::Allow {
            scope: ApprovalScope::Once,
            input: None,
        },
        "" | "n" | "no" => Decision::Deny {
            message: None,
            interrupt: false,
        },
        _ => Decision::Deny {
            message: Some(typed.to_owned()),
            interrupt: false,
        },
    }
}

fn is_yes(typed: &str) -> bool {
    matches!(typed.to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests;
