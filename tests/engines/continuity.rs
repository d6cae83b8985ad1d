//! The server is killed in the middle of a real agent's turn and started again; the turn ends in the same
//! journal as if nothing had happened.
//!
//! Each test plays one story twice, once undisturbed and once with the kill, and compares the two journals
//! event by event. Only what cannot be the same of two tasks is masked: ids, times, commits and places. The
//! model must have been asked the same number of times: no request broke and was repeated.

use std::collections::HashMap;

use anyhow::Context;
use paddock_api::{AnswerRequest, ApprovalRequest};
use paddock_client::FeedItem;
use paddock_domain::{Answer, ApprovalScope, Body, Decision, Event, StateName, TurnOutcome};
use paddock_kit::{Ask, Watch};
use serde_json::Value;

use super::world::World;

/// What follows the work tree and comes when it comes, and the progress of setting up.
const NOT_COMPARED: &[&str] = &["diff_stat", "agent_offers", "context_measured"];

/// What a shell says of a command that was ended by a signal.
const ENDED: &str = "Terminated";

/// When the server is killed, and the story that is told meanwhile.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// While the agent's text streams: a request to the model is under way.
    Streaming,
    /// While a tool runs.
    InATool,
    /// While a question waits for its answer.
    Asked,
    /// While a permission waits for its decision.
    AskedLeave,
}

impl Moment {
    fn ask(self, harness: &str, kind: &str, world: &World) -> Ask {
        let (story, mode) = match self {
            Self::Streaming => ("slow delay=0.03", "full_auto"),
            Self::InATool => ("sleep s=4", "full_auto"),
            Self::Asked => ("ask", "full_auto"),
            Self::AskedLeave => ("danger", "ask"),
        };
        Ask::harness(harness, &format!("Please go on. [[fake:{story}]]"))
            .in_a(kind)
            .with("permission_mode", mode.into())
            .on(&world.repository)
    }

    /// Waits for it.
    async fn comes(self, world: &World, task: &mut Watch) -> anyhow::Result<()> {
        let wanted = match self {
            Self::Streaming => return streams(world, task).await,
            Self::InATool => "tool_call_started",
            Self::Asked => "question_asked",
            Self::AskedLeave => "approval_requested",
        };
        let is_wanted = |event: &Event| event.body.type_name().eq(wanted).then_some(());
        task.until(wanted, is_wanted).await?;
        match self {
            Self::Streaming | Self::InATool => Ok(()),
            // Else the reply may come before the state has followed.
            Self::Asked | Self::AskedLeave => task.until_state(StateName::Asking).await,
        }
    }

    /// Says what is waited for.
    async fn reply(self, world: &World, task: &mut Watch) -> anyhow::Result<()> {
        let client = world.serve.client();
        match self {
            Self::Streaming | Self::InATool => {}
            Self::Asked => {
                let open = task.task().await?.questions;
                let question_id = open.first().context("no question")?.question_id.clone();
                let answer = Answer {
                    choices: vec!["Blue".to_owned()],
                    text: None,
                };
                let request = AnswerRequest {
                    question_id,
                    answer,
                };
                client.answer(task.id(), &request).await?;
            }
            Self::AskedLeave => {
                let open = task.task().await?.approvals;
                let approval_id = open.first().context("no request")?.approval_id.clone();
                let decision = Decision::Allow {
                    scope: ApprovalScope::Once,
                    input: None,
                };
                let request = ApprovalRequest {
                    approval_id,
                    decision,
                    keep: None,
                };
                client.decide(task.id(), &request).await?;
            }
        }
        Ok(())
    }
}

/// Waits until some pieces of a message have come.
async fn streams(world: &World, task: &Watch) -> anyhow::Result<()> {
    const PIECES: usize = 8;
    let mut feed = world.serve.client().events(task.id(), 0);
    let pieces = async {
        let mut pieces = 0;
        while pieces < PIECES {
            pieces += usize::from(matches!(feed.next().await?, FeedItem::Delta(_)));
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), pieces).await?
}

/// Plays the story to its end, and gives its journal, masked, and how often the model was asked.
async fn play(
    harness: &str,
    kind: &str,
    moment: Moment,
    kill: bool,
) -> anyhow::Result<(Vec<String>, usize)> {
    let mut world = World::new().await?;
    let ask = moment.ask(harness, kind, &world);
    let mut task = world.serve.task(&ask).await?;
    moment.comes(&world, &mut task).await?;
    if kill {
        world = world.restart()?;
        task = Watch::new(world.serve.client().clone(), task.id().clone());
    }
    moment.reply(&world, &mut task).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let id = task.id().clone();
    let places = [
        (world.path(), "<world>"),
        (id.as_str().to_owned(), "<task>"),
    ];
    let mut mask = Mask::new(places.to_vec());
    for (place, event) in (1..).zip(task.seen()) {
        assert_eq!(event.seq, place, "a gap, or something twice");
    }
    let told = task
        .seen()
        .iter()
        .filter(|event| !NOT_COMPARED.contains(&event.body.type_name()))
        .filter(|event| !is_of_setup(&event.body));
    let told = told.map(|event| mask.event(event));
    let told = told.collect::<anyhow::Result<_>>()?;
    task.purge().await?;
    Ok((told, world.model.requests().len()))
}

