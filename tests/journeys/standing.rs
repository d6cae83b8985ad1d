//! What holds a task up although nothing is wrong with it: a usage limit, an agent that has fallen silent.

use paddock_domain::{Body, Event, StateName, TurnOutcome};
use paddock_kit::{Ask, ServeOptions, Watch};

use super::world::World;

fn scheduled(event: &Event) -> Option<u32> {
    match &event.body {
        Body::ResumeScheduled { attempt, .. } => Some(*attempt),
        _ => None,
    }
}

fn silent(event: &Event) -> Option<()> {
    matches!(event.body, Body::AgentSilent { .. }).then_some(())
}

/// A time some seconds from now, as the provider would name it.
fn soon() -> String {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let ms = i64::try_from(now.as_millis()).unwrap() + 1000;
    paddock_domain::Timestamp::from_unix_ms(ms).to_string()
}

#[tokio::test]
async fn a_task_goes_on_by_itself_when_a_limit_is_lifted_also_in_another_life() -> anyhow::Result<()>
{
    let world = World::new().await?;
    let ask = Ask::scripted(&format!("limit-until {}\nfail out of tokens", soon()))
        .on(&world.repository)
        .with("resume_on_limit", true.into());
    let mut task = world.serve.task(&ask).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Failed);
    // It comes before the rest that ends the wait for the turn.
    assert_eq!(task.seen().iter().find_map(scheduled), Some(1));
    let id = task.id().clone();

    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id);
    let said = |event: &Event| match &event.body {
        Body::UserMessage { input_id, .. } if input_id.as_str().starts_with("resume-") => Some(()),
        _ => None,
    };
    task.until("the word to go on", said).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let now = task.task().await?;
    assert_eq!((now.limit, now.resumes), (None, 0));
    Ok(())
}

#[tokio::test]
async fn a_limit_is_told_to_who_did_not_opt_in_and_an_appointment_can_be_made_and_cancelled()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("rate-limit 1000\nfail out of tokens").await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Failed);
    let limit = task.task().await?.limit;
    assert!(limit.is_some_and(|limit| limit.resume_at.is_none()));
    let client = world.serve.client();
    client.resume_on_limit(task.id(), true).await?;
    task.until("an appointment", scheduled).await?;
    client.resume_on_limit(task.id(), false).await?;
    let limit = task.task().await?.limit.unwrap();
    assert_eq!((limit.resume_at, limit.cancelled), (None, true));
    Ok(())
}

#[tokio::test]
async fn an_agent_that_hangs_is_told_and_can_be_started_again() -> anyhow::Result<()> {
    let options = ServeOptions::default().env("PADDOCK_LIMITS_SILENT_AFTER_S", "5");
    let world = World::with(options).await?;
    let mut task = world.begin("say here\nhang").await?;
    task.until("silence", silent).await?;
    let now = task.task().await?;
    assert!(now.silent_since.is_some() && now.state == StateName::Running);
    world.serve.client().restart(task.id()).await?;
    task.until_state(StateName::Waiting).await?;
    assert_eq!(task.task().await?.silent_since, None);
    Ok(())
}
