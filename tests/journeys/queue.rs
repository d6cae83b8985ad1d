//! Messages for after the turn: each is said once, in its order, or changed before.

use std::path::Path;
use std::process::Output;

use paddock_api::ErrorCode;
use paddock_domain::{Action, Body, FollowUpHold, InputId, StateName, TaskId, TurnOutcome};
use paddock_kit::Watch;

use super::waiting::{Gate, message, said, until_said};
use super::world::World;

fn id(text: &str) -> InputId {
    InputId::parse(text).unwrap()
}

#[tokio::test]
async fn queued_messages_follow_one_another_without_a_rest_between() -> anyhow::Result<()> {
    let world = World::new().await?;
    let gate = Gate::new(&world, "gate");
    let mut task = world
        .begin(&format!(
            "say one\n{}\nwrite a.txt a\ncommit One",
            gate.step()
        ))
        .await?;
    task.until_state(StateName::Running).await?;
    let client = world.serve.client();
    for (name, text) in [
        ("q1", "say two\nwrite b.txt b\ncommit Two"),
        ("q2", "say three"),
        ("q3", "say four"),
    ] {
        assert!(
            client
                .say_after_turn(task.id(), &message(name, text))
                .await?
                .queued
        );
    }
    let seen = task.task().await?;
    assert!(seen.allowed.contains(&Action::Queue));
    assert_eq!(seen.follow_ups.len(), 3);
    // Changed, moved, taken out: what is said in the end is what stood there last.
    client
        .edit_follow_up(task.id(), &id("q3"), "say four, edited".into())
        .await?;
    client
        .order_follow_ups(task.id(), vec![id("q3"), id("q1"), id("q2")])
        .await?;
    client.remove_follow_up(task.id(), &id("q2")).await?;
    gate.open();

    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let entered = task.seen().iter().filter_map(|event| match &event.body {
        Body::StateChanged { to, .. } => Some(*to),
        _ => None,
    });
    let rests = entered.filter(|state| *state == StateName::Waiting).count();
    assert_eq!(rests, 1, "{:?}", task.types());
    assert_eq!(said(task.seen()), ["q3", "q1"]);
    assert!(task.said().contains("four, edited"), "{}", task.said());
    assert!(!task.said().contains("three"));
    assert!(task.task().await?.follow_ups.is_empty());
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Two", "One"]
    );
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn what_went_out_cannot_be_changed_any_more_and_says_so() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say one").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    // An agent that rests is told at once.
    client
        .say_after_turn(task.id(), &message("q1", "say two"))
        .await?;
    until_said(&mut task, "q1").await?;
    task.until_turn_ends().await?;
    let edited = client
        .edit_follow_up(task.id(), &id("q1"), "say no".into())
        .await;
    assert_eq!(edited.unwrap_err().code(), Some(ErrorCode::Conflict));
    let removed = client.remove_follow_up(task.id(), &id("q1")).await;
    assert_eq!(removed.unwrap_err().code(), Some(ErrorCode::Conflict));
    let ordered = client.order_follow_ups(task.id(), vec![id("q1")]).await;
    assert_eq!(ordered.unwrap_err().code(), Some(ErrorCode::Conflict));
    let nobody = client.remove_follow_up(task.id(), &id("nobody")).await;
    assert_eq!(nobody.unwrap_err().code(), Some(ErrorCode::NotFound));
    // What was said already was said: asking for it again is no error and says nothing again.
    assert!(!client.send_queued(task.id(), &id("q1")).await?.queued);
    assert!(
        !client
            .say_after_turn(task.id(), &message("q1", "say two"))
            .await?
            .queued
    );
    assert_eq!(said(task.seen()), ["q1"]);
    Ok(())
}

