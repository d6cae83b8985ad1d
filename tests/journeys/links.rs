//! The connection to a box: told as it is, mended without anybody's doing, and never in the journal.

use std::fs;

use paddock_api::{AnswerRequest, ApprovalRequest, ErrorCode, PlanRequest};
use paddock_domain::{
    Answer, ApprovalScope, Body, Decision, LinkState, PlanDecision, StateName, TaskId, TurnOutcome,
};
use paddock_kit::{Watch, freeze, signal, until_link};

use super::world::World;

#[tokio::test]
async fn a_link_is_told_with_the_task_in_lists_and_on_its_stream() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut task = world.begin("say Here.").await?;
    task.until_turn_ends().await?;
    until_link(client, task.id(), LinkState::Connected).await?;
    let shown = client.task(task.id()).await?;
    assert_eq!(shown.link.state, LinkState::Connected, "{:?}", shown.link);
    let listed = client.tasks(&paddock_api::TaskQuery::default()).await?;
    assert_eq!(listed.items[0].link.state, LinkState::Connected);
    Ok(())
}

#[tokio::test]
async fn a_relay_that_falls_silent_is_noticed_told_and_come_back_to() -> anyhow::Result<()> {
    const LINES: usize = 60;
    let world = World::new().await?;
    let client = world.serve.client();
    let script = format!("say {LINES} lines of 30 bytes at 20 per second\nsay Done.");
    let mut task = world.begin(&script).await?;
    task.until("some words", |event| {
        event.body.type_name().eq("assistant_message").then_some(())
    })
    .await?;
    let relay = relay_of(&world, task.id())?;
    freeze(relay).await?;
    let link = until_link(client, task.id(), LinkState::Reconnecting).await?;
    assert!(link.last_seq.is_some(), "{link:?}");
    signal(relay, "-CONT")?;
    until_link(client, task.id(), LinkState::Connected).await?;

    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let spoken = task
        .types()
        .iter()
        .filter(|it| **it == "assistant_message")
        .count();
    assert_eq!(spoken, LINES + 1);
    let told = task.types().iter().any(|it| it.contains("link"));
    assert!(!told, "a link is in the journal: {:?}", task.types());
    Ok(())
}

/// The relay of a task's box.
pub(super) fn relay_of(world: &World, task: &TaskId) -> anyhow::Result<u32> {
    let lock = world.data().join("boxes").join(task.as_str());
    Ok(fs::read_to_string(lock.join("relay/lock"))?
        .trim()
        .parse()?)
}

#[tokio::test]
async fn an_interrupt_that_cannot_reach_the_agent_is_refused_and_one_that_does_ends_the_turn()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut task = world.begin("say Begun.\nsleep 600").await?;
    task.until("the agent's first words", |event| {
        event.body.type_name().eq("assistant_message").then_some(())
    })
    .await?;
    let relay = relay_of(&world, task.id())?;
    freeze(relay).await?;
    // Nobody knows yet that the relay is silent: it is taken, and breaks off with the connection.
    let early = client.interrupt(task.id()).await.unwrap_err();
    assert_eq!(early.code(), Some(ErrorCode::Conflict), "{early}");
    assert!(early.to_string().contains("broke off"), "{early}");
    until_link(client, task.id(), LinkState::Reconnecting).await?;
    let late = client.interrupt(task.id()).await.unwrap_err();
    assert_eq!(late.code(), Some(ErrorCode::Conflict), "{late}");
    assert!(late.to_string().contains("cannot be reached"), "{late}");
    signal(relay, "-CONT")?;
    until_link(client, task.id(), LinkState::Connected).await?;
    // What lay in the connection that broke off may have reached it after all.
    let again = client.interrupt(task.id()).await;
    let outcome = task.until_turn_ends().await?;
    assert_eq!(outcome, TurnOutcome::Interrupted, "{again:?}");
    Ok(())
}

fn pick(text: &str) -> Answer {
    Answer {
        choices: vec![text.to_owned()],
        text: None,
    }
}

#[tokio::test]
async fn of_two_clients_that_answer_at_once_one_wins_and_the_other_is_told() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("ask Which one?|red|blue").await?;
    let question_id = task
        .until("a question", |event| {
            let Body::QuestionAsked(question) = &event.body else {
                return None;
            };
            Some(question.question_id.clone())
        })
        .await?;
    task.until_state(StateName::Asking).await?;
    let client = world.serve.client();
    let [red, blue] = ["red", "blue"].map(|choice| AnswerRequest {
        question_id: question_id.clone(),
        answer: pick(choice),
    });
    let (first, second) = tokio::join!(
        client.answer(task.id(), &red),
        client.answer(task.id(), &blue)
    );
    let (won, lost) = match (&first, &second) {
        (Ok(_), Err(lost)) => ("red", lost),
        (Err(lost), Ok(_)) => ("blue", lost),
        (_, _) => panic!("{first:?} {second:?}"),
    };
    assert_eq!(lost.code(), Some(ErrorCode::Conflict), "{lost}");
    assert!(
        lost.to_string().contains("does not wait for question"),
        "{lost}"
    );
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(
        task.said().contains(&format!("You answered: {won}")),
        "{}",
        task.said()
    );
    let answers = task
        .types()
        .iter()
        .filter(|it| **it == "question_answered")
        .count();
    assert_eq!(answers, 1);
    Ok(())
}

#[tokio::test]
async fn an_approval_and_a_plan_that_wait_at_a_crash_are_decided_after_it() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut asks = world.begin("approve touch allowed\nbash ls").await?;
    let mut plans = world.begin("plan Write it\nwrite a.txt a").await?;
    asks.until_state(StateName::Asking).await?;
    plans.until_state(StateName::HasPlan).await?;
    let ids = [asks.id().clone(), plans.id().clone()];

    let world = world.restart()?;
    let client = world.serve.client();
    let [mut asks, mut plans] = ids.map(|id| Watch::new(client.clone(), id));
    asks.until_state(StateName::Asking).await?;
    plans.until_state(StateName::HasPlan).await?;
    let approval_id = asks.task().await?.approvals[0].approval_id.clone();
    let decision = Decision::Allow {
        scope: ApprovalScope::Once,
        input: None,
    };
    let approval = ApprovalRequest {
        approval_id,
        decision,
        keep: None,
    };
    client.decide(asks.id(), &approval).await?;
    let again = client.decide(asks.id(), &approval).await.unwrap_err();
    assert_eq!(again.code(), Some(ErrorCode::Conflict), "{again}");
    let plan_id = plans.task().await?.plan.unwrap().plan_id;
    let decision = PlanDecision::Approve { text: None };
    client
        .decide_plan(plans.id(), &PlanRequest { plan_id, decision })
        .await?;
    assert_eq!(asks.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(plans.until_turn_ends().await?, TurnOutcome::Completed);
    Ok(())
}
