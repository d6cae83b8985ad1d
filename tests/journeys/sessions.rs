//! What a task goes on with when its agent's memory is lost, or its whole box.

use std::fs;
use std::path::PathBuf;

use paddock_domain::{
    Body, CondensePolicy, ErrorClass, Event, LinkState, Message, StateName, TaskId, TurnOutcome,
};
use paddock_kit::{Watch, freeze, signal};

use super::world::World;

fn say(text: &str) -> Message {
    Message {
        input_id: None,
        text: text.to_owned(),
        attachments: Vec::new(),
    }
}

fn box_of(world: &World, task: &TaskId) -> PathBuf {
    world.data().join("boxes").join(task.as_str())
}

/// The summary that a new session was begun with.
fn brief(event: &Event) -> Option<String> {
    if let Body::ContextCondensed {
        policy: CondensePolicy::SessionLost,
        summary_text,
        ..
    } = &event.body
    {
        return summary_text.clone();
    }
    None
}

fn count(task: &Watch, name: &str) -> usize {
    task.types().iter().filter(|it| **it == name).count()
}

/// Everything that was said to any run in the task's box.
fn heard(world: &World, task: &TaskId) -> anyhow::Result<String> {
    let mut all = String::new();
    for run in fs::read_dir(box_of(world, task).join("relay/runs"))?.flatten() {
        all += &fs::read_to_string(run.path().join("log.jsonl"))?;
    }
    Ok(all)
}

#[tokio::test]
async fn an_agent_that_lost_its_session_goes_on_from_the_journal_and_hears_each_message_once()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin(
            "remember the colour is blue\nsay I have begun.\nwrite a.txt a\ncommit The first step",
        )
        .await?;
    task.until_turn_ends().await?;
    world.serve.client().stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    fs::remove_dir_all(box_of(&world, task.id()).join("home/.scripted/sessions"))?;

    let message = say("write b.txt b\ncommit The second step\nsay Went on.");
    world.serve.client().say(task.id(), &message).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let lost = |event: &Event| {
        matches!(
            &event.body,
            Body::Error {
                class: ErrorClass::SessionLost,
                ..
            }
        )
    };
    assert_eq!(task.seen().iter().filter(|event| lost(event)).count(), 1);
    let briefs: Vec<String> = task.seen().iter().filter_map(brief).collect();
    let [brief] = briefs.as_slice() else {
        panic!("{briefs:?}")
    };
    for part in ["remember the colour", "I have begun.", "The first step"] {
        assert!(brief.contains(part), "{part} is not in: {brief}");
    }
    assert!(!brief.contains("The second step"), "{brief}");
    assert!(task.said().contains("Went on."), "{}", task.said());
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["The second step", "The first step"]
    );
    // Said once, with the summary before it; no turn was lost over it and nobody saw a crash.
    let heard = heard(&world, task.id())?;
    assert_eq!(heard.matches("The user says now").count(), 1, "{heard}");
    assert_eq!(count(&task, "turn_finished"), 2, "{:?}", task.types());
    assert_eq!(count(&task, "user_message"), 2);
    let crashed = |event: &Event| {
        matches!(
            &event.body,
            Body::StateChanged {
                to: StateName::Crashed,
                ..
            }
        )
    };
    assert!(!task.seen().iter().any(crashed));
    assert!(!task.task().await?.session_lost);

    // The new session is remembered like any other.
    world.serve.client().stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    world
        .serve
        .client()
        .say(task.id(), &say("say Third."))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(task.seen().iter().filter_map(self::brief).count(), 1);
    Ok(())
}

#[tokio::test]
async fn a_revival_without_a_message_keeps_the_summary_for_the_first_one_over_a_restart()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say I have begun.").await?;
    task.until_turn_ends().await?;
    world.serve.client().stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    fs::remove_dir_all(box_of(&world, task.id()).join("home/.scripted/sessions"))?;
    world.serve.client().revive(task.id()).await?;
    task.until("a new session", brief).await?;
    task.until_state(StateName::Waiting).await?;
    let id = task.id().clone();

    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id);
    world
        .serve
        .client()
        .say(task.id(), &say("say Went on."))
        .await?;
    task.until("the answer", |event| {
        let Body::AssistantMessage { blocks, .. } = &event.body else {
            return None;
        };
        let went_on = blocks
            .iter()
            .any(|block| block.content.contains("Went on."));
        went_on.then_some(())
    })
    .await?;
    let heard = heard(&world, task.id())?;
    assert_eq!(heard.matches("The user says now").count(), 1, "{heard}");
    assert_eq!(task.seen().iter().filter_map(brief).count(), 1);
    Ok(())
}