/// Progress of setting up has its own pace: images and programs are there or not.
fn is_of_setup(body: &Body) -> bool {
    matches!(body, Body::Notice { phase: Some(_), .. })
}

/// Replaces what differs between two tasks that are alike.
struct Mask {
    places: Vec<(String, &'static str)>,
    ids: HashMap<String, usize>,
}

impl Mask {
    fn new(places: Vec<(String, &'static str)>) -> Self {
        Self {
            places,
            ids: HashMap::new(),
        }
    }

    fn event(&mut self, event: &Event) -> anyhow::Result<String> {
        let mut json = serde_json::to_value(event)?;
        self.value("", &mut json);
        Ok(json.to_string())
    }

    fn value(&mut self, key: &str, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                // Where it stands in the journal and in the agent's output, when it was, how long it took.
                for untold in ["seq", "ts", "source", "duration_ms"] {
                    fields.remove(untold);
                }
                for (key, value) in fields {
                    self.value(key, value);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(key, item)),
            Value::String(text)
                if key == "id" || key.ends_with("_id") || key == "agent_session" =>
            {
                let next = self.ids.len();
                let number = self.ids.entry(text.clone()).or_insert(next);
                *text = format!("#{number}");
            }
            Value::String(text) => *text = self.text(text),
            // Tokens are counted by the length of requests, in which paths and dates stand; by them goes an
            // estimated cost.
            Value::Number(_)
                if key.contains("token") || key.starts_with("context") || key == "usd" =>
            {
                *value = Value::Null
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (place, name) in &self.places {
            text = text.replace(place, name);
        }
        if text.contains(ENDED) {
            // The shell says so on its stderr, before or after what comes next on its stdout.
            text = [ENDED, "\n", "\\n"]
                .iter()
                .fold(text, |text, word| text.replace(word, ""));
        }
        let mut masked = String::new();
        for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
            let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            let is_number = bare.bytes().all(|b| b.is_ascii_digit());
            let is_hash = bare.len() >= 6 && bare.bytes().all(|b| b.is_ascii_hexdigit());
            // Measured times are among them: some agents tell them to their model.
            let is_masked = !bare.is_empty() && (is_number || is_hash);
            masked.push_str(if is_masked { "<#>" } else { bare });
            masked.push_str(&word[bare.len()..]);
        }
        masked
    }
}

/// Holds that the journal of a turn with a kill is that of one without.
async fn hold(harness: &str, kind: &str, moment: Moment) -> anyhow::Result<()> {
    let (undisturbed, asked) = play(harness, kind, moment, false).await?;
    let (killed, asked_again) = play(harness, kind, moment, true).await?;
    for (n, (one, other)) in undisturbed.iter().zip(&killed).enumerate() {
        assert_eq!(
            one, other,
            "event {n} of {undisturbed:#?}\nagainst {killed:#?}"
        );
    }
    assert_eq!(
        undisturbed.len(),
        killed.len(),
        "{undisturbed:#?}\nagainst {killed:#?}"
    );
    assert_eq!(asked, asked_again, "a request to the model was repeated");
    Ok(())
}

macro_rules! a_killed_server_changes_nothing {
    ($($name:ident: $harness:literal in a $kind:literal, $moment:ident;)*) => {$(
        #[tokio::test]
        async fn $name() -> anyhow::Result<()> {
            hold($harness, $kind, Moment::$moment).await
        }
    )*};
}

a_killed_server_changes_nothing! {
    real_claude_streams_on_through_a_kill_in_a_container: "claude" in a "container", Streaming;
    real_claude_works_on_through_a_kill_in_a_container: "claude" in a "container", InATool;
    real_claude_asks_on_through_a_kill_in_a_container: "claude" in a "container", Asked;
    real_claude_waits_for_leave_through_a_kill_in_a_container: "claude" in a "container", AskedLeave;
    real_claude_streams_on_through_a_kill_in_a_worktree: "claude" in a "worktree", Streaming;
    real_claude_works_on_through_a_kill_in_a_worktree: "claude" in a "worktree", InATool;
    real_claude_asks_on_through_a_kill_in_a_worktree: "claude" in a "worktree", Asked;
    real_codex_streams_on_through_a_kill_in_a_container: "codex" in a "container", Streaming;
    real_codex_works_on_through_a_kill_in_a_container: "codex" in a "container", InATool;
    real_codex_waits_for_leave_through_a_kill_in_a_container: "codex" in a "container", AskedLeave;
    real_codex_streams_on_through_a_kill_in_a_worktree: "codex" in a "worktree", Streaming;
    real_codex_works_on_through_a_kill_in_a_worktree: "codex" in a "worktree", InATool;
}
