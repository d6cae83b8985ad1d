//! What user and agent say to each other in the middle of a turn.

use paddock_api::{AnswerRequest, ApprovalRequest, PlanRequest};
use paddock_domain::{
    Answer, Approval, ApprovalScope, Body, Decision, Event, Message, Plan, PlanDecision, Question,
    StateName, TurnOutcome,
};
use paddock_kit::Watch;

use super::world::World;

fn question(event: &Event) -> Option<Question> {
    if let Body::QuestionAsked(question) = &event.body {
        return Some(question.clone());
    }
    None
}

fn approval(event: &Event) -> Option<Approval> {
    if let Body::ApprovalRequested(approval) = &event.body {
        return Some(Approval::clone(approval));
    }
    None
}

fn plan(event: &Event) -> Option<Plan> {
    if let Body::PlanProposed(plan) = &event.body {
        return Some(plan.clone());
    }
    None
}

fn answer(text: &str) -> Answer {
    Answer {
        choices: vec![text.to_owned()],
        text: None,
    }
}

#[tokio::test]
async fn a_question_is_answered_once_and_the_turn_goes_on() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("ask Which one?|red|blue").await?;
    let asked = task.until("a question", question).await?;
    task.until_state(StateName::Asking).await?;
    let request = AnswerRequest {
        question_id: asked.question_id,
        answer: answer("blue"),
    };
    world.serve.client().answer(task.id(), &request).await?;
    let again = world.serve.client().answer(task.id(), &request).await;
    assert!(again.is_err(), "an answer was taken twice");
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(
        task.said().contains("You answered: blue"),
        "{}",
        task.said()
    );
    Ok(())
}

#[tokio::test]
async fn a_pending_question_survives_a_restart() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("ask Which one?|red|blue").await?;
    let asked = task.until("a question", question).await?;
    task.until_state(StateName::Asking).await?;
    let id = task.id().clone();

    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id);
    task.until_state(StateName::Asking).await?;
    let request = AnswerRequest {
        question_id: asked.question_id,
        answer: answer("red"),
    };
    world.serve.client().answer(task.id(), &request).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(task.said().contains("You answered: red"), "{}", task.said());
    Ok(())
}

#[tokio::test]
async fn what_is_allowed_runs_and_what_is_denied_does_not() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("approve touch allowed\napprove touch denied\nbash ls")
        .await?;
    let decisions = [
        Decision::Allow {
            scope: ApprovalScope::Once,
            input: None,
        },
        Decision::Deny {
            message: Some("not that".to_owned()),
            interrupt: false,
        },
    ];
    for decision in decisions {
        let approval_id = task.until("an approval", approval).await?.approval_id;
        task.until_state(StateName::Asking).await?;
        world
            .serve
            .client()
            .decide(
                task.id(),
                &ApprovalRequest {
                    approval_id,
                    decision,
                    keep: None,
                },
            )
            .await?;
    }
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let outputs = task.seen().iter().filter_map(|event| {
        if let Body::ToolCallFinished(call) = &event.body {
            return call.output.clone();
        }
        None
    });
    let listed: Vec<String> = outputs.collect();
    assert!(
        listed.iter().any(|output| output.contains("allowed")),
        "{listed:?}"
    );
    assert!(
        !listed
            .iter()
            .any(|output| output.lines().any(|line| line == "denied")),
        "{listed:?}"
    );
    Ok(())
}

#[tokio::test]
async fn a_plan_is_decided_on_before_it_is_carried_out() -> anyhow::Result<()> {
    let world = World::new().await?;
    let script = "plan 1. Write it\\n2. Commit it\nwrite a.txt a\ncommit As planned";
    let mut accepted = world.begin(script).await?;
    let mut rejected = world.begin(script).await?;
    let decisions = [
        (&mut accepted, PlanDecision::Approve { text: None }),
        (
            &mut rejected,
            PlanDecision::Reject {
                comment: Some("no".to_owned()),
            },
        ),
    ];
    for (task, decision) in decisions {
        let plan_id = task.until("a plan", plan).await?.plan_id;
        task.until_state(StateName::HasPlan).await?;
        world
            .serve
            .client()
            .decide_plan(task.id(), &PlanRequest { plan_id, decision })
            .await?;
        task.until_turn_ends().await?;
    }
    assert_eq!(accepted.task().await?.repositories[0].diff.commits, 1);
    assert_eq!(rejected.task().await?.repositories[0].diff.commits, 0);
    assert!(
        rejected.said().contains("Plan rejected"),
        "{}",
        rejected.said()
    );
    Ok(())
}

#[tokio::test]
async fn an_interrupt_ends_the_turn_and_keeps_the_run() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("remember me\nsay Begun.\nsleep 600").await?;
    task.until("the agent's first words", |event| {
        event.body.type_name().eq("assistant_message").then_some(())
    })
    .await?;
    world.serve.client().interrupt(task.id()).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Interrupted);

    let message = Message {
        input_id: None,
        text: "recall".to_owned(),
        attachments: Vec::new(),
    };
    world.serve.client().say(task.id(), &message).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(task.said().contains("Remembered: me"), "{}", task.said());
    let runs = task
        .types()
        .iter()
        .filter(|name| **name == "run_started")
        .count();
    assert_eq!(runs, 1);
    Ok(())
}

#[tokio::test]
async fn a_message_repeated_with_its_id_reaches_the_agent_once() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say First.").await?;
    task.until_turn_ends().await?;
    let message = Message {
        input_id: Some(paddock_domain::InputId::parse("mine-1")?),
        text: "say Second.\nask Go on?|yes".to_owned(),
        attachments: Vec::new(),
    };
    let client = world.serve.client();
    for _ in 0..3 {
        client.say(task.id(), &message).await?;
    }
    let asked = task.until("a question", question).await?;
    client.say(task.id(), &message).await?;
    let request = AnswerRequest {
        question_id: asked.question_id,
        answer: answer("yes"),
    };
    client.answer(task.id(), &request).await?;
    task.until_turn_ends().await?;
    assert_eq!(task.said().matches("Second.").count(), 1);
    let told = task
        .types()
        .iter()
        .filter(|name| **name == "user_message")
        .count();
    assert_eq!(told, 2);
    Ok(())
}
