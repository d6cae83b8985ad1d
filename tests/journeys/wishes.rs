//! Wishes of users: another model, a context that is to be emptied. Each is said once, whatever breaks between its
//! acknowledgement and the agent.

use std::fs;
use std::path::Path;

use paddock_api::TuneRequest;
use paddock_domain::{Body, CondensePolicy, LinkState, StateName, TaskId};
use paddock_kit::{Watch, freeze, signal, until_link};

use super::links::relay_of;
use super::world::World;

/// The model that is wished for.
const MODEL: &str = "another";
/// What the agent is told of the wishes.
const KINDS: [&str; 2] = ["set_model", "clear"];

/// Wishes for another model.
async fn tune(world: &World, task: &TaskId) -> anyhow::Result<()> {
    let model = TuneRequest {
        model: Some(MODEL.to_owned()),
        ..TuneRequest::default()
    };
    world.serve.client().tune(task, &model).await?;
    Ok(())
}

/// Goes on until the agent has said of both that it is so.
async fn until_fulfilled(task: &mut Watch) -> anyhow::Result<()> {
    let (mut cleared, mut chosen) = (false, false);
    let fulfilled = task.until("what was wished for", |event| {
        match &event.body {
            Body::ContextCondensed { policy, .. } => cleared |= *policy == CondensePolicy::Cleared,
            Body::ModelSelected { model, .. } => chosen |= model == MODEL,
            _ => {}
        }
        (cleared && chosen).then_some(())
    });
    fulfilled.await
}

/// Holds that the agent was given each wish once, under whatever name, and that nobody was told otherwise.
async fn hold_said_once(world: &World, task: &mut Watch) -> anyhow::Result<()> {
    // Whatever was said twice has come when the turn after it is over.
    let client = world.serve.client();
    let words = serde_json::from_str(r#"{"text": "say Later."}"#)?;
    client.say(task.id(), &words).await?;
    task.until_turn_ends().await?;
    for kind in KINDS {
        assert_eq!(given(world, task.id(), kind)?, 1, "{kind}");
    }
    let types = task.types();
    let times = |name: &str| types.iter().filter(|it| **it == name).count();
    assert_eq!(times("context_condensed"), 1, "{types:?}");
    assert_eq!(times("condensing_wished"), 1, "{types:?}");
    assert_eq!(times("wish_failed"), 0, "{types:?}");
    Ok(())
}

/// How often the relay gave the agent a line of this type.
fn given(world: &World, task: &TaskId, kind: &str) -> anyhow::Result<usize> {
    let place = world.data().join("boxes").join(task.as_str());
    let mut log = String::new();
    read_below(&place.join("relay/runs"), &mut log)?;
    let asks = format!(r#"\"type\":\"{kind}\""#);
    let given = |line: &&str| line.starts_with(r#"{"k":"in""#) && line.contains(&asks);
    Ok(log.lines().filter(given).count())
}

fn read_below(dir: &Path, all: &mut String) -> anyhow::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            read_below(&path, all)?;
        } else if path.is_file() {
            all.push_str(&String::from_utf8_lossy(&fs::read(&path)?));
        }
    }
    Ok(())
}

#[tokio::test]
async fn wishes_taken_while_the_link_to_an_agent_at_rest_is_broken_are_said_when_it_is_reached()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut task = world.begin("say Here.").await?;
    task.until_state(StateName::Waiting).await?;
    let relay = relay_of(&world, task.id())?;
    freeze(relay).await?;
    // Nobody knows yet that the relay is silent: this goes into a connection that comes to nothing.
    tune(&world, task.id()).await?;
    until_link(client, task.id(), LinkState::Reconnecting).await?;
    client.clear(task.id()).await?;
    for kind in KINDS {
        assert_eq!(given(&world, task.id(), kind)?, 0, "{kind}");
    }
    signal(relay, "-CONT")?;
    until_fulfilled(&mut task).await?;
    hold_said_once(&world, &mut task).await
}

#[tokio::test]
async fn wishes_that_were_acknowledged_just_before_a_crash_are_said_once_by_the_next_server()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say Here.").await?;
    task.until_state(StateName::Waiting).await?;
    let id = task.id().clone();
    // The relay stands still, so none of it has reached the agent when the server dies.
    let relay = relay_of(&world, &id)?;
    freeze(relay).await?;
    tune(&world, &id).await?;
    world.serve.client().clear(&id).await?;
    let world = world.restart()?;
    for kind in KINDS {
        assert_eq!(given(&world, &id, kind)?, 0, "{kind}");
    }
    signal(relay, "-CONT")?;
    let mut task = Watch::new(world.serve.client().clone(), id);
    until_fulfilled(&mut task).await?;
    hold_said_once(&world, &mut task).await
}
