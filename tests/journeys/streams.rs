//! Event streams: whoever comes back gets what was missed, once and in order.

use paddock_client::{EventFeed, FeedItem};
use paddock_domain::TurnOutcome;

use super::world::World;

const SCRIPT: &str = "say 40 lines of 30 bytes at 200 per second\nwrite a.txt a\ncommit A";

/// The next `count` journal events, as they stand in the journal.
async fn take(feed: &mut EventFeed, count: usize) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    while lines.len() < count {
        if let FeedItem::Event(event) = feed.next().await? {
            lines.push(event.json);
        }
    }
    Ok(lines)
}

#[tokio::test]
async fn a_stream_that_is_cut_anywhere_goes_on_without_gap_or_repeat() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin(SCRIPT).await?;
    // While the task works, a client leaves and comes back after every third event.
    let mut pieced = Vec::new();
    while pieced.len() < 30 {
        let mut feed = world.serve.client().events(task.id(), pieced.len() as u64);
        pieced.extend(take(&mut feed, 3).await?);
    }
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let count = task.seen().len();
    let whole = take(&mut world.serve.client().events(task.id(), 0), count).await?;
    assert_eq!(pieced[..], whole[..pieced.len()]);
    for since in [1, 7, count - 1] {
        let rest = take(
            &mut world.serve.client().events(task.id(), since as u64),
            count - since,
        )
        .await?;
        assert_eq!(rest[..], whole[since..], "after {since}");
    }
    Ok(())
}

#[tokio::test]
async fn the_stream_is_the_journal_byte_for_byte() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin(SCRIPT).await?;
    task.until_turn_ends().await?;
    let count = task.seen().len();
    let streamed = take(&mut world.serve.client().events(task.id(), 0), count).await?;
    let journal = world
        .data()
        .join("tasks")
        .join(task.id().as_str())
        .join("journal.jsonl");
    let journal = std::fs::read_to_string(journal)?;
    let written: Vec<&str> = journal.lines().take(count).collect();
    assert_eq!(streamed, written);
    Ok(())
}

#[tokio::test]
async fn the_stream_of_all_tasks_tells_of_every_task() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut all = world.serve.client().all_events(None);
    while !matches!(all.next().await?, FeedItem::Ready) {}
    let first = world.begin("say one").await?;
    let second = world.begin("say two").await?;
    let mut heard = std::collections::BTreeSet::new();
    while heard.len() < 2 {
        if let FeedItem::Event(event) = all.next().await? {
            heard.insert(event.parse()?.task_id);
        }
    }
    assert_eq!(heard, [first.id().clone(), second.id().clone()].into());
    Ok(())
}
