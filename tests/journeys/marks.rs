//! What a user has put aside or archived: the same for every client, after a kill, and from journals alone.

use paddock_api::{AnswerRequest, AsideRequest, ErrorCode, TaskQuery};
use paddock_client::{Client, ClientError};
use paddock_domain::{
    Action, Answer, Body, DiffRequest, Event, Message, StateName, TaskId, Transition,
};
use paddock_kit::Watch;

use super::world::World;

async fn listed(client: &Client, query: TaskQuery) -> anyhow::Result<Vec<TaskId>> {
    let page = client.tasks(&query).await?;
    Ok(page.items.into_iter().map(|task| task.task_id).collect())
}

/// Whether `task` is among those that need the user.
async fn needs(client: &Client, task: &TaskId) -> anyhow::Result<bool> {
    let query = TaskQuery {
        needs_me: true,
        ..TaskQuery::default()
    };
    Ok(listed(client, query).await?.contains(task))
}

fn aside() -> AsideRequest {
    AsideRequest::default()
}

fn seen() -> AsideRequest {
    AsideRequest {
        seen: true,
        ..AsideRequest::default()
    }
}

fn say(text: &str) -> Message {
    Message {
        input_id: None,
        text: text.to_owned(),
        attachments: Vec::new(),
    }
}

fn marks(task: &Watch) -> usize {
    let is_mark = |event: &&Event| event.body.is_mark();
    task.seen().iter().filter(is_mark).count()
}

fn question(event: &Event) -> Option<()> {
    matches!(event.body, Body::QuestionAsked(_)).then_some(())
}

#[tokio::test]
async fn what_was_seen_needs_nobody_also_in_another_life_until_something_new_happens()
-> anyhow::Result<()> {
    let mut world = World::new().await?;
    let mut task = world.begin("say done").await?;
    task.until_state(StateName::Waiting).await?;
    let id = task.id().clone();
    let client = world.serve.client();
    assert!(needs(client, &id).await?);
    for _ in 0..3 {
        client.put_aside(&id, &seen()).await?;
    }
    assert!(!needs(client, &id).await?);

    // The index goes too: what it says is in the journal.
    world.serve.kill()?;
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        let _ = std::fs::remove_file(world.data().join(name)); // some are not always there
    }
    let world = world.restart()?;
    let client = world.serve.client();
    assert!(!needs(client, &id).await?);
    let mut task = Watch::new(client.clone(), id.clone());
    task.until_state(StateName::Waiting).await?;
    client.say(&id, &say("say more")).await?;
    task.until_state(StateName::Running).await?;
    task.until_state(StateName::Waiting).await?;
    assert!(needs(client, &id).await?);
    assert_eq!(marks(&task), 1, "three looks at the same are one mark");
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_question_is_put_aside_by_a_word_and_never_by_a_look() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("ask Which? | one | two\nask Why?").await?;
    task.until("a question", question).await?;
    task.until_state(StateName::Asking).await?;
    let (client, id) = (world.serve.client(), task.id().clone());
    client.put_aside(&id, &seen()).await?;
    assert!(needs(client, &id).await?);
    let before = AsideRequest {
        up_to_seq: Some(3),
        ..aside()
    };
    client.put_aside(&id, &before).await?;
    assert!(needs(client, &id).await?, "it was asked after event 3");
    let paddock = |args: &[&str]| -> anyhow::Result<String> {
        let output = world.serve.cli()?.arg("aside").args(args).output()?;
        anyhow::ensure!(output.status.success(), "{args:?}: {}", output.status);
        Ok(String::from_utf8(output.stdout)?)
    };
    let said = paddock(&[id.as_str(), "--up-to", "3"])?;
    assert!(said.contains("needs you still"), "{said}");
    assert!(needs(client, &id).await?);
    let said = paddock(&[id.as_str()])?;
    assert!(said.contains("put aside"), "{said}");
    assert!(!needs(client, &id).await?);
    let now = client.task(&id).await?;
    assert!(now.allowed.contains(&Action::TakeUp) && now.allowed.contains(&Action::Answer));
    let back = AsideRequest {
        aside: false,
        ..aside()
    };
    client.put_aside(&id, &back).await?;
    assert!(needs(client, &id).await?);
    client.put_aside(&id, &aside()).await?;
    let open = client.task(&id).await?.questions[0].question_id.clone();
    let request = AnswerRequest {
        question_id: open,
        answer: Answer {
            choices: Vec::new(),
            text: Some("one".to_owned()),
        },
    };
    client.answer(&id, &request).await?;
    task.until("another question", question).await?;
    task.until_state(StateName::Asking).await?;
    assert!(needs(client, &id).await?);
    Ok(())
}

#[tokio::test]
async fn a_done_task_is_archived_found_and_taken_out_again_by_the_command_line()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write a.txt 1\nsay needle").await?;
    task.until_state(StateName::Waiting).await?;
    let (client, id) = (world.serve.client(), task.id().clone());
    let refused = client.archive(&id, true).await;
    let Err(ClientError::Refused { detail, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(detail.code, ErrorCode::NotNow);
    assert!(
        detail.message.contains("stop it first"),
        "{}",
        detail.message
    );

    client.stop(&id).await?;
    task.until_state(StateName::Stopped).await?;
    let paddock = |args: &[&str]| -> anyhow::Result<String> {
        let output = world.serve.cli()?.args(args).output()?;
        let said = String::from_utf8(output.stdout)?;
        anyhow::ensure!(
            output.status.success(),
            "{args:?} ended with {}",
            output.status
        );
        Ok(said)
    };
    let short = &id.as_str()[id.as_str().len() - 6..];
    assert!(paddock(&["archive", short])?.contains("archive"));
    assert!(!paddock(&["ls"])?.contains(short));
    assert!(paddock(&["ls", "--archived"])?.contains(short));
    assert!(paddock(&["show", short])?.contains("archived"));
    assert_eq!(listed(client, TaskQuery::default()).await?, []);
    // All of it is kept.
    let diff = client.diff(&id, &DiffRequest::default()).await?;
    assert!(String::from_utf8_lossy(&diff).contains("a.txt"));

    let world = world.restart()?;
    let client = world.serve.client();
    assert_eq!(listed(client, TaskQuery::default()).await?, []);
    client.revive(&id).await?;
    let mut task = Watch::new(client.clone(), id.clone());
    let revived = |event: &Event| match &event.body {
        Body::StateChanged { on, .. } if *on == Transition::ReviveRequested => Some(event.seq),
        _ => None,
    };
    task.until("the revival", revived).await?;
    let back = client.task(&id).await?;
    assert_eq!(back.archived_at, None);
    assert_eq!(listed(client, TaskQuery::default()).await?, [id]);
    world.hold_untouched();
    Ok(())
}
