//! One harness in one kind of box, and how it tells each story.

mod offering;
mod truth;

use std::cell::RefCell;
use std::io::Write as _;
use std::path::Path;
use std::time::SystemTime;

use anyhow::Context as _;
use paddock_api::PlanRequest;
use paddock_api::{Abilities, AnswerRequest, ApprovalRequest, CompactRequest, InstallRequest};
use paddock_client::InstallItem;
use paddock_domain::{
    Answer, ApprovalId, ApprovalScope, Body, Decision, ErrorClass, Event, HarnessName, Message,
    PermissionMode, PlanDecision, StateName, TurnOutcome,
};
use paddock_kit::{Ask, Watch};
use serde_json::json;

use super::stories::{COMPARED, SAME, Story, UNTOLD};
use crate::world::World;

/// A picture of one colour, 16 points wide and high. Some programs look whether it is whole.
const PICTURE: &[u8] = &[
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 16, 0, 0, 0, 16, 8, 2,
    0, 0, 0, 144, 145, 104, 54, 0, 0, 0, 23, 73, 68, 65, 84, 120, 156, 99, 248, 207, 192, 64, 18,
    34, 77, 245, 168, 134, 81, 13, 67, 74, 3, 0, 144, 249, 255, 1, 249, 225, 250, 120, 0, 0, 0, 0,
    73, 69, 78, 68, 174, 66, 96, 130,
];

/// How often a sentence is said to make a long conversation: 30,000 tokens and more.
const MUCH: usize = 4_000;

/// One harness in one kind of box.
pub(crate) struct Pair<'w> {
    world: &'w World,
    harness: &'static str,
    version: String,
    named: Option<&'static str>,
    kind: &'static str,
    abilities: Abilities,
    /// What came of which story.
    told: RefCell<Vec<(Story, Result<(), &'static str>)>>,
}

impl<'w> Pair<'w> {
    pub(crate) async fn new(
        world: &'w World,
        harness: &'static str,
        named: Option<&'static str>,
        kind: &'static str,
    ) -> anyhow::Result<Self> {
        let client = world.serve.client();
        let name = HarnessName::parse(harness)?;
        if let Some(version) = named {
            let version = Some(version.to_owned());
            let mut feed = client.install(&name, &InstallRequest { version }).await?;
            while let InstallItem::Progress(_) = feed.next().await? {}
        }
        let views = client.harnesses().await?;
        let view = views.into_iter().find(|view| view.name == name);
        let view = view.context("it is not listed")?;
        let newest = view.versions.last().cloned().unwrap_or_default();
        Ok(Self {
            world,
            harness,
            version: named.map_or(newest, str::to_owned),
            named,
            kind,
            abilities: view.abilities,
            told: RefCell::default(),
        })
    }

    /// Whether it offers the story; where not, that is written down with its reason.
    pub(crate) fn offers(&self, story: Story) -> anyhow::Result<bool> {
        let untold = UNTOLD
            .iter()
            .find(|(harness, untold, _)| *harness == self.harness && *untold == story);
        let why = story
            .unoffered(&self.abilities)
            .or(untold.map(|(_, _, why)| *why));
        let Some(why) = why else { return Ok(true) };
        self.write(story, Err(why))?;
        Ok(false)
    }

    fn kept(&self, story: Story) -> anyhow::Result<()> {
        self.write(story, Ok(()))
    }

    fn write(&self, story: Story, result: Result<(), &'static str>) -> anyhow::Result<()> {
        self.told.borrow_mut().push((story, result));
        if let Some(path) = std::env::var_os("PADDOCK_CONTRACT") {
            let line = json!({
                "harness": self.harness, "version": self.version, "kind": self.kind,
                "story": story.name(), "not_offered": result.err(),
            });
            let mut file = std::fs::File::options()
                .create(true)
                .append(true)
                .open(path)?;
            file.write_all(format!("{line}\n").as_bytes())?;
        }
        Ok(())
    }

    /// Every story was told, or written down as not offered.
    pub(crate) fn nothing_is_left_out(&self) -> anyhow::Result<()> {
        for story in Story::ALL {
            let told = self.told.borrow().iter().any(|(told, _)| *told == story);
            anyhow::ensure!(
                told || !self.offers(story)?,
                "{} was not told",
                story.name()
            );
        }
        Ok(())
    }