#[tokio::test]
async fn a_task_whose_box_was_moved_away_says_so_and_goes_on_in_a_new_one() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("write a.txt a\ncommit Kept on the branch")
        .await?;
    task.until_turn_ends().await?;
    let id = task.id().clone();
    let away = world.path("moved-away");
    fs::rename(box_of(&world, &id), &away)?;

    let world = world.restart()?;
    let client = world.serve.client();
    let mut task = Watch::new(client.clone(), id.clone());
    task.until_state(StateName::Stopped).await?;
    let shown = client.task(&id).await?;
    assert_eq!(shown.link.state, LinkState::Gone, "{:?}", shown.link);
    let reason = shown.link.reason.unwrap_or_default();
    assert!(reason.contains("new box from its branch"), "{reason}");

    client
        .say(
            &id,
            &say("read a.txt\nwrite b.txt b\ncommit In the new box"),
        )
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["In the new box", "Kept on the branch"]
    );
    assert_eq!(count(&task, "box_created"), 2);
    assert!(task.seen().iter().any(|event| brief(event).is_some()));
    assert_eq!(client.task(&id).await?.link.state, LinkState::Connected);
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_box_that_was_moved_away_and_put_back_is_gone_on_with() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("remember me\nwrite a.txt not committed")
        .await?;
    task.until_turn_ends().await?;
    let id = task.id().clone();
    let away = world.path("moved-away");
    fs::rename(box_of(&world, &id), &away)?;
    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id.clone());
    task.until_state(StateName::Stopped).await?;
    fs::rename(&away, box_of(&world, &id))?;
    world
        .serve
        .client()
        .say(&id, &say("recall\nread a.txt"))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(task.said().contains("Remembered: me"), "{}", task.said());
    assert!(!task.seen().iter().any(|event| brief(event).is_some()));
    Ok(())
}

#[tokio::test]
async fn a_box_and_a_branch_that_are_both_gone_are_told_with_the_way_back() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say Nothing to keep.").await?;
    task.until_turn_ends().await?;
    let id = task.id().clone();
    fs::rename(box_of(&world, &id), world.path("moved-away"))?;
    world.repository.git(&["branch", "-D", "paddock-0"])?;
    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id.clone());
    task.until_state(StateName::Stopped).await?;
    world.serve.client().revive(&id).await?;
    task.until_state(StateName::Crashed).await?;
    let failure = task.task().await?.failure.unwrap().message;
    assert!(failure.contains("git branch paddock-0"), "{failure}");
    let base = task.task().await?.repositories[0]
        .base_commit
        .clone()
        .unwrap();
    world.repository.git(&["branch", "paddock-0", &base])?;
    world
        .serve
        .client()
        .say(&id, &say("say Here again."))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    Ok(())
}

#[tokio::test]
async fn a_message_that_no_agent_got_is_told_after_the_revival_and_once() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say Here.").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let lock = box_of(&world, task.id()).join("relay/lock");
    let relay = fs::read_to_string(lock)?.trim().parse()?;
    // It stands still, so what is acknowledged now reaches nobody; then it is gone.
    freeze(relay).await?;
    client.say(task.id(), &say("say Heard at last.")).await?;
    signal(relay, "-KILL")?;
    task.until_state(StateName::Stopped).await?;
    let told = task.seen().iter().any(|event| {
        matches!(&event.body, Body::Notice { text, .. } if text.contains("before the agent got a message"))
    });
    assert!(told, "{:?}", task.types());

    client.revive(task.id()).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(
        task.said().matches("Heard at last.").count(),
        1,
        "{}",
        task.said()
    );
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    client.say(task.id(), &say("say And once.")).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(
        task.said().matches("Heard at last.").count(),
        1,
        "{}",
        task.said()
    );
    assert_eq!(count(&task, "user_message"), 3);
    Ok(())
}
