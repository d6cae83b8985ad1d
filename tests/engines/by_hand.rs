//! Containers that somebody handles past Paddock: restarted, renamed, removed, replaced. Each is
//! recognised and told, and there is a way back; nothing of the work is lost.

use paddock_domain::{Body, Event, LinkState, Message, StateName, TurnOutcome};
use paddock_kit::{Ask, Watch, until_link};

use super::world::World;

/// A task in a container that has left an uncommitted file and rests.
async fn at_rest(world: &World) -> anyhow::Result<(Watch, String)> {
    let ask = Ask::harness("scripted", "remember me\nwrite kept.txt kept")
        .in_a("container")
        .boxed("network", "none".into())
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    let outcome = task.until_turn_ends().await?;
    assert_eq!(outcome, TurnOutcome::Completed, "{:?}", task.seen());
    let name = task.task().await?.box_name.unwrap_or_default();
    Ok((task, name))
}

fn docker(args: &[&str]) -> anyhow::Result<String> {
    let done = std::process::Command::new("docker").args(args).output()?;
    let said = String::from_utf8_lossy(&done.stderr);
    anyhow::ensure!(done.status.success(), "docker {args:?}: {said}");
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

fn reads_the_file(event: &Event) -> Option<()> {
    let Body::ToolCallFinished(call) = &event.body else {
        return None;
    };
    let output = call.output.as_deref().unwrap_or_default();
    output.contains("kept").then_some(())
}

/// Says something to the task; its agent still knows what it was told and sees its file.
async fn hold_goes_on(world: &World, task: &mut Watch) -> anyhow::Result<()> {
    let message = Message {
        input_id: None,
        text: "recall\nread kept.txt".to_owned(),
        attachments: Vec::new(),
    };
    world.serve.client().say(task.id(), &message).await?;
    task.until("the file", reads_the_file).await?;
    task.until_state(StateName::Waiting).await?;
    assert!(task.said().contains("Remembered: me"), "{}", task.said());
    Ok(())
}

async fn purge(task: &mut Watch) -> anyhow::Result<()> {
    task.purge().await?;
    let label = format!("label=dev.paddock.task={}", task.id());
    let left = docker(&["ps", "-aq", "--filter", &label])?;
    assert_eq!(left, "", "a container is left");
    Ok(())
}

#[tokio::test]
async fn one_that_is_restarted_by_hand_stops_its_task_and_is_gone_on_with_in_a_container()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let (mut task, name) = at_rest(&world).await?;
    docker(&["restart", "--time", "1", &name])?;
    task.until_state(StateName::Stopped).await?;
    hold_goes_on(&world, &mut task).await?;
    purge(&mut task).await
}

#[tokio::test]
async fn one_that_is_removed_by_hand_says_so_and_is_made_again_in_a_container() -> anyhow::Result<()>
{
    let world = World::new().await?;
    let (mut task, name) = at_rest(&world).await?;
    docker(&["rm", "--force", &name])?;
    task.until_state(StateName::Stopped).await?;
    let link = world.serve.client().task(task.id()).await?.link;
    assert_eq!(link.state, LinkState::Ended, "{link:?}");
    hold_goes_on(&world, &mut task).await?;
    purge(&mut task).await
}

#[tokio::test]
async fn one_that_is_renamed_by_hand_is_found_by_its_labels_in_a_container() -> anyhow::Result<()> {
    let world = World::new().await?;
    let (mut task, name) = at_rest(&world).await?;
    let other = format!("renamed-{name}");
    docker(&["rename", &name, &other])?;
    // Connected, it goes on as before; and when it is stopped, it is found again.
    hold_goes_on(&world, &mut task).await?;
    docker(&["kill", &other])?;
    task.until_state(StateName::Stopped).await?;
    hold_goes_on(&world, &mut task).await?;
    let running = docker(&["inspect", "--format", "{{.State.Running}}", &other])?;
    assert_eq!(running, "true");
    purge(&mut task).await
}

#[tokio::test]
async fn one_that_only_has_the_name_is_left_alone_and_told_in_a_container() -> anyhow::Result<()> {
    let world = World::new().await?;
    let (mut task, name) = at_rest(&world).await?;
    docker(&["rm", "--force", &name])?;
    task.until_state(StateName::Stopped).await?;
    docker(&[
        "run",
        "--detach",
        "--network",
        "none",
        "--name",
        &name,
        "paddock-test:tiny",
        "sleep",
        "600",
    ])?;
    let foreign = docker(&["inspect", "--format", "{{.Id}}", &name])?;
    world.serve.client().revive(task.id()).await?;
    task.until_state(StateName::Crashed).await?;
    let failure = task
        .task()
        .await?
        .failure
        .unwrap_or_else(|| panic!("no failure is told"));
    assert!(
        failure.message.contains("rename or remove it"),
        "{}",
        failure.message
    );
    assert_eq!(docker(&["inspect", "--format", "{{.Id}}", &name])?, foreign);

    docker(&["rename", &name, &format!("foreign-{name}")])?;
    hold_goes_on(&world, &mut task).await?;
    purge(&mut task).await?;
    docker(&["rm", "--force", &foreign]).map(drop)
}

#[tokio::test]
async fn one_that_is_paused_by_hand_is_waited_for_and_goes_on_in_a_container() -> anyhow::Result<()>
{
    const LINES: usize = 60;
    let world = World::new().await?;
    let script = format!("say {LINES} lines of 30 bytes at 20 per second");
    let ask = Ask::harness("scripted", &script)
        .in_a("container")
        .boxed("network", "none".into())
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    task.until("some words", |event| {
        event.body.type_name().eq("assistant_message").then_some(())
    })
    .await?;
    let name = task.task().await?.box_name.unwrap_or_default();
    docker(&["pause", &name])?;
    let client = world.serve.client();
    until_link(client, task.id(), LinkState::Reconnecting).await?;
    docker(&["unpause", &name])?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let spoken = task
        .types()
        .iter()
        .filter(|it| **it == "assistant_message")
        .count();
    assert_eq!(spoken, LINES);
    purge(&mut task).await
}