    fn ask(&self, story: &str, mode: PermissionMode) -> anyhow::Result<Ask> {
        let prompt = format!("Please go. [[fake:{story}]]");
        let mut ask = Ask::harness(self.harness, &prompt)
            .with("permission_mode", serde_json::to_value(mode)?);
        let model = match self.harness {
            // It offers another set of tools to models that it knows, which the scripted one is not.
            "copilot" => Some("scripted"),
            // It shows pictures only to models that it knows to look at them; its default does not.
            "qwen" => Some("qwen3.7-plus"),
            _ => None,
        };
        if let Some(model) = model {
            ask = ask.with("model", model.into());
        }
        if let Some(version) = self.named {
            ask = ask.with("harness_version", version.into());
        }
        Ok(ask.in_a(self.kind).on(&self.world.repository))
    }

    async fn say(&self, task: &Watch, story: &str) -> anyhow::Result<()> {
        self.say_words(task, format!("Go on. [[fake:{story}]]"))
            .await
    }

    async fn say_words(&self, task: &Watch, text: String) -> anyhow::Result<()> {
        let message = Message {
            input_id: None,
            text,
            attachments: Vec::new(),
        };
        self.world.serve.client().say(task.id(), &message).await?;
        Ok(())
    }

    /// Says it, and gives what came of it until the turn ended as it should.
    async fn turn(
        &self,
        task: &mut Watch,
        story: &str,
        expected: TurnOutcome,
    ) -> anyhow::Result<Vec<Event>> {
        let before = task.seen().len();
        self.say(task, story).await?;
        ends(task, story, expected).await?;
        Ok(task.seen()[before..].to_vec())
    }

