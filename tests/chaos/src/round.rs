//! One round: begin the tasks, let everything happen at once, wait for rest, hold every promise, purge,
//! and hold that nothing is left.
//!
//! Invariant: every wait has a bound, and a wait that runs out is a violation.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use paddock_api::ErrorCode;
use paddock_client::{Client, FeedItem};
use paddock_kit::Ask;
use serde_json::{Value, json};

use crate::check::{self, Case, Checkout, Held, Violation, after_purge, processes_of_rest};
use crate::door::Answered;
use crate::fault;
use crate::journal::{self, kind, said, text};
use crate::lane::Stand;
use crate::observer::{Observer, Told};
use crate::plan::{Plan, Story, Strike};
use crate::user::{User, made, reached};

/// Longest time until a task rests when nothing breaks any more.
const REST_MAX: Duration = Duration::from_secs(45);
/// Longest time until the death of what was killed is noticed.
const NOTICED: Duration = Duration::from_secs(5);
/// Longest time until what was told is shown.
const SHOWN: Duration = Duration::from_secs(2);
/// Longest time until a purge is done.
const PURGE_MAX: Duration = Duration::from_secs(30);
/// Longest time that a history may take to be read.
const HISTORY_MAX: Duration = Duration::from_secs(20);
/// How often an agent may end before it says its last word: queued prompts may end it again.
const TRIES: usize = 5;

/// What came of a round.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) violations: Vec<Violation>,
    /// What struck, and whether there was anything to hit.
    pub(crate) struck: Vec<(Strike, bool)>,
    /// Lines that agents said, messages that they were given, commits, for the table.
    pub(crate) counts: Counts,
    pub(crate) took: Duration,
    /// What users asked and were answered; for people.
    pub(crate) calls: Vec<String>,
    /// Where all of it is kept.
    pub(crate) kept: Option<std::path::PathBuf>,
}

/// How much was held to its promise.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) tasks: u64,
    pub(crate) runs: u64,
    pub(crate) events: u64,
    pub(crate) lines: u64,
    pub(crate) messages: u64,
    pub(crate) answers: u64,
    pub(crate) wishes: u64,
    pub(crate) commits: u64,
}

impl Played {
    /// A round that could not be played to its end.
    pub(crate) fn broken(violation: Violation) -> Self {
        Self {
            violations: vec![violation],
            ..Self::default()
        }
    }
}

/// Plays `plan` on `stand`; files of the round lie in `dir`.
pub(crate) async fn play(stand: &Stand, plan: &Plan, dir: &Path) -> anyhow::Result<Played> {
    let begun = Instant::now();
    let (repository, remote) = stand.workshop.repository(dir)?;
    let checkout = Checkout::take(repository, remote)?;
    let mut users = Vec::new();
    for (n, story) in plan.stories.iter().enumerate() {
        let mark = format!("r{}t{n}", plan.number);
        users.push(begin(stand, story, &checkout, mark).await?);
    }
    let answering: Vec<_> = users
        .iter()
        .map(|user| {
            tokio::task::spawn_local({
                let user = user.clone();
                async move { user.answer_all().await }
            })
        })
        .collect();
    let acting = futures_util::future::join_all(users.iter().map(User::act));
    let (struck, _) = tokio::join!(strike_all(stand, plan, &users), acting);
    let mut played = Played {
        struck: struck?,
        ..Played::default()
    };
    let mut rounds = Vec::new();
    for user in &users {
        let (state, violations) = finish(stand, plan, user).await;
        played.violations.extend(violations);
        rounds.push((user, state));
    }
    answering.iter().for_each(tokio::task::JoinHandle::abort);
    let held = look(stand, &rounds, &checkout, &mut played).await?;
    played.violations.extend(checkout.check());
    if played.violations.is_empty() {
        purge(stand, &users, &mut played).await;
        for held in held {
            played.violations.extend(held.check_purged(&checkout));
        }
        played.violations.extend(checkout.check());
    }
    drop(rounds);
    played.calls = users.iter().flat_map(|user| user.ledger().calls).collect();
    drop(users);
    played.violations.extend(stand.grown().await);
    played.took = begun.elapsed();
    Ok(played)
}

