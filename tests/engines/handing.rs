//! Forks and hand-offs with the real programs: whoever goes on knows what was said before, in its own
//! session where the program can copy one, in words where it cannot.

use paddock_domain::{
    Body, CondensePolicy, Contender, ForkRequest, HandOffRequest, HarnessName, Message, TurnOutcome,
};
use paddock_kit::{Ask, Watch};

use super::world::World;

/// What is said first, and nowhere else.
const SECRET: &str = "heliotrope";

fn codex() -> anyhow::Result<Contender> {
    Ok(Contender {
        harness: HarnessName::parse("codex")?,
        harness_version: None,
        model: None,
        effort: None,
    })
}

/// Begins a task that is told the word and commits `first.txt`.
async fn first(world: &World, harness: &str, kind: &str) -> anyhow::Result<Watch> {
    let prompt = format!("Remember the word {SECRET}. [[fake:tool file=first.txt]]");
    let ask = Ask::harness(harness, &prompt)
        .in_a(kind)
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    Ok(task)
}

/// Whether a request to the model that has `words` in it has the word that was said first in it too.
fn knows(world: &World, words: &str) -> bool {
    let requests = world.model.requests();
    let bodies = requests.iter().map(|request| request.body.to_string());
    let told: Vec<String> = bodies.filter(|body| body.contains(words)).collect();
    assert!(!told.is_empty(), "the model never heard of {words}");
    told.iter().any(|body| body.contains(SECRET))
}

/// How often it was told in words what had happened before, and that for this reason.
fn briefs(task: &Watch, wanted: CondensePolicy) -> usize {
    let is_one =
        |body: &Body| matches!(body, Body::ContextCondensed { policy, .. } if *policy == wanted);
    task.seen()
        .iter()
        .filter(|event| is_one(&event.body))
        .count()
}

/// Codex takes over from Claude Code in the same box.
async fn hand_over(kind: &str) -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut task = first(&world, "claude", kind).await?;
    let request = HandOffRequest {
        to: codex()?,
        reason: Some("the limit is near".to_owned()),
    };
    client.hand_off(task.id(), &request).await?;
    let message = Message {
        input_id: None,
        text: "Now the second. [[fake:tool file=second.txt]]".to_owned(),
        attachments: Vec::new(),
    };
    client.say(task.id(), &message).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Add second.txt", "Add first.txt"]
    );
    assert_eq!(briefs(&task, CondensePolicy::ProviderHandoff), 1);
    assert!(
        knows(&world, "Now the second."),
        "it was not told of before"
    );
    let boxes = task.types();
    let boxes = boxes.iter().filter(|name| **name == "box_created").count();
    assert_eq!(boxes, 1, "the box is the same");
    assert_eq!(task.task().await?.spec.harness.as_str(), "codex");
    task.purge().await
}

/// A fork on the same agent, or on another, beside the task that it was made of.
async fn fork(harness: &str, with: Option<Contender>) -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut parent = first(&world, harness, "worktree").await?;
    let own_session = with.is_none();
    let request = ForkRequest {
        prompt: "In the fork. [[fake:tool file=second.txt]]".to_owned(),
        attachments: Vec::new(),
        title: None,
        uncommitted: false,
        with,
        request_key: None,
    };
    let made = client.fork(parent.id(), &request).await?;
    let mut child = Watch::new(client.clone(), made.task_id);
    assert_eq!(child.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(knows(&world, "In the fork."), "it was not told of before");
    let told = usize::from(!own_session);
    assert_eq!(briefs(&child, CondensePolicy::Forked), told);
    let subjects = |branch: &str| world.repository.subjects(&format!("main..{branch}"));
    assert_eq!(subjects("paddock-1")?, ["Add second.txt", "Add first.txt"]);
    assert_eq!(subjects("paddock-0")?, ["Add first.txt"]);

    let message = Message {
        input_id: None,
        text: "In the first. [[fake:hello]]".to_owned(),
        attachments: Vec::new(),
    };
    client.say(parent.id(), &message).await?;
    assert_eq!(parent.until_turn_ends().await?, TurnOutcome::Completed);
    let heard = world.model.requests();
    let mixed = heard.iter().map(|request| request.body.to_string());
    let mixed =
        mixed.filter(|body| body.contains("In the first.") && body.contains("In the fork."));
    assert_eq!(mixed.count(), 0, "the first was told what its fork was");
    let (one, other) = (parent.task().await?, child.task().await?);
    assert_ne!(one.agent_session, other.agent_session);
    child.purge().await?;
    parent.purge().await
}

#[tokio::test]
async fn real_codex_goes_on_where_claude_left_off_in_one_worktree() -> anyhow::Result<()> {
    hand_over("worktree").await
}

#[tokio::test]
async fn real_codex_goes_on_where_claude_left_off_in_a_container() -> anyhow::Result<()> {
    hand_over("container").await
}

#[tokio::test]
async fn real_claude_is_forked_with_its_session() -> anyhow::Result<()> {
    fork("claude", None).await
}

#[tokio::test]
async fn real_codex_is_forked_with_its_session() -> anyhow::Result<()> {
    fork("codex", None).await
}

#[tokio::test]
async fn real_claude_is_forked_on_codex_in_words() -> anyhow::Result<()> {
    fork("claude", Some(codex()?)).await
}
