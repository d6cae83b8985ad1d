//! What boxes use and what runs in them, as a user sees it.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use paddock_api::{ErrorCode, SignalRequest, StatisticsData};
use paddock_client::{Client, ClientError, EventFeed, FeedItem};
use paddock_domain::{BoxKind, BoxProcess, ProcessSignal, TaskId};
use paddock_kit::Watch;

use super::world::World;

/// Longest wait for a process to be seen.
const SEEN_MAX: Duration = Duration::from_secs(20);

/// A script whose command stays until it is ended, and whose name is hostile.
const STAYS: &str = "bash sh -c 'sleep 600; :' \"$(printf 'evil\\033[2J\\nname')\"\nsay Over.";

/// The process whose command begins so, as soon as there is one.
async fn process(client: &Client, task: &Watch, command: &str) -> anyhow::Result<BoxProcess> {
    let deadline = Instant::now() + SEEN_MAX;
    loop {
        let listed = client.processes(task.id()).await;
        let found = listed.ok().and_then(|list| {
            let mut items = list.items.into_iter();
            items.find(|process| process.command.starts_with(command))
        });
        if let Some(found) = found {
            return Ok(found);
        }
        anyhow::ensure!(Instant::now() < deadline, "no `{command}` is seen");
    }
}

/// The next sample of this task.
async fn sample(feed: &mut EventFeed, task: &TaskId) -> anyhow::Result<StatisticsData> {
    loop {
        if let FeedItem::Statistics(sample) = feed.next().await?
            && sample.task_id == *task
        {
            return Ok(*sample);
        }
    }
}

fn code(refused: Result<impl Sized, ClientError>) -> Option<ErrorCode> {
    refused.err().and_then(|error| error.code())
}

#[tokio::test]
async fn what_a_box_uses_is_told_to_all_who_watch_and_can_be_asked_for() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut all = client.all_events(None);
    let task = world.begin(STAYS).await?;
    let before = client.statistics(task.id()).await?;
    assert_eq!((before.following, before.latest), (false, None));
    process(client, &task, "sleep 600").await?;

    let told = sample(&mut all, task.id()).await?;
    assert!(
        told.statistics.memory_bytes > 0 && told.statistics.processes >= 3,
        "{told:?}"
    );
    assert!(
        told.statistics.network.is_none() && !told.limits.enforced,
        "{told:?}"
    );
    let mut own = client.events(task.id(), 0);
    let told = sample(&mut own, task.id()).await?;
    assert!((0.0..=1.0).contains(&told.statistics.cpu_share), "{told:?}");

    let asked = client.statistics(task.id()).await?;
    assert_eq!(
        (asked.box_kind, asked.following),
        (Some(BoxKind::Worktree), true)
    );
    assert_eq!(asked.history.last(), asked.latest.as_ref());
    let list = client.all_statistics().await?;
    assert!(
        list.iter()
            .any(|one| one.task_id == *task.id() && one.history.is_empty())
    );
    // Nothing of it is in the journal.
    let journal = world
        .data()
        .join("tasks")
        .join(task.id().as_str())
        .join("journal.jsonl");
    assert!(!std::fs::read_to_string(journal)?.contains("cpu_percent"));
    Ok(())
}

#[tokio::test]
async fn a_process_is_seen_and_signalled_and_no_other_with_its_number() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut task = world.begin(STAYS).await?;
    let sleep = process(client, &task, "sleep 600").await?;
    let evil = process(client, &task, "sh -c sleep 600; : evil").await?;
    assert_eq!(evil.command, "sh -c sleep 600; : evil\\u{1b}[2J\\nname");
    assert_eq!(sleep.parent_pid, evil.pid);
    assert!(sleep.run_id.is_some() && sleep.memory_bytes > 0);

    let signal = ProcessSignal::Term;
    let ask = |start| SignalRequest { signal, start };
    let listed = client.processes(task.id()).await?.items;
    let relay = listed.iter().find(|process| process.relay);
    let relay = relay.context("the relay is not among the processes of its box")?;
    let refused = client.signal(task.id(), relay.pid, &ask(relay.start)).await;
    assert_eq!(
        code(refused),
        Some(ErrorCode::Conflict),
        "the relay was signalled"
    );
    let later = client
        .signal(task.id(), sleep.pid, &ask(sleep.start + 1))
        .await;
    assert_eq!(code(later), Some(ErrorCode::Conflict));
    let ours = client.signal(task.id(), std::process::id(), &ask(1)).await;
    assert_eq!(
        code(ours),
        Some(ErrorCode::Conflict),
        "a process of the host was signalled"
    );
    client
        .signal(task.id(), sleep.pid, &ask(sleep.start))
        .await?;
    task.until_turn_ends().await?;
    assert!(task.said().contains("Over."));
    let gone = client.signal(task.id(), sleep.pid, &ask(sleep.start)).await;
    assert_eq!(code(gone), Some(ErrorCode::Conflict));
    Ok(())
}

#[tokio::test]
async fn a_task_without_a_box_has_nothing_that_runs() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let nobody = TaskId::parse("nobody")?;
    assert_eq!(
        code(client.statistics(&nobody).await),
        Some(ErrorCode::NotFound)
    );
    assert_eq!(
        code(client.processes(&nobody).await),
        Some(ErrorCode::NotFound)
    );
    let mut task = world.begin("say x").await?;
    task.until_turn_ends().await?;
    client.stop(task.id()).await?;
    task.until_state(paddock_domain::StateName::Stopped).await?;
    let refused = client.revive_with_memory(task.id(), 1).await;
    assert_eq!(
        code(refused),
        Some(ErrorCode::Invalid),
        "a limit of 1 MiB was taken"
    );
    let refused = client.revive_with_memory(task.id(), 512).await;
    assert_eq!(
        code(refused),
        Some(ErrorCode::Invalid),
        "a worktree was given a limit"
    );
    Ok(())
}