async fn begin(
    stand: &Stand,
    story: &Story,
    checkout: &Checkout,
    mark: String,
) -> anyhow::Result<User> {
    let ask = Ask::harness(story.harness, &story.prompt)
        .in_a(story.in_a)
        .on(&checkout.repository);
    let spec = ask.spec();
    let door = stand.door();
    let created = door
        .once(async |client: Client| client.create(&spec).await)
        .await;
    let Answered::Yes(task) = created else {
        bail!("a task cannot be created: {created:?}");
    };
    let observer = Observer::of(task.task_id, door.clone());
    Ok(User::new(door, Arc::new(observer), story.clone(), mark))
}

/// Lets everything break that the plan has, each at its instant.
async fn strike_all(
    stand: &Stand,
    plan: &Plan,
    users: &[User],
) -> anyhow::Result<Vec<(Strike, bool)>> {
    let Some(first) = users.first() else {
        return Ok(Vec::new());
    };
    let strikes = plan
        .strikes
        .iter()
        .enumerate()
        .map(|(n, (when, strike))| async move {
            reached(first.observer(), *when).await;
            let victim = users.get(n % users.len()).unwrap_or(first);
            let hit = fault::strike(stand, victim.task().as_str(), *strike).await;
            hit.map(|hit| (*strike, hit))
                .with_context(|| strike.to_string())
        });
    futures_util::future::join_all(strikes)
        .await
        .into_iter()
        .collect()
}

/// Waits until the task rests, has its agent say a last word, and waits until that has come.
async fn finish(stand: &Stand, plan: &Plan, user: &User) -> (String, Vec<Violation>) {
    let observer = user.observer();
    let mut found = Vec::new();
    for attempt in 1..=TRIES {
        let resting = observer.until(REST_MAX, rest).await;
        let Some(state) = resting else {
            found.push(stuck(observer, "it comes to no rest"));
            return (observer.state(), found);
        };
        found.extend(processes_if_still(stand, user, &state).await);
        if state == "failed" {
            if !plan
                .strikes
                .iter()
                .any(|(_, strike)| strike.can_fail_a_setup())
            {
                found.push(stuck(
                    observer,
                    "setting up failed, and nothing struck that",
                ));
            }
            return (state, found);
        }
        let id = format!("last-{}-{attempt}", user.task());
        let word = format!("last word {attempt}");
        let asked = if user.story().harness == "scripted" {
            format!("say {word}")
        } else {
            word.clone()
        };
        match user.say(&id, &asked).await {
            // It moved since it was seen to rest.
            Answered::No(ErrorCode::NotNow, _) => continue,
            Answered::No(code, message) => {
                let how = format!("a last word was refused: {code}: {message}");
                found.push(stuck(observer, &how));
                return (state, found);
            }
            Answered::Yes(()) | Answered::Unknown(_) => {}
        }
        match observer
            .until(REST_MAX, |events| last_word(events, &id, &word, user))
            .await
        {
            Some(true) => return ("waiting".to_owned(), found),
            Some(false) => {}
            None => {
                found.push(stuck(observer, "the last word does not come"));
                return (observer.state(), found);
            }
        }
    }
    found.push(stuck(observer, "its agent ends again and again"));
    (observer.state(), found)
}

/// The state of a task that rests: nothing is asked, and it goes nowhere by itself. One that is stopped
/// rests when its run has ended.
fn rest(events: &[Arc<Value>]) -> Option<String> {
    let state = journal::state(events);
    if state != "waiting" && journal::has_open_run(events) {
        return None;
    }
    (journal::is_rest(state) && journal::open_requests(events).is_empty()).then(|| state.to_owned())
}