#[tokio::test]
async fn an_edit_that_races_the_delivery_wins_or_is_refused() -> anyhow::Result<()> {
    let world = World::new().await?;
    for round in 0..8 {
        let gate = Gate::new(&world, &format!("gate{round}"));
        let mut task = world.begin(&gate.step()).await?;
        task.until_state(StateName::Running).await?;
        let client = world.serve.client();
        client
            .say_after_turn(task.id(), &message("q1", "say old"))
            .await?;
        gate.open();
        let edited = client
            .edit_follow_up(task.id(), &id("q1"), "say new".into())
            .await;
        until_said(&mut task, "q1").await?;
        task.until_turn_ends().await?;
        let expected = match edited {
            Ok(_) => "new",
            Err(error) => {
                assert_eq!(error.code(), Some(ErrorCode::Conflict), "{error}");
                "old"
            }
        };
        assert_eq!(task.said().lines().last(), Some(expected), "round {round}");
        assert_eq!(said(task.seen()), ["q1"]);
    }
    Ok(())
}

#[tokio::test]
async fn an_interrupted_turn_holds_the_queue_until_the_user_goes_on() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say Begun.\nsleep 600").await?;
    task.until("the agent's first words", |event| {
        event.body.type_name().eq("assistant_message").then_some(())
    })
    .await?;
    let client = world.serve.client();
    client
        .say_after_turn(task.id(), &message("q1", "say two"))
        .await?;
    client
        .say_after_turn(task.id(), &message("q2", "say three"))
        .await?;
    client.interrupt(task.id()).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Interrupted);
    let queue = client.follow_ups(task.id()).await?;
    assert_eq!(queue.hold, Some(FollowUpHold::Interrupted));
    assert_eq!(queue.items.len(), 2);
    assert_eq!(task.task().await?.state, StateName::Waiting);

    client.send_queued(task.id(), &id("q1")).await?;
    until_said(&mut task, "q2").await?;
    task.until_turn_ends().await?;
    assert_eq!(said(task.seen()), ["q1", "q2"]);
    assert_eq!(client.follow_ups(task.id()).await?.hold, None);
    Ok(())
}

#[tokio::test]
async fn a_question_is_answered_before_anything_queued_is_said() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("ask Which?|A|B\nsay done").await?;
    let question = task
        .until("a question", |event| match &event.body {
            Body::QuestionAsked(question) => Some(question.question_id.clone()),
            _ => None,
        })
        .await?;
    task.until_state(StateName::Asking).await?;
    let client = world.serve.client();
    client
        .say_after_turn(task.id(), &message("q1", "say two"))
        .await?;
    assert_eq!(client.follow_ups(task.id()).await?.items.len(), 1);
    let request = paddock_api::AnswerRequest {
        question_id: question,
        answer: serde_json::from_str(r#"{"choices":["A"]}"#)?,
    };
    client.answer(task.id(), &request).await?;
    until_said(&mut task, "q1").await?;
    task.until_turn_ends().await?;
    assert!(
        task.said().contains("You answered: A\ndone\ntwo"),
        "{}",
        task.said()
    );
    Ok(())
}

#[tokio::test]
async fn a_server_killed_between_the_end_of_a_turn_and_the_delivery_says_it_once()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let gate = Gate::new(&world, "gate");
    let mut task = world.begin(&gate.step()).await?;
    task.until_state(StateName::Running).await?;
    for name in ["q1", "q2", "q3"] {
        let text = format!("bash echo {name} >> told.txt\nsay {name}");
        world
            .serve
            .client()
            .say_after_turn(task.id(), &message(name, &text))
            .await?;
    }
    let id = task.id().clone();
    let mut world = world;
    world.serve.kill()?;
    // The turn ends while nobody is there to hear of it.
    gate.open();
    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id);
    until_said(&mut task, "q3").await?;
    task.until_turn_ends().await?;
    assert_eq!(said(task.seen()), ["q1", "q2", "q3"]);
    assert_eq!(told(&world, task.id()), "q1\nq2\nq3\n");
    Ok(())
}

