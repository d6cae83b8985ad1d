//! Stop and revive, crash and restart, purge and undo: nothing costs a line of work.

use paddock_api::ErrorCode;
use paddock_domain::{Body, Event, Message, PurgeRequest, RunExit, StateName, TurnOutcome};
use paddock_kit::{ServeOptions, Watch};

use super::world::World;

fn say(text: &str) -> Message {
    Message {
        input_id: None,
        text: text.to_owned(),
        attachments: Vec::new(),
    }
}

fn run_exit(event: &Event) -> Option<RunExit> {
    if let Body::RunEnded { exit, .. } = &event.body {
        return Some(*exit);
    }
    None
}

#[tokio::test]
async fn a_stopped_task_is_revived_with_its_session() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("remember the colour is blue").await?;
    task.until_turn_ends().await?;
    world.serve.client().stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;

    world.serve.client().revive(task.id()).await?;
    task.until_state(StateName::Waiting).await?;
    world.serve.client().say(task.id(), &say("recall")).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(
        task.said().contains("Remembered: the colour is blue"),
        "{}",
        task.said()
    );
    Ok(())
}

#[tokio::test]
async fn a_message_to_a_stopped_task_revives_it() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("remember it").await?;
    task.until_turn_ends().await?;
    world.serve.client().stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    world.serve.client().say(task.id(), &say("recall")).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(task.said().contains("Remembered: it"), "{}", task.said());
    Ok(())
}

#[tokio::test]
async fn a_crash_in_mid_turn_ends_the_turn_and_keeps_the_box() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("write half.txt half\nstderr it is broken\ncrash 7")
        .await?;
    let exit = task.until("the end of the run", run_exit).await?;
    assert_eq!(exit, RunExit::Code { code: 7 });
    task.until_state(StateName::Crashed).await?;
    let seen = task.task().await?;
    assert_eq!(seen.last_outcome, Some(TurnOutcome::RunEnded));
    assert!(seen.turn.is_none());

    world
        .serve
        .client()
        .say(task.id(), &say("read half.txt\ncommit After the crash"))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let subjects = world.repository.subjects("main..paddock-0")?;
    assert_eq!(subjects, ["After the crash"], "{:?}", task.types());
    Ok(())
}

#[tokio::test]
async fn a_server_killed_in_mid_turn_goes_on_with_the_same_journal() -> anyhow::Result<()> {
    const LINES: usize = 150;
    let world = World::new().await?;
    let script = format!(
        "say {LINES} lines of 60 bytes at 100 per second\nwrite a.txt a\ncommit Through it all"
    );
    let mut task = world.begin(&script).await?;
    let mut heard = 0;
    task.until("some words", |event| {
        heard += usize::from(event.body.type_name() == "assistant_message");
        (heard == 20).then_some(())
    })
    .await?;
    let id = task.id().clone();
    let before: Vec<Event> = task.seen().to_vec();

    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id);
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(
        &task.seen()[..before.len()],
        &before[..],
        "what was told was told otherwise"
    );
    let spoken = task
        .types()
        .iter()
        .filter(|name| **name == "assistant_message")
        .count();
    assert_eq!(spoken, LINES);
    let numbers: Vec<u64> = task.seen().iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    assert_eq!(
        task.types()
            .iter()
            .filter(|name| **name == "run_started")
            .count(),
        1
    );
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Through it all"]
    );
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_purge_refuses_to_lose_work_and_can_be_undone() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write work.txt not committed").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let preview = client.purge_preview(task.id()).await?;
    assert!(!preview.uncommitted.is_empty(), "{preview:?}");
    let refused = client
        .purge(task.id(), &PurgeRequest::default())
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::WouldLose), "{refused}");

    client
        .purge(
            task.id(),
            &PurgeRequest {
                force: true,
                now: false,
                ..PurgeRequest::default()
            },
        )
        .await?;
    task.until_state(StateName::Purging).await?;
    client.restore(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    client.say(task.id(), &say("read work.txt")).await?;
    task.until_turn_ends().await?;
    let read = task.seen().iter().any(|event| {
        matches!(&event.body, Body::ToolCallFinished(call) if call.output.as_deref().is_some_and(|output| output.contains("not committed")))
    });
    assert!(read, "the work is gone: {:?}", task.types());
    Ok(())
}

#[tokio::test]
async fn a_forced_purge_leaves_a_snapshot_in_the_repository() -> anyhow::Result<()> {
    let world = World::with(ServeOptions::default().env("PADDOCK_PURGE_WINDOW_S", "0")).await?;
    let mut task = world.begin("write work.txt not committed").await?;
    task.until_turn_ends().await?;
    task.purge().await?;

    let trash = format!("refs/paddock/trash/{}", task.id());
    let refs = world
        .repository
        .git(&["for-each-ref", "--format=%(refname)", &trash])?;
    let first = refs.lines().next().unwrap_or_default().to_owned();
    assert!(!first.is_empty(), "no snapshot below {trash}");
    let files = world
        .repository
        .git(&["ls-tree", "-r", "--name-only", &first])?;
    assert!(files.contains("work.txt"), "{first}: {files}");
    let left = std::fs::read_dir(world.data().join("boxes")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "a box is left");
    world.hold_untouched();
    Ok(())
}
