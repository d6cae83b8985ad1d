//! The user of one task: says what the plan has, answers what is asked, and keeps account of what was
//! acknowledged.
//!
//! Invariant: the account is written from the server's answers alone. What it holds as acknowledged must
//! be found again; what it holds as unknown may be.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use paddock_api::{AnswerRequest, ApprovalRequest, ErrorCode, PlanRequest};
use paddock_client::{Client, ClientError};
use paddock_domain::TaskId;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::door::{Answered, Door};
use crate::journal::{self, Request};
use crate::observer::Observer;
use crate::plan::{Deed, Story, Target, When, Wish};

/// How long an instant that is tied to an event is waited for.
const INSTANT_MAX: Duration = Duration::from_secs(4);
/// How long a purge may take to begin.
const PURGE_MAX: Duration = Duration::from_secs(20);

/// A message of ours and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) acknowledged: bool,
}

/// An answer of ours.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) request: Request,
    pub(crate) acknowledged: bool,
}

/// A wish of ours.
#[derive(Clone, Debug)]
pub(crate) struct Wished {
    pub(crate) wish: Wish,
    pub(crate) acknowledged: bool,
}

/// What was said and answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) said: Vec<Said>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) wishes: Vec<Wished>,
    /// Commands that the server could not carry out although it took them on.
    pub(crate) failures: Vec<String>,
    /// Every call, when it was answered and how; for people.
    pub(crate) calls: Vec<String>,
}

/// See the head of this file.
#[derive(Clone, Debug)]
pub(crate) struct User {
    door: Door,
    observer: Arc<Observer>,
    story: Arc<Story>,
    ledger: Arc<Mutex<Ledger>>,
    mark: String,
}

impl User {
    pub(crate) fn new(door: Door, observer: Arc<Observer>, story: Story, mark: String) -> Self {
        Self {
            door,
            observer,
            story: Arc::new(story),
            ledger: Arc::default(),
            mark,
        }
    }

    pub(crate) fn observer(&self) -> &Arc<Observer> {
        &self.observer
    }

    pub(crate) fn story(&self) -> &Story {
        &self.story
    }

    pub(crate) fn task(&self) -> &TaskId {
        &self.observer.task
    }

