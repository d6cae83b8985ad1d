//! Real agents whose session files are deleted between two runs: each says so in its own way, and goes on
//! from a summary of the journal.

use std::fs;

use paddock_domain::{Body, CondensePolicy, ErrorClass, Event, Message, StateName, TurnOutcome};
use paddock_kit::Ask;

use super::world::World;

fn lost(event: &Event) -> bool {
    matches!(
        &event.body,
        Body::Error {
            class: ErrorClass::SessionLost,
            ..
        }
    )
}

fn condensed(event: &Event) -> bool {
    matches!(
        &event.body,
        Body::ContextCondensed {
            policy: CondensePolicy::SessionLost,
            summary_text: Some(_),
            ..
        }
    )
}

async fn hold(harness: &str, sessions: &str) -> anyhow::Result<()> {
    let world = World::new().await?;
    let ask = Ask::harness(harness, "Please remember the word heliotrope.")
        .in_a("worktree")
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let client = world.serve.client();
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    let home = world
        .serve
        .data()
        .join("boxes")
        .join(task.id().as_str())
        .join("home");
    fs::remove_dir_all(home.join(sessions))?;
    let asked_before = world.model.requests().len();

    let message = Message {
        input_id: None,
        text: "Now add the file. [[fake:tool file=made.txt]]".to_owned(),
        attachments: Vec::new(),
    };
    client.say(task.id(), &message).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let told = task.seen().iter().filter(|event| lost(event)).count();
    let begun = task.seen().iter().filter(|event| condensed(event)).count();
    assert_eq!((told, begun), (1, 1), "{harness}: {:?}", task.types());
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Add made.txt"]
    );
    let heard = world.model.requests().split_off(asked_before);
    let knows = heard
        .iter()
        .any(|request| request.body.to_string().contains("heliotrope"));
    assert!(knows, "{harness} was not told what was asked for before");
    let turns = task
        .types()
        .iter()
        .filter(|it| **it == "turn_finished")
        .count();
    assert_eq!(turns, 2, "{harness}: {:?}", task.types());
    Ok(())
}

#[tokio::test]
async fn real_claude_that_lost_its_session_goes_on_from_the_journal() -> anyhow::Result<()> {
    hold("claude", ".claude/projects").await
}

#[tokio::test]
async fn real_codex_that_lost_its_session_goes_on_from_the_journal() -> anyhow::Result<()> {
    hold("codex", ".codex/sessions").await
}
