//! What waits for its turn: tasks for a place, requests for an answer, a cursor for its server.

use paddock_api::ErrorCode;
use paddock_client::FeedItem;
use paddock_domain::{Body, Event, HostName, LineEnd, StateName};
use paddock_kit::{Ask, ServeOptions, Watch};

use super::waiting::{Gate, message, said, until_said};
use super::world::World;

#[tokio::test]
async fn a_request_repeated_with_its_key_creates_one_task_also_after_a_restart()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let ask = |text: &str| {
        Ask::scripted(text)
            .on(&world.repository)
            .with("request_key", "mine-1".into())
            .spec()
    };
    let spec = ask("say one");
    let client = world.serve.client();
    let (first, again) = tokio::join!(client.create(&spec), client.create(&spec));
    let (first, again) = (first?, again?);
    assert_eq!(first.task_id, again.task_id);
    let other = world
        .serve
        .client()
        .create(&ask("say two"))
        .await
        .unwrap_err();
    assert_eq!(other.code(), Some(ErrorCode::Conflict), "{other}");
    let mut task = Watch::new(world.serve.client().clone(), first.task_id.clone());
    task.until_turn_ends().await?;
    world
        .serve
        .client()
        .say(task.id(), &message("m1", "say three"))
        .await?;
    task.until_turn_ends().await?;

    let world = world.restart()?;
    let client = world.serve.client();
    assert_eq!(client.create(&spec).await?.task_id, first.task_id);
    assert_eq!(
        client
            .tasks(&paddock_api::TaskQuery::default())
            .await?
            .items
            .len(),
        1
    );
    // A message sent before the restart, repeated after it.
    client
        .say(&first.task_id, &message("m1", "say three"))
        .await?;
    client
        .say(&first.task_id, &message("m2", "say four"))
        .await?;
    let mut task = Watch::new(client.clone(), first.task_id);
    until_said(&mut task, "m2").await?;
    task.until_turn_ends().await?;
    assert_eq!(said(task.seen()), ["m1", "m2"]);
    Ok(())
}

#[tokio::test]
async fn tasks_wait_in_an_order_that_is_told_and_can_be_changed() -> anyhow::Result<()> {
    let options = ServeOptions::default().env("PADDOCK_LIMITS_PARALLEL_TASKS", "1");
    let world = World::with(options).await?;
    let client = world.serve.client();
    let gate = Gate::new(&world, "gate");
    let mut first = world.begin(&gate.step()).await?;
    first.until_state(StateName::Running).await?;
    let mut second = world.begin("say second").await?;
    let mut third = world.begin("say third").await?;
    second
        .until("a reason", |event| match &event.body {
            Body::Notice { text, .. } if text.contains("waits for a place") => Some(()),
            _ => None,
        })
        .await?;
    let place = client.place(third.id()).await?;
    assert_eq!(
        (place.position, place.of, place.limit, place.held),
        (2, 2, 1, 1)
    );
    assert_eq!(place.held_by[0].task_id, *first.id());
    assert!(place.reason.contains("2nd of 2"), "{}", place.reason);
    let listed = client
        .tasks(&paddock_api::TaskQuery::default())
        .await?
        .items;
    let listed = listed.iter().find(|task| task.task_id == *third.id());
    assert_eq!(listed.and_then(|task| task.place.as_deref()), Some(&place));

    let place = client.move_in_line(third.id(), LineEnd::Front).await?;
    assert_eq!(place.position, 1);
    let host = &client.hosts().await?[0];
    let line: Vec<_> = host.line.iter().map(|task| &task.task_id).collect();
    assert_eq!(line, [third.id(), second.id()]);
    gate.open();
    third.until_turn_ends().await?;
    second.until_turn_ends().await?;
    let begun = |task: &Watch| {
        let ran = |event: &&Event| event.body.type_name() == "run_started";
        task.seen().iter().find(ran).map(|event| event.ts)
    };
    assert!(begun(&third) < begun(&second));
    let refused = client
        .move_in_line(third.id(), LineEnd::Front)
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Conflict), "{refused}");
    Ok(())
}

#[tokio::test]
async fn the_limit_of_a_host_is_changed_while_tasks_wait() -> anyhow::Result<()> {
    let options = ServeOptions::default().env("PADDOCK_LIMITS_PARALLEL_TASKS", "1");
    let world = World::with(options).await?;
    let client = world.serve.client();
    let gate = Gate::new(&world, "gate");
    let mut first = world.begin(&gate.step()).await?;
    first.until_state(StateName::Running).await?;
    let mut second = world.begin("say second").await?;
    client.place(second.id()).await?;
    let view = client.set_parallel_tasks(&HostName::local(), 2).await?;
    assert_eq!(view.parallel_tasks, 2);
    second.until_turn_ends().await?;
    let refused = client
        .set_parallel_tasks(&HostName::local(), 0)
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Invalid), "{refused}");
    gate.open();
    first.until_turn_ends().await?;
    Ok(())
}

#[tokio::test]
async fn a_cursor_of_all_tasks_goes_on_behind_a_killed_server() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut all = world.serve.client().all_events(None);
    while !matches!(all.next().await?, FeedItem::Ready) {}
    let mut task = world.begin("say one\nsay two").await?;
    let mut told = Vec::new();
    while told.len() < 4 {
        if let FeedItem::Event(event) = all.next().await? {
            told.push(event.parse()?.seq);
        }
    }
    let cursor = all.cursor().map(str::to_owned);
    task.until_turn_ends().await?;
    drop(all);
    let id = task.id().clone();
    let world = world.restart()?;
    world
        .serve
        .client()
        .say(&id, &message("m1", "say three"))
        .await?;
    let mut task = Watch::new(world.serve.client().clone(), id);
    until_said(&mut task, "m1").await?;
    task.until_turn_ends().await?;
    let last = task.seen().last().map_or(0, |event| event.seq);
    let mut all = world.serve.client().all_events(cursor);
    while told.last() != Some(&last) {
        match all.next().await? {
            FeedItem::Event(event) => told.push(event.parse()?.seq),
            FeedItem::Reset(reset) => anyhow::bail!("{reset:?}"),
            _ => {}
        }
    }
    assert_eq!(told, (1..=last).collect::<Vec<_>>(), "a gap or a repeat");
    Ok(())
}
