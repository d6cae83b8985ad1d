//! The real agents do real work in both kinds of box, and what they do looks the same.

use paddock_domain::{Body, Event, TurnOutcome};
use paddock_kit::Ask;

use super::world::World;

const PROMPT: &str = "Please add the file. [[fake:tool file=made.txt]]";

/// What comes when it comes, whoever works: progress of setting up, and figures that follow the work
/// tree. Everything else must be told alike.
const NOT_COMPARED: &[&str] = &["notice", "diff_stat"];

/// Plays the story in one box with one harness, and gives the event types it yields.
async fn play(harness: &str, kind: &str) -> anyhow::Result<Vec<&'static str>> {
    let world = World::new().await?;
    let before = world.repository.fingerprint()?;
    let ask = Ask::harness(harness, PROMPT)
        .in_a(kind)
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);

    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Add made.txt"]
    );
    assert_eq!(
        world.repository.git(&["show", "paddock-0:made.txt"])?,
        "made with a tool"
    );
    assert_eq!(
        world.repository.fingerprint()?,
        before,
        "the host's checkout was touched"
    );
    assert!(
        !world.model.requests().is_empty(),
        "the agent asked another model"
    );
    let failed = task.seen().iter().any(failed_call);
    assert!(!failed, "a tool call failed: {}", task.said());

    let types = task.types();
    task.purge().await?;
    Ok(types
        .into_iter()
        .filter(|name| !NOT_COMPARED.contains(name))
        .collect())
}

fn failed_call(event: &Event) -> bool {
    matches!(&event.body, Body::ToolCallFinished(call) if call.is_error)
}

#[tokio::test]
async fn real_claude_and_codex_tell_the_same_story_in_a_container_and_in_a_worktree()
-> anyhow::Result<()> {
    let one = play("claude", "container").await?;
    for (harness, kind) in [
        ("claude", "worktree"),
        ("codex", "container"),
        ("codex", "worktree"),
    ] {
        let other = play(harness, kind).await?;
        assert_eq!(
            other, one,
            "{harness} in a {kind} against claude in a container"
        );
    }
    Ok(())
}

#[tokio::test]
async fn real_claude_and_codex_tell_the_same_story_in_a_worktree() -> anyhow::Result<()> {
    assert_eq!(
        play("codex", "worktree").await?,
        play("claude", "worktree").await?
    );
    Ok(())
}