/// Whether the last word `id` was answered and the task rests after it; no, when the run ended before.
fn last_word(events: &[Arc<Value>], id: &str, word: &str, user: &User) -> Option<bool> {
    let ours = |event: &Arc<Value>| kind(event) == "user_message" && text(event, "input_id") == id;
    let since = events.iter().position(ours)?;
    let after = &events[since..];
    let state = rest(events)?;
    let answered = after.iter().position(|event| {
        let scripted = user.story().harness == "scripted";
        kind(event) == "assistant_message" && (!scripted || said(event) == word)
    });
    match (answered, state.as_str()) {
        (Some(at), "waiting") => {
            let ended = |event: &Arc<Value>| kind(event) == "turn_finished";
            after[at..].iter().any(ended).then_some(true)
        }
        (_, "waiting") => None,
        _ => {
            // Our own message revived it: what came before that does not count.
            let ended = |event: &Arc<Value>| matches!(kind(event), "run_ended" | "error");
            after.iter().any(ended).then_some(false)
        }
    }
}

/// Looks at the processes of a task at rest, unless it moved meanwhile, told yet or not. What was killed a
/// moment ago may not be noticed yet: then the state follows within [`NOTICED`].
async fn processes_if_still(stand: &Stand, user: &User, state: &str) -> Vec<Violation> {
    let (observer, dir) = (user.observer(), stand.box_dir(user.task().as_str()));
    let before = observer.events().len();
    let begun = Instant::now();
    loop {
        let found = processes_of_rest(user.task().as_str(), &dir, state);
        let moved = observer.events().len() != before;
        if found.is_empty() || moved {
            return Vec::new();
        }
        let is_alive = state == "waiting";
        if !is_alive && has_moved(stand, user, before).await {
            return Vec::new();
        }
        if !is_alive || begun.elapsed() > NOTICED {
            return found;
        }
        let more = |events: &[Arc<Value>]| (events.len() != before).then_some(());
        observer.until(Duration::from_millis(50), more).await;
    }
}

/// Whether the server knows of more events of the task than the `seen` ones that were told.
async fn has_moved(stand: &Stand, user: &User, seen: usize) -> bool {
    let task = user.task();
    let call = async |client: Client| client.task(task).await;
    let Answered::Yes(task) = stand.door().ask(call).await else {
        return false;
    };
    usize::try_from(task.last_seq).is_ok_and(|last| last > seen)
}

fn stuck(observer: &Observer, what: &str) -> Violation {
    let events = observer.events();
    let last = events.iter().rev().take(3).rev();
    let last: Vec<String> = last
        .map(|event| event.to_string().chars().take(300).collect())
        .collect();
    let how = format!(
        "{what}; it is {}, last: {}",
        observer.state(),
        last.join(" ")
    );
    Violation::of("a task comes to rest, and goes on when it is told to", how)
}

/// Holds what was promised of tasks that stand.
async fn look(
    stand: &Stand,
    rounds: &[(&User, String)],
    checkout: &Checkout,
    played: &mut Played,
) -> anyhow::Result<Vec<Held>> {
    let mut all = Vec::new();
    for (user, state) in rounds {
        let task = user.task().as_str();
        let dir = stand.box_dir(task);
        if let Some(complaint) = user.observer().complaint() {
            played
                .violations
                .push(Violation::of("a stream tells each event once", complaint));
        }
        let case = Case::gather(user, history(stand, user).await?, &stand.settings.data);
        played.violations.extend(check::task(&case, state));
        played
            .violations
            .extend(same_state(stand, user, state).await);
        let held = Held::of(&case, task);
        if state != "failed" {
            let wrong = processes_if_still(stand, user, state).await;
            played.violations.extend(wrong);
            played
                .violations
                .extend(brought_out(&held, checkout, &dir).await);
        }
        played.counts.add(&case, &held);
        all.push(held);
    }
    Ok(all)
}

