//! A box that runs out of memory: it alone has the trouble, and it says why.

use std::time::{Duration, Instant};

use paddock_client::FeedItem;
use paddock_domain::{Body, Event, Message, PurgeRequest, StateName, TurnOutcome};
use paddock_kit::{Ask, Watch};
use serde_json::json;

use super::world::World;

/// Takes memory until somebody ends it; the shell that runs it lives on.
const GREEDY: &str = "sh -c 'x=x; while :; do x=$x$x; done'; echo ended with $?";

/// How long the statistics of a box may be in coming.
const SAMPLED_MAX: Duration = Duration::from_secs(30);

fn boxed(script: &str, mib: u64) -> Ask {
    Ask::harness("scripted", script)
        .in_a("container")
        .boxed("memory_mib", json!(mib))
}

/// What the task says about memory.
fn says(event: &Event) -> Option<String> {
    let text = match &event.body {
        Body::Notice { text, .. } => text,
        Body::Error { message, .. } => message,
        _ => return None,
    };
    text.contains("out of memory").then(|| text.clone())
}

/// What the task says about memory, once its turn is over too: either may come first.
async fn reason(task: &mut Watch) -> anyhow::Result<String> {
    let said = task.until("the reason", says).await?;
    let ended = |event: &Event| matches!(event.body, Body::TurnFinished { .. });
    if !task.seen().iter().any(ended) {
        assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    }
    Ok(said)
}

async fn purge(world: &World, mut task: Watch) -> anyhow::Result<()> {
    let request = PurgeRequest {
        force: true,
        now: true,
        ..PurgeRequest::default()
    };
    world.serve.client().purge(task.id(), &request).await?;
    task.until_state(StateName::Purged).await
}

#[tokio::test]
async fn a_command_that_takes_all_memory_ends_alone_and_the_task_says_why_in_a_container()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let other = boxed("sleep 5\nsay Well.", 64).on(&world.repository);
    let mut other = world.serve.task(&other).await?;
    let ask = boxed(&format!("bash {GREEDY}\nsay Over."), 64).on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    let said = reason(&mut task).await?;
    assert!(said.contains("(limit 64 MB)"), "{said}");
    assert!(said.contains("revive --memory"), "{said}");
    // The agent lives on, in this box and in others.
    assert!(task.said().contains("Over."));
    assert_eq!(other.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(other.said().contains("Well."));
    purge(&world, task).await?;
    purge(&world, other).await
}

#[tokio::test]
async fn a_task_is_revived_with_more_memory_and_the_work_goes_through_in_a_container()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    // 48 MiB in one piece, and what the shell needs to make it.
    let big = "bash x=$(head -c 50000000 /dev/zero | tr '\\0' x); echo got ${#x}";
    let mut task = world
        .serve
        .task(&boxed(big, 64).on(&world.repository))
        .await?;
    reason(&mut task).await?;
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    client.revive_with_memory(task.id(), 1024).await?;
    task.until_state(StateName::Waiting).await?;
    let message = Message {
        input_id: None,
        text: big.to_owned(),
        attachments: Vec::new(),
    };
    client.say(task.id(), &message).await?;
    let got = task.until("the output", |event| match &event.body {
        Body::ToolCallFinished(call) => call.output.clone(),
        _ => None,
    });
    assert!(got.await?.contains("got 50000000"));
    task.until_turn_ends().await?;

    let mut feed = client.events(task.id(), 0);
    let deadline = Instant::now() + SAMPLED_MAX;
    let sample = loop {
        if let FeedItem::Statistics(sample) = feed.next().await? {
            break sample;
        }
        anyhow::ensure!(Instant::now() < deadline, "the box is not measured");
    };
    assert!(
        sample.limits.enforced && sample.limits.memory_bytes == 1 << 30,
        "{sample:?}"
    );
    assert!(
        sample.statistics.memory_bytes > 0 && sample.statistics.processes >= 2,
        "{sample:?}"
    );
    purge(&world, task).await
}

#[tokio::test]
async fn an_agent_that_takes_all_memory_itself_crashes_and_says_why_in_a_container()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let ask = boxed(
        "say Begun.\nsay 1 lines of 60000000 bytes at 1 per second",
        64,
    )
    .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    task.until_state(StateName::Crashed).await?;
    if !task.seen().iter().any(|event| says(event).is_some()) {
        task.until("the reason", says).await?;
    }
    let deadline = Instant::now() + SAMPLED_MAX;
    loop {
        let failure = task.task().await?.failure.map(|failure| failure.message);
        if failure.is_some_and(|message| message.contains("out of memory (limit 64 MB)")) {
            break;
        }
        anyhow::ensure!(
            Instant::now() < deadline,
            "the task does not say why it crashed"
        );
    }
    purge(&world, task).await
}

#[tokio::test]
async fn an_agent_that_was_killed_is_not_said_to_have_run_out_of_memory_in_a_container()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let ask = boxed("say Begun.\nbash kill -9 $PPID", 64).on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    task.until_state(StateName::Crashed).await?;
    let failure = task.task().await?.failure.map(|failure| failure.message);
    let failure = failure.unwrap_or_default();
    assert!(
        !failure.contains("out of memory"),
        "a kill is taken for want of memory: {failure}"
    );
    purge(&world, task).await
}

#[tokio::test]
async fn processes_of_a_container_are_seen_by_their_own_numbers_in_a_container()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let ask = boxed("bash sleep 600\nsay Over.", 128).on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    let deadline = Instant::now() + SAMPLED_MAX;
    let (relay, sleep) = loop {
        let listed = client.processes(task.id()).await;
        let items = listed.map(|list| list.items).unwrap_or_default();
        let relay = items.iter().find(|process| process.relay).cloned();
        let sleep = items
            .iter()
            .find(|process| process.command == "sleep 600")
            .cloned();
        if let (Some(relay), Some(sleep)) = (relay, sleep) {
            break (relay, sleep);
        }
        anyhow::ensure!(Instant::now() < deadline, "the command is not seen");
    };
    assert_eq!(relay.pid, 1);
    assert!(sleep.run_id.is_some());
    let request = paddock_api::SignalRequest {
        signal: paddock_domain::ProcessSignal::Kill,
        start: relay.start,
    };
    assert!(client.signal(task.id(), 1, &request).await.is_err());
    let request = paddock_api::SignalRequest {
        start: sleep.start,
        ..request
    };
    client.signal(task.id(), sleep.pid, &request).await?;
    task.until_turn_ends().await?;
    assert!(task.said().contains("Over."));
    purge(&world, task).await
}