#[tokio::test]
async fn a_server_killed_again_and_again_says_every_queued_message_once() -> anyhow::Result<()> {
    let mut world = World::new().await?;
    let mut task = world.begin("say begun").await?;
    let id = task.id().clone();
    let names: Vec<String> = (1..=8).map(|n| format!("q{n}")).collect();
    for name in &names {
        let text = format!("bash echo {name} >> told.txt\nsay {name}");
        // Asked for again by a client that lost the answer.
        for _ in 0..2 {
            world
                .serve
                .client()
                .say_after_turn(&id, &message(name, &text))
                .await?;
        }
    }
    // Killed as soon as each of some is said: around the end of a turn, each time.
    for kill_at in ["q1", "q2", "q4", "q7"] {
        if let Err(error) = until_said(&mut task, kill_at).await {
            anyhow::bail!("{error:#}; the log:\n{}", world.serve.log()?);
        }
        world = world.restart()?;
        task = Watch::new(world.serve.client().clone(), id.clone());
    }
    until_said(&mut task, "q8").await?;
    task.until_turn_ends().await?;
    assert_eq!(said(task.seen()), names);
    let story = task.story("all that was queued");
    assert_eq!(told(&world, &id), names.join("\n") + "\n", "{story}");
    Ok(())
}

/// What the agent wrote down of what it was told.
fn told(world: &World, task: &TaskId) -> String {
    fn find(dir: &Path) -> Option<String> {
        for entry in std::fs::read_dir(dir).ok()?.flatten() {
            if entry.file_name() == "told.txt" {
                return std::fs::read_to_string(entry.path()).ok();
            }
            let found = entry.path().is_dir().then(|| find(&entry.path())).flatten();
            if found.is_some() {
                return found;
            }
        }
        None
    }
    find(&world.data().join("boxes").join(task.as_str())).unwrap_or_default()
}

#[tokio::test]
async fn the_queue_is_worked_from_the_command_line() -> anyhow::Result<()> {
    let world = World::new().await?;
    let gate = Gate::new(&world, "gate");
    let mut task = world.begin(&gate.step()).await?;
    task.until_state(StateName::Running).await?;
    let name = task.id().as_str();
    let run =
        |args: &[&str]| -> anyhow::Result<Output> { Ok(world.serve.cli()?.args(args).output()?) };
    let queue = |args: &[&str]| -> anyhow::Result<Vec<(String, String)>> {
        let out = run(&[&["queue", name], args, &["--json"]].concat())?;
        anyhow::ensure!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
        let queue: paddock_domain::FollowUpQueue = serde_json::from_slice(&out.stdout)?;
        let items = queue.items.into_iter();
        Ok(items
            .map(|item| (item.input_id.to_string(), item.content.to_string()))
            .collect())
    };
    let sent = run(&["send", "--after", "--input-id", "q1", name, "say one"])?;
    assert_eq!(String::from_utf8_lossy(&sent.stdout), "queued\n");
    let both = queue(&["add", "say two"])?;
    assert_eq!(both.len(), 2);
    let second = both[1].0.clone();
    assert_eq!(
        queue(&["edit", "q1", "say one, edited"])?[0].1,
        "say one, edited"
    );
    assert_eq!(queue(&["move", &second, "--to", "1"])?[0].0, second);
    assert_eq!(queue(&["rm", &second])?.len(), 1);
    let shown = run(&["queue", name])?;
    assert_eq!(
        String::from_utf8_lossy(&shown.stdout),
        " 1  q1  say one, edited\n"
    );
    let gone = run(&["queue", name, "edit", "nobody", "x"])?;
    assert_eq!(gone.status.code(), Some(10));
    assert_eq!(queue(&["go"])?, []);
    gate.open();
    task.until("both turns' words", |event| match &event.body {
        Body::AssistantMessage { blocks, .. } if blocks[0].content == "one, edited" => Some(()),
        _ => None,
    })
    .await?;
    task.until_state(StateName::Waiting).await?;
    let places = run(&["places"])?;
    let places = String::from_utf8_lossy(&places.stdout).into_owned();
    assert!(places.starts_with("local: 0 of "), "{places}");
    Ok(())
}
