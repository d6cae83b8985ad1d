//! What the running program offers: told once, kept over a kill, and in no list of tasks.

use paddock_api::TaskQuery;
use paddock_domain::{Body, Event, Message, Offers, StateName, TurnOutcome};
use paddock_kit::Watch;

use super::world::World;

fn told(task: &Watch) -> usize {
    let told = |event: &&Event| matches!(event.body, Body::AgentOffers(_));
    task.seen().iter().filter(told).count()
}

async fn say(world: &World, task: &mut Watch, text: &str) -> anyhow::Result<()> {
    let message = Message {
        input_id: None,
        text: text.to_owned(),
        attachments: Vec::new(),
    };
    world.serve.client().say(task.id(), &message).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    Ok(())
}

fn names(offers: &Offers) -> (Vec<&str>, Vec<&str>) {
    let commands = offers.commands.iter().map(|command| command.name.as_str());
    let models = offers.models.iter().map(|model| model.id.as_str());
    (commands.collect(), models.collect())
}

#[tokio::test]
async fn what_a_program_offers_is_told_when_it_is_news_and_survives_a_kill() -> anyhow::Result<()> {
    let mut world = World::new().await?;
    let mut task = world.begin("say hello").await?;
    task.until_turn_ends().await?;
    let id = task.id().clone();
    assert!(world.serve.client().offers(&id).await?.is_empty());
    assert_eq!(task.task().await?.offers_seq, None);

    say(&world, &mut task, "offers /review small-1 /init big-2").await?;
    let offers = world.serve.client().offers(&id).await?;
    let both = (vec!["review", "init"], vec!["small-1", "big-2"]);
    assert_eq!(names(&offers), both);
    let seq = task.task().await?.offers_seq;
    assert!(seq.is_some());

    // The same again is no news, in this life of the server and in the next.
    say(&world, &mut task, "offers /review small-1 /init big-2").await?;
    assert_eq!((told(&task), task.task().await?.offers_seq), (1, seq));
    world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id.clone());
    let mut turns = 0;
    let mut ended = |event: &Event, nth: u32| {
        turns += u32::from(matches!(event.body, Body::TurnFinished { .. }));
        (turns == nth).then_some(())
    };
    task.until("the turns before", |event| ended(event, 3))
        .await?;
    task.until_state(StateName::Waiting).await?;
    say(&world, &mut task, "offers /review small-1 /init big-2").await?;
    assert_eq!(told(&task), 1);
    assert_eq!(world.serve.client().offers(&id).await?, offers);

    say(&world, &mut task, "offers small-1").await?;
    assert_eq!(told(&task), 2);
    let now = world.serve.client().offers(&id).await?;
    assert_eq!(names(&now), (vec![], vec!["small-1"]));
    let page = world.serve.client().tasks(&TaskQuery::default()).await?;
    let list = serde_json::to_string(&page)?;
    assert!(!list.contains("small-1"), "lists of tasks stay small");
    Ok(())
}
