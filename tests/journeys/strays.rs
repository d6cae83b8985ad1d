//! What a new life finds that belongs to nobody: boxes without a task, another server, tasks of long ago.

use std::fs;

use paddock_api::{ErrorCode, RemoveOrphanRequest, TaskQuery};
use paddock_client::FeedItem;
use paddock_domain::{HostName, Message, StateName, TaskId, TurnOutcome};
use paddock_kit::{Serve, ServeOptions, Watch};

use super::world::World;

/// Kills the server, loses the journal of `task`, and starts the next.
fn lose_journal(mut world: World, task: &TaskId) -> anyhow::Result<World> {
    world.serve.kill()?;
    fs::remove_dir_all(world.data().join("tasks").join(task.as_str()))?;
    world.restart()
}

async fn loaded(world: &World) -> anyhow::Result<()> {
    while world.serve.client().health().await?.loading {
        tokio::task::yield_now().await;
    }
    Ok(())
}

#[tokio::test]
async fn a_box_without_a_task_is_shown_taken_in_and_gone_on_with() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("remember me\nsay Before.\nwrite a.txt a\ncommit Before the loss")
        .await?;
    task.until_turn_ends().await?;
    let id = task.id().clone();
    let world = lose_journal(world, &id)?;
    loaded(&world).await?;
    let (client, host) = (world.serve.client(), HostName::local());
    let hosts = client.hosts().await?;
    assert_eq!(hosts[0].orphans.len(), 1, "{hosts:?}");
    let [orphan] = &client.orphans(&host).await?[..] else {
        panic!("not one orphan")
    };
    assert_eq!(
        (&orphan.task_id, orphan.adoptable),
        (&id, true),
        "{orphan:?}"
    );
    assert!(
        orphan.advice.contains("paddock orphans adopt"),
        "{}",
        orphan.advice
    );

    client.adopt_orphan(&host, &id).await?;
    let mut task = Watch::new(client.clone(), id.clone());
    task.until_state(StateName::Waiting).await?;
    // The living agent's own log tells what it said.
    assert!(task.said().contains("Before."), "{}", task.said());
    assert_eq!(
        task.task().await?.repositories[0].branch.as_deref(),
        Some("paddock-0")
    );
    let message = Message {
        input_id: None,
        text: "recall\nwrite b.txt b\ncommit After the loss".to_owned(),
        attachments: Vec::new(),
    };
    client.say(&id, &message).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(task.said().contains("Remembered: me"), "{}", task.said());
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["After the loss", "Before the loss"]
    );
    assert_eq!(client.orphans(&host).await?, []);
    let again = client.adopt_orphan(&host, &id).await.unwrap_err();
    assert_eq!(again.code(), Some(ErrorCode::NotFound), "{again}");
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_box_without_a_task_is_removed_when_asked_for_and_its_work_is_in_the_trash()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write work.txt not committed").await?;
    task.until_turn_ends().await?;
    let id = task.id().clone();
    let world = lose_journal(world, &id)?;
    let (client, host) = (world.serve.client(), HostName::local());
    client
        .remove_orphan(&host, &id, &RemoveOrphanRequest::default())
        .await?;
    let mut task = Watch::new(client.clone(), id.clone());
    task.until_state(StateName::Purged).await?;
    let trash = format!("refs/paddock/trash/{id}");
    let refs = world
        .repository
        .git(&["for-each-ref", "--format=%(refname)", &trash])?;
    let kept = refs.lines().any(|name| {
        let files = world
            .repository
            .git(&["ls-tree", "-r", "--name-only", name]);
        files.is_ok_and(|files| files.contains("work.txt"))
    });
    assert!(kept, "no snapshot with the work below {trash}: {refs}");
    assert!(!world.data().join("boxes").join(id.as_str()).exists());
    Ok(())
}