    /// One task that may do everything: most stories, one after the other.
    pub(crate) async fn talks(&self) -> anyhow::Result<()> {
        let ask = self.ask("hello", PermissionMode::FullAuto)?;
        let mut task = self.world.serve.task(&ask).await?;
        ends(&mut task, "hello", TurnOutcome::Completed).await?;
        let said = task.said();
        anyhow::ensure!(said.contains("Hello from the scripted model."), "{said}");
        self.kept(Story::Answer)?;
        let mut faults = Vec::new();
        faults.extend(self.tells_what_it_offers(&task).await.err());
        faults.extend(self.works(&mut task).await.err());
        if self.offers(Story::FailingCommand)? {
            faults.extend(self.tells_a_failing_command(&mut task).await.err());
        }
        if self.offers(Story::Image)? {
            faults.extend(self.sees_an_image(&mut task).await.err());
        }
        if self.offers(Story::Subagent)? {
            faults.extend(self.has_a_subagent(&mut task).await.err());
        }
        self.is_interrupted(&mut task).await?;
        self.goes_on_after_overload(&mut task).await?;
        faults.extend(self.tells_what_it_used(&task).await.err());
        if self.offers(Story::Clear)? {
            self.starts_anew(&mut task).await?;
        }
        if self.offers(Story::Compaction)? {
            self.condenses(&mut task).await?;
        }
        self.is_stopped_and_goes_on(&mut task).await?;
        task.purge().await?;
        match faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// A command, a file and a commit, a sentence before each.
    async fn works(&self, task: &mut Watch) -> anyhow::Result<()> {
        let seen = self
            .turn(task, "tool file=made.txt", TurnOutcome::Completed)
            .await?;
        let failed = seen.iter().any(failed_call);
        anyhow::ensure!(!failed, "a tool call failed: {}", calls(&seen));
        let branch = task.task().await?.repositories[0].branch.clone();
        let range = format!("main..{}", branch.unwrap_or_default());
        let subjects = self.world.repository.subjects(&range)?;
        anyhow::ensure!(subjects == ["Add made.txt"], "{subjects:?}");
        self.kept(Story::ToolTurn)?;
        if !self.offers(Story::SameKinds)? {
            return Ok(());
        }
        let types = seen.iter().map(|event| event.body.type_name());
        let types: Vec<_> = types.filter(|name| COMPARED.contains(name)).collect();
        anyhow::ensure!(types == SAME, "{types:?}");
        self.kept(Story::SameKinds)
    }

    /// Not every program calls a command that failed a failure; each says it one way.
    async fn tells_a_failing_command(&self, task: &mut Watch) -> anyhow::Result<()> {
        let seen = self.turn(task, "bashfail", TurnOutcome::Completed).await?;
        let finished = seen.iter().find_map(|event| match &event.body {
            Body::ToolCallFinished(call) => Some(call),
            _ => None,
        });
        let call = finished.context("no call was told")?;
        let output = call.output.as_deref().unwrap_or_default();
        let says = [
            "exit code: 3",
            "exit code 3",
            "Exit Code: 3",
            "code 3",
            "exit_code: 3",
        ];
        let told = call.is_error
            || call.exit_code == Some(3)
            || says.iter().any(|words| output.contains(words));
        anyhow::ensure!(told, "{call:?}");
        self.kept(Story::FailingCommand)
    }

    async fn sees_an_image(&self, task: &mut Watch) -> anyhow::Result<()> {
        let client = self.world.serve.client();
        let picture = client.upload("point.png", PICTURE.to_vec().into()).await?;
        let message = Message {
            input_id: None,
            text: "Look at this. [[fake:image]]".to_owned(),
            attachments: vec![picture],
        };
        client.say(task.id(), &message).await?;
        ends(task, "image", TurnOutcome::Completed).await?;
        let said = task.said();
        anyhow::ensure!(said.contains("I can see 1 image(s)."), "{said}");
        self.kept(Story::Image)
    }

    async fn has_a_subagent(&self, task: &mut Watch) -> anyhow::Result<()> {
        let seen = self.turn(task, "subagent", TurnOutcome::Completed).await?;
        let began = |event: &Event| matches!(event.body, Body::SubagentStarted { .. });
        anyhow::ensure!(seen.iter().any(began), "{}", calls(&seen));
        let over = |event: &Event| matches!(event.body, Body::SubagentFinished { .. });
        if !seen.iter().any(over) {
            task.until("the end of the sub-agent", |event| {
                over(event).then_some(())
            })
            .await?;
        }
        self.kept(Story::Subagent)
    }

    /// Twice; the run lives on and takes the next message each time.
    async fn is_interrupted(&self, task: &mut Watch) -> anyhow::Result<()> {
        let client = self.world.serve.client();
        self.say(task, "slow delay=0.25").await?;
        task.until_delta().await?;
        client.interrupt(task.id()).await?;
        ends(task, "slow", TurnOutcome::Interrupted).await?;
        self.turn(task, "hello", TurnOutcome::Completed).await?;
        self.kept(Story::InterruptWhileStreaming)?;

        self.say(task, "sleep s=120").await?;
        task.until("a command", |event| {
            matches!(event.body, Body::ToolCallStarted(_)).then_some(())
        })
        .await?;
        client.interrupt(task.id()).await?;
        ends(task, "sleep", TurnOutcome::Interrupted).await?;
        self.turn(task, "hello", TurnOutcome::Completed).await?;
        anyhow::ensure!(runs(task.seen()) == 1, "the run did not live on");
        self.kept(Story::InterruptInACommand)
    }

    async fn condenses(&self, task: &mut Watch) -> anyhow::Result<()> {
        // Some find nothing to condense in a short conversation.
        let much = "All work and no play makes a long talk. ".repeat(MUCH);
        self.say_words(task, format!("{much} [[fake:hello]]"))
            .await?;
        ends(task, "hello", TurnOutcome::Completed).await?;
        self.turn(task, "hello", TurnOutcome::Completed).await?;
        let client = self.world.serve.client();
        client
            .compact(task.id(), &CompactRequest::default())
            .await?;
        task.until("a condensed context", |event| {
            matches!(event.body, Body::ContextCondensed { .. }).then_some(())
        })
        .await?;
        self.kept(Story::Compaction)
    }

    /// Its session is the same afterwards, and its past is not told again.
    async fn is_stopped_and_goes_on(&self, task: &mut Watch) -> anyhow::Result<()> {
        if self.harness == "gemini" {
            // It keeps a session under the minute in which it began, and loses it to its own next start
            // in that minute.
            let story = format!("hang s={}", until_the_next_minute()?);
            self.turn(task, &story, TurnOutcome::Completed).await?;
        }
        let session = task.task().await?.agent_session;
        anyhow::ensure!(session.is_some(), "it names no session");
        self.world.serve.client().stop(task.id()).await?;
        task.until_state(StateName::Stopped).await?;
        let seen = self.turn(task, "hello", TurnOutcome::Completed).await?;
        let now = task.task().await?.agent_session;
        anyhow::ensure!(now == session, "{session:?} became {now:?}");
        let types = seen.iter().map(|event| event.body.type_name());
        let told: Vec<_> = types.filter(|name| COMPARED.contains(name)).collect();
        let answer = ["assistant_message", "usage_updated", "turn_finished"];
        anyhow::ensure!(told == answer, "{told:?}");
        self.kept(Story::Resume)
    }

    pub(crate) async fn tells_a_wrong_key(&self) -> anyhow::Result<()> {
        let ask = self.ask("err401", PermissionMode::FullAuto)?;
        let mut task = self.world.serve.task(&ask).await?;
        ends(&mut task, "err401", TurnOutcome::Failed).await?;
        let told = task.seen().iter().find_map(|event| match &event.body {
            Body::Error { class, message, .. } if *class == ErrorClass::Auth => Some(message),
            _ => None,
        });
        // Which key it was, and where it is set.
        let told = told.is_some_and(|words| words.contains("API_KEY of the environment"));
        anyhow::ensure!(told, "{:?}", task.seen());
        task.purge().await?;
        self.kept(Story::WrongKey)
    }

    /// What it asks for happens exactly when it is allowed, and as it is allowed.
    pub(crate) async fn asks_before_it_acts(&self) -> anyhow::Result<()> {
        let ask = self.ask("danger", PermissionMode::Ask)?;
        let mut task = self.world.serve.task(&ask).await?;
        let (made, edited) = ("made-by-bash.txt", "edited.txt");
        let deny = Decision::Deny {
            message: None,
            interrupt: false,
        };
        self.decides(&mut task, deny).await?;
        anyhow::ensure!(!self.exists(&task, made), "it was denied and done");
        self.kept(Story::ApprovalDenied)?;
        if self.offers(Story::ApprovalEdited)? {
            self.say(&task, "danger").await?;
            let input = json!({"command": format!("touch {edited}"), "description": "Edited"});
            let scope = ApprovalScope::Once;
            let input = Some(input);
            self.decides(&mut task, Decision::Allow { scope, input })
                .await?;
            anyhow::ensure!(self.exists(&task, edited), "what was edited was not done");
            anyhow::ensure!(!self.exists(&task, made), "what was not allowed was done");
            self.kept(Story::ApprovalEdited)?;
        }
        self.say(&task, "danger").await?;
        let (scope, input) = (ApprovalScope::Once, None);
        self.decides(&mut task, Decision::Allow { scope, input })
            .await?;
        anyhow::ensure!(self.exists(&task, made), "it was allowed and not done");
        self.kept(Story::ApprovalAllowed)?;
        task.purge().await
    }

    /// Waits for a request for a permission, decides it, and waits for the end of the turn.
    async fn decides(&self, task: &mut Watch, decision: Decision) -> anyhow::Result<()> {
        let approval = task.until("a request for a permission", asked).await?;
        self.decide(task, approval, decision).await?;
        task.until_turn_ends().await?;
        Ok(())
    }

    async fn decide(
        &self,
        task: &Watch,
        approval_id: ApprovalId,
        decision: Decision,
    ) -> anyhow::Result<()> {
        let request = ApprovalRequest {
            approval_id,
            decision,
            keep: None,
        };
        let client = self.world.serve.client();
        client.decide(task.id(), &request).await?;
        Ok(())
    }

    /// Whether a file of this name is in the box's work tree.
    fn exists(&self, task: &Watch, name: &str) -> bool {
        let place = self.world.serve.data().join("boxes");
        found_below(&place.join(task.id().as_str()), name, 6)
    }

    pub(crate) async fn asks_a_question(&self) -> anyhow::Result<()> {
        let ask = self.ask("ask", super::questioning(self.harness))?;
        let mut task = self.world.serve.task(&ask).await?;
        let question = task
            .until("a question", |event| match &event.body {
                Body::QuestionAsked(question) => Some(question.clone()),
                _ => None,
            })
            .await?;
        let request = AnswerRequest {
            question_id: question.question_id,
            answer: Answer {
                choices: vec!["Blue".to_owned()],
                text: None,
            },
        };
        let client = self.world.serve.client();
        client.answer(task.id(), &request).await?;
        ends(&mut task, "ask", TurnOutcome::Completed).await?;
        let said = task.said();
        anyhow::ensure!(said.contains("Blue"), "the answer did not arrive: {said}");
        task.purge().await?;
        self.kept(Story::Question)
    }

    /// Proposes a plan; carries it out exactly when it is approved.
    pub(crate) async fn plans(&self, approve: bool) -> anyhow::Result<()> {
        let ask = self.ask("plan", PermissionMode::Plan)?;
        let mut task = self.world.serve.task(&ask).await?;
        let plan_id = task
            .until("a plan", |event| match &event.body {
                Body::PlanProposed(plan) => Some(plan.plan_id.clone()),
                _ => None,
            })
            .await?;
        let decision = match approve {
            true => PlanDecision::Approve { text: None },
            false => PlanDecision::Reject { comment: None },
        };
        let client = self.world.serve.client();
        let request = PlanRequest { plan_id, decision };
        client.decide_plan(task.id(), &request).await?;
        self.until_rest(&mut task, approve).await?;
        let done = self.exists(&task, "planned.txt");
        anyhow::ensure!(done == approve, "approved: {approve}, carried out: {done}");
        task.purge().await?;
        self.kept(match approve {
            true => Story::PlanApproved,
            false => Story::PlanRejected,
        })
    }

    /// Decides whatever it still asks until the turn that carries the plan out, or does not, is over.
    async fn until_rest(&self, task: &mut Watch, allow: bool) -> anyhow::Result<()> {
        let mut resolved = false;
        loop {
            let next = task
                .until("the end of the turn", |event| match &event.body {
                    Body::PlanResolved { .. } => {
                        resolved = true;
                        None
                    }
                    Body::ApprovalRequested(approval) => Some(Some(approval.approval_id.clone())),
                    Body::TurnFinished { .. } if resolved => Some(None),
                    _ => None,
                })
                .await?;
            let Some(approval) = next else { return Ok(()) };
            let (scope, input) = (ApprovalScope::Once, None);
            let decision = match allow {
                true => Decision::Allow { scope, input },
                false => Decision::Deny {
                    message: None,
                    interrupt: true,
                },
            };
            self.decide(task, approval, decision).await?;
        }
    }
}

async fn ends(task: &mut Watch, story: &str, expected: TurnOutcome) -> anyhow::Result<()> {
    let outcome = task.until_turn_ends().await;
    let outcome = outcome.with_context(|| format!("the story `{story}`"))?;
    let told = calls(task.seen());
    anyhow::ensure!(outcome == expected, "`{story}` {outcome:?}: {told}");
    Ok(())
}

fn asked(event: &Event) -> Option<ApprovalId> {
    match &event.body {
        Body::ApprovalRequested(approval) => Some(approval.approval_id.clone()),
        _ => None,
    }
}

/// What was called, and what went wrong, for a failed test.
fn calls(seen: &[Event]) -> String {
    let shown = seen.iter().filter(|event| {
        matches!(
            event.body,
            Body::ToolCallStarted(_)
                | Body::ToolCallFinished(_)
                | Body::Error { .. }
                | Body::RunEnded { .. }
                | Body::SubagentStarted { .. }
        )
    });
    let shown = shown.map(|event| format!("{:?}\n", event.body));
    shown.collect()
}

fn failed_call(event: &Event) -> bool {
    matches!(&event.body, Body::ToolCallFinished(call) if call.is_error)
}

/// In seconds, and one more.
fn until_the_next_minute() -> anyhow::Result<u64> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    Ok(61 - now.as_secs() % 60)
}

fn runs(seen: &[Event]) -> usize {
    let started = |event: &&Event| matches!(event.body, Body::RunStarted { .. });
    seen.iter().filter(started).count()
}

fn found_below(dir: &Path, name: &str, depth: usize) -> bool {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        entry.file_name() == name
            || (is_dir && depth > 0 && found_below(&entry.path(), name, depth - 1))
    })
}