/// Holds that what was made is there. A turn that ran while nobody was connected ends in the state that it
/// began in: then its commits are on their way for a moment.
async fn brought_out(held: &Held, checkout: &Checkout, dir: &Path) -> Vec<Violation> {
    let begun = Instant::now();
    loop {
        let found = held.check_standing(checkout, dir);
        if found.is_empty() || begun.elapsed() > NOTICED {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// What the server says of the task is what its journal says.
async fn same_state(stand: &Stand, user: &User, state: &str) -> Option<Violation> {
    let task = user.task();
    let begun = Instant::now();
    loop {
        let call = async |client: Client| client.task(task).await;
        let how = match stand.door().ask(call).await {
            Answered::Yes(shown) if shown.state.as_str() == state => return None,
            Answered::Yes(shown) => {
                format!(
                    "{} is shown, the journal says {state}",
                    shown.state.as_str()
                )
            }
            other @ (Answered::No(..) | Answered::Unknown(_)) => format!("{other:?}"),
        };
        // What is shown may be a moment behind what is told.
        if begun.elapsed() > SHOWN {
            return Some(Violation::of("a state is true", how));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// All events of a task, read anew.
async fn history(stand: &Stand, user: &User) -> anyhow::Result<Vec<Told>> {
    let client = stand.door().client();
    let mut feed = client.events(user.task(), 0);
    let mut told = Vec::new();
    let reading = async {
        loop {
            match feed.next().await? {
                FeedItem::Event(line) => told.push(Told {
                    event: Arc::new(serde_json::from_str(&line.json)?),
                    json: line.json,
                }),
                FeedItem::Ready => return anyhow::Ok(()),
                FeedItem::Delta(_)
                | FeedItem::Link(_)
                | FeedItem::Statistics(_)
                | FeedItem::Reset(_)
                | FeedItem::Reconnecting { .. } => {}
            }
        }
    };
    tokio::time::timeout(HISTORY_MAX, reading)
        .await
        .context("a history cannot be read")??;
    Ok(told)
}

/// Purges every task and holds that nothing of it is left.
async fn purge(stand: &Stand, users: &[User], played: &mut Played) {
    let mut gone = Vec::new();
    for user in users {
        let (task, observer) = (user.task(), user.observer());
        let asked = made(json!({"force": true, "now": true}));
        let call = async |client: Client| client.purge(task, &asked).await;
        let begun = Instant::now();
        let answered = loop {
            let answered = stand.door().ask(&call).await;
            // Nothing is removed while it cannot be kept: a box that is just lost or found again.
            let not_yet = matches!(answered, Answered::No(ErrorCode::WouldLose, _));
            if !not_yet || begun.elapsed() > PURGE_MAX {
                break answered;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        let purged = |events: &[Arc<Value>]| (journal::state(events) == "purged").then_some(());
        if observer.until(PURGE_MAX, purged).await.is_none() {
            let how = format!("the purge was answered with {answered:?}, and it is not purged");
            played.violations.push(stuck(observer, &how));
            continue;
        }
        gone.push(task.as_str().to_owned());
    }
    let left = after_purge(&stand.settings, &stand.baseline, &gone);
    played.violations.extend(left);
    if let Some(engine) = &stand.engine {
        let engine = engine.lock().await;
        for task in &gone {
            let left = match engine.containers(task).await {
                Ok(left) => left.iter().map(|id| format!("container {id}")).collect(),
                Err(error) => vec![format!("the engine cannot be asked: {error:#}")],
            };
            let left = left.into_iter();
            played
                .violations
                .extend(left.map(|what| Violation::of("a purge leaves nothing", what)));
        }
    }
}

impl Counts {
    fn add(&mut self, case: &Case, held: &Held) {
        let count = |all: usize| u64::try_from(all).unwrap_or_default();
        self.tasks += 1;
        self.runs += count(case.account.runs.len());
        self.events += count(case.history.len());
        self.lines += count(case.account.runs.iter().map(|run| run.outs().count()).sum());
        self.messages += count(case.ledger.said.len() + 1);
        self.answers += count(case.ledger.answers.len());
        self.wishes += count(case.ledger.wishes.len());
        self.commits += count(held.commits());
    }

    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            tasks: self.tasks + other.tasks,
            runs: self.runs + other.runs,
            events: self.events + other.events,
            lines: self.lines + other.lines,
            messages: self.messages + other.messages,
            answers: self.answers + other.answers,
            wishes: self.wishes + other.wishes,
            commits: self.commits + other.commits,
        }
    }
}