    /// The account so far.
    pub(crate) fn ledger(&self) -> Ledger {
        self.ledger
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn note(&self, write: impl FnOnce(&mut Ledger)) {
        write(&mut self.ledger.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Does all that the plan has.
    pub(crate) async fn act(&self) {
        let deeds = self.story.deeds.iter().enumerate();
        let all = deeds.map(|(n, (when, deed))| async move {
            reached(&self.observer, *when).await;
            self.do_one(n, deed).await;
        });
        futures_util::future::join_all(all).await;
    }

    async fn do_one(&self, n: usize, deed: &Deed) {
        let task = self.task().clone();
        match deed {
            Deed::Say(text) => drop(self.say(&format!("{}-{n}", self.mark), text).await),
            Deed::Interrupt => {
                let call = async |client: Client| client.interrupt(&task).await;
                self.judge("interrupt", &self.door.once(call).await);
            }
            Deed::Stop => {
                let call = async |client: Client| client.stop(&task).await;
                self.judge("stop", &self.door.once(call).await);
            }
            Deed::Revive => {
                let call = async |client: Client| client.revive(&task).await;
                self.judge("revive", &self.door.once(call).await);
            }
            Deed::Sync(target) => self.sync(*target).await,
            Deed::PurgeAndRestore => self.purge_and_restore().await,
            Deed::Diff => {
                let asked = made(json!({}));
                let call = async |client: Client| client.diff(&task, &asked).await;
                self.judge("diff", &self.door.once(call).await);
            }
            Deed::Wish(wish) => self.wish(wish).await,
        }
    }

    /// Says `text` under an id of our own until that is acknowledged or refused.
    pub(crate) async fn say(&self, id: &str, text: &str) -> Answered<()> {
        let task = self.task().clone();
        let message = made(json!({"input_id": id, "text": text}));
        let call = async |client: Client| client.say(&task, &message).await.map(drop);
        let answered = self.door.ask(call).await;
        self.judge("send", &answered);
        self.note(|ledger| {
            ledger.said.push(Said {
                id: id.to_owned(),
                text: text.to_owned(),
                acknowledged: answered.is_yes(),
            });
        });
        answered
    }

    /// Wishes once: a wish has no id of ours, so what nobody answered may have been taken.
    async fn wish(&self, wish: &Wish) {
        let task = self.task().clone();
        let call = async |client: Client| match wish {
            Wish::Compact => client.compact(&task, &made(json!({}))).await,
            Wish::Clear => client.clear(&task).await,
            Wish::Model(model) => client.tune(&task, &made(json!({ "model": model }))).await,
        };
        let answered = self.door.once(call).await;
        self.judge(&format!("{wish:?}"), &answered);
        if let Answered::No(..) = answered {
            return;
        }
        self.note(|ledger| {
            ledger.wishes.push(Wished {
                wish: wish.clone(),
                acknowledged: answered.is_yes(),
            });
        });
    }

    async fn sync(&self, target: Target) {
        let task = self.task().clone();
        let target = match target {
            Target::Branch => "branch",
            Target::Local => "local",
        };
        let asked = made(json!({ "target": target }));
        let call = async |client: Client| client.sync(&task, &asked).await;
        let answered = self.door.once(call).await;
        self.judge("sync", &answered);
    }

    async fn purge_and_restore(&self) {
        let task = self.task().clone();
        let asked = made(json!({"force": true}));
        let call = async |client: Client| client.purge(&task, &asked).await;
        let purged = self.door.once(call).await;
        self.judge("purge", &purged);
        if let Answered::No(..) = purged {
            return;
        }
        let purging = |events: &[Arc<Value>]| (journal::state(events) == "purging").then_some(());
        let begun = self.observer.until(PURGE_MAX, purging).await;
        if begun.is_none() && purged.is_yes() {
            self.fail("a purge that was accepted did not begin".to_owned());
        }
        let call = async |client: Client| client.restore(&task).await;
        let restored = self.door.ask(call).await;
        self.judge("restore", &restored);
    }

    /// Answers what is asked, for as long as it is asked to.
    pub(crate) async fn answer_all(&self) {
        let mut done: Vec<Request> = Vec::new();
        loop {
            let open = |events: &[Arc<Value>]| {
                let mut open = journal::open_requests(events).into_iter();
                open.find(|request| !done.contains(request))
            };
            let Some(request) = self.observer.until(Duration::MAX, open).await else {
                return;
            };
            tokio::time::sleep(Duration::from_millis(self.story.thinks_ms)).await;
            self.answer(&request).await;
            done.push(request);
        }
    }

    async fn answer(&self, request: &Request) {
        let one = self.answer_once(request, "Red");
        if self.story.answers_twice {
            tokio::join!(one, self.answer_once(request, "Blue"));
        } else {
            one.await;
        }
    }

    /// Answers until the server says yes or no. A no after a try whose outcome nobody knows may mean
    /// that it was taken.
    async fn answer_once(&self, request: &Request, word: &str) {
        let task = self.task().clone();
        let call = async |client: Client| settle(&client, &task, request, word).await;
        let answered = self.door.ask(call).await;
        self.judge("answer", &answered);
        self.note(|ledger| {
            ledger.answers.push(Answer {
                request: request.clone(),
                acknowledged: answered.is_yes(),
            });
        });
    }

    /// Keeps what the server could not do although nothing was wrong with the wish.
    fn judge<T>(&self, what: &str, answered: &Answered<T>) {
        let came = match answered {
            Answered::Yes(_) => "yes".to_owned(),
            Answered::No(code, message) => format!("no, {code}: {message}"),
            Answered::Unknown(why) => format!("unknown: {why}"),
        };
        let now = std::time::SystemTime::UNIX_EPOCH
            .elapsed()
            .unwrap_or_default();
        let seconds = now.as_millis() % 3_600_000;
        let call = format!(
            "{:02}:{:02}.{:03} {} {what}: {came}",
            seconds / 60_000,
            seconds / 1000 % 60,
            seconds % 1000,
            self.mark
        );
        self.note(|ledger| ledger.calls.push(call));
        if let Answered::No(code, message) = answered
            && matches!(
                code,
                ErrorCode::Internal | ErrorCode::Invalid | ErrorCode::NotFound | ErrorCode::Unknown
            )
        {
            self.fail(format!("{what}: {code}: {message}"));
        }
    }

    fn fail(&self, what: String) {
        self.note(|ledger| ledger.failures.push(what));
    }
}

/// Waits for an instant of the plan.
pub(crate) async fn reached(observer: &Observer, when: When) {
    let there = |events: &[Arc<Value>]| {
        let rests = journal::is_rest(journal::state(events));
        (rests || events.len() >= when.events).then_some(())
    };
    observer.until(INSTANT_MAX, there).await;
    tokio::time::sleep(Duration::from_millis(when.delay_ms)).await;
}

async fn settle(
    client: &Client,
    task: &TaskId,
    request: &Request,
    word: &str,
) -> Result<(), ClientError> {
    let id = &request.id;
    match request.asked_by {
        "question_asked" => {
            let answer = json!({"question_id": id, "answer": {"choices": [word]}});
            client.answer(task, &made::<AnswerRequest>(answer)).await
        }
        "approval_requested" => {
            let decision =
                json!({"approval_id": id, "decision": {"verdict": "allow", "scope": "once"}});
            client
                .decide(task, &made::<ApprovalRequest>(decision))
                .await
        }
        _ => {
            let decision = json!({"plan_id": id, "decision": {"verdict": "approve"}});
            client
                .decide_plan(task, &made::<PlanRequest>(decision))
                .await
        }
    }
    .map(drop)
}

/// A request as the typed client takes it.
///
/// # Panics
/// When it is none: the words are ours.
pub(crate) fn made<T: DeserializeOwned>(words: Value) -> T {
    let text = words.to_string();
    serde_json::from_value(words).unwrap_or_else(|error| panic!("{error}: {text}"))
}