#[tokio::test]
async fn remains_that_cannot_be_looked_into_are_removed_by_force_alone() -> anyhow::Result<()> {
    let world = World::new().await?;
    let id = TaskId::parse("01remains")?;
    let dir = world.data().join("boxes").join(id.as_str());
    fs::create_dir_all(dir.join("work"))?;
    fs::write(dir.join("work/notes.txt"), "work")?;
    fs::write(dir.join("box.json"), "{ not a record")?;
    let (client, host) = (world.serve.client(), HostName::local());
    let [orphan] = &client.orphans(&host).await?[..] else {
        panic!("not one orphan")
    };
    assert!(!orphan.adoptable);
    let adopted = client.adopt_orphan(&host, &id).await.unwrap_err();
    assert_eq!(adopted.code(), Some(ErrorCode::Conflict), "{adopted}");
    let plain = RemoveOrphanRequest::default();
    let refused = client.remove_orphan(&host, &id, &plain).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::WouldLose), "{refused}");
    assert!(dir.join("work/notes.txt").exists());
    client
        .remove_orphan(&host, &id, &RemoveOrphanRequest { force: true })
        .await?;
    assert!(!dir.exists());
    Ok(())
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused_and_the_first_serves_on() -> anyhow::Result<()>
{
    let world = World::new().await?;
    let refused = Serve::launch(world.data(), ServeOptions::default()).unwrap_err();
    let said = format!("{refused:#}");
    assert!(
        said.contains("another server (process") && said.contains("use that one"),
        "{said}"
    );
    assert_eq!(world.serve.client().health().await?.status, "ok");
    let mut task = world.begin("say Undisturbed.").await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    Ok(())
}

/// A journal of a task that was created, thrown away and purged a year before anyone ran this.
fn write_old_journal(world: &World, id: &str) -> anyhow::Result<()> {
    let dir = world.data().join("tasks").join(id);
    fs::create_dir_all(&dir)?;
    let bodies = [
        r#""type":"session_started","task_description":"Long ago","coding_provider":"scripted","spec":{"prompt":"x","harness":"scripted"}"#,
        r#""type":"state_changed","from":"pending","to":"purging","on":"purge_requested""#,
        r#""type":"state_changed","from":"purging","to":"purged","on":"purge_done""#,
        r#""type":"session_ended","success":true,"reason":"purged","total_tool_calls":0,"total_turns":0"#,
    ];
    let lines = bodies.iter().zip(1..).map(|(body, seq)| {
        format!(
            "{{\"event_id\":\"e{seq}\",\"ts\":\"2025-11-01T00:00:0{seq}.000Z\",\"seq\":{seq},\"task_id\":\"{id}\",{body}}}\n"
        )
    });
    fs::write(dir.join("journal.jsonl"), lines.collect::<String>())?;
    Ok(fs::write(dir.join("archived"), "")?)
}

#[tokio::test]
async fn tasks_of_long_ago_are_in_no_list_and_there_on_demand() -> anyhow::Result<()> {
    let mut world = World::new().await?;
    world.serve.kill()?;
    for id in ["01old", "02old", "03old"] {
        write_old_journal(&world, id)?;
    }
    // The first start reads them; from the second on the index is enough.
    for _ in 0..2 {
        world = world.restart()?;
        let client = world.serve.client();
        assert_eq!(client.tasks(&TaskQuery::default()).await?.items.len(), 0);
        let mut query = TaskQuery {
            older: true,
            limit: Some(2),
            ..TaskQuery::default()
        };
        let first = client.tasks(&query).await?;
        query.cursor = first.next_cursor;
        let second = client.tasks(&query).await?;
        let ids: Vec<_> = first
            .items
            .iter()
            .chain(&second.items)
            .map(|task| task.task_id.as_str())
            .collect();
        assert_eq!(ids, ["03old", "02old", "01old"]);
        assert_eq!(second.next_cursor, None);
        let id = TaskId::parse("02old")?;
        assert_eq!(client.task(&id).await?.title, "Long ago");
        let (mut feed, mut events) = (client.events(&id, 0), 0);
        loop {
            let item = feed.next().await?;
            events += usize::from(matches!(item, FeedItem::Event(_)));
            if matches!(item, FeedItem::Ready) {
                break;
            }
        }
        assert_eq!(events, 4);
    }
    Ok(())
}
