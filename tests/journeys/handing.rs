//! Files that go with words, forks, hand-offs, and one prompt on several agents.

use paddock_api::{CheckRequest, ErrorCode, GroupRequest};
use paddock_client::ClientError;
use paddock_domain::{
    Attachment, Body, CondensePolicy, Contender, Event, ForkRequest, HandOffRequest, HarnessName,
    Message, PickRequest, PurgeRequest, StateName, TaskId, TurnOutcome,
};
use paddock_kit::{Ask, Watch};

use super::world::World;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nnot much of an image";

fn say(text: &str, attachments: Vec<Attachment>) -> Message {
    Message {
        input_id: None,
        text: text.to_owned(),
        attachments,
    }
}

fn contender(model: &str) -> Contender {
    Contender {
        harness: HarnessName::parse("scripted").unwrap(),
        harness_version: None,
        model: Some(model.to_owned()),
        effort: None,
    }
}

fn fork(prompt: &str, uncommitted: bool) -> ForkRequest {
    ForkRequest {
        prompt: prompt.to_owned(),
        attachments: Vec::new(),
        title: None,
        uncommitted,
        with: None,
        request_key: None,
    }
}

/// What a session that begins is told of before, and why.
fn briefs(task: &Watch, wanted: CondensePolicy) -> Vec<String> {
    let told = task.seen().iter().filter_map(|event: &Event| {
        if let Body::ContextCondensed {
            policy,
            summary_text,
            ..
        } = &event.body
        {
            return summary_text.clone().filter(|_| *policy == wanted);
        }
        None
    });
    told.collect()
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> ErrorCode {
    answer.unwrap_err().code().unwrap()
}

fn in_home(world: &World, task: &TaskId, file: &Attachment) -> std::path::PathBuf {
    let home = world.data().join("boxes").join(task.as_str()).join("home");
    home.join(file.path_in_home())
}

#[tokio::test]
async fn files_go_into_the_box_with_the_words_and_outlive_the_server() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let image = client.upload("../shot 1.png", PNG.into()).await?;
    assert_eq!(image.name, "shot-1.png");
    assert_eq!(image.media_type, "image/png");
    let ask = Ask::scripted("say First").on(&world.repository);
    let mut spec = ask.spec();
    spec.attachments = vec![image.clone()];
    let created = client.create(&spec).await?;
    let mut task = Watch::new(client.clone(), created.task_id);
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(std::fs::read(in_home(&world, task.id(), &image))?, PNG);

    let id = task.id().clone();
    let world = world.restart()?;
    let client = world.serve.client();
    let mut task = Watch::new(client.clone(), id);
    assert_eq!(client.artifact(task.id(), &image.sha256).await?, PNG);
    let note = client.upload("note.txt", "read me".into()).await?;
    let read = format!("bash cat \"$HOME/{}\"\nsay Read.", note.path_in_home());
    task.until_turn_ends().await?;
    client
        .say(task.id(), &say(&read, vec![note.clone(), image.clone()]))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let sent = task
        .seen()
        .iter()
        .flat_map(|event| event.body.attachments());
    let names: Vec<_> = sent.map(|file| file.name.as_str()).collect();
    assert_eq!(
        names,
        ["shot-1.png", "shot-1.png", "note.txt", "shot-1.png"]
    );
    let output = task.seen().iter().find_map(|event| match &event.body {
        Body::ToolCallFinished(call) => call.output.clone(),
        _ => None,
    });
    assert_eq!(output.as_deref().map(str::trim), Some("read me"));

    let made_up = Attachment {
        sha256: "0".repeat(64),
        ..note.clone()
    };
    let refused = client.say(task.id(), &say("x", vec![made_up])).await;
    assert_eq!(refusal(refused), ErrorCode::NotFound);
    let lied = Attachment {
        media_type: "image/png".to_owned(),
        ..note
    };
    let refused = client.say(task.id(), &say("x", vec![lied])).await;
    assert_eq!(refusal(refused), ErrorCode::Invalid);
    assert!(client.verify_journal(task.id()).await?.findings.is_empty());
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_fork_has_the_commits_the_files_and_the_memory_and_leaves_the_first_alone()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let script = "remember the colour is blue\nwrite a.txt a\ncommit First\nwrite loose.txt loose\nwrite README.md changed";
    let mut parent = world.begin(script).await?;
    parent.until_turn_ends().await?;
    let made = client
        .fork(
            parent.id(),
            &fork(
                "recall\nbash cat a.txt loose.txt README.md\ncommit Second",
                true,
            ),
        )
        .await?;
    let mut child = Watch::new(client.clone(), made.task_id);
    assert_eq!(child.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(
        child.said().contains("Remembered: the colour is blue"),
        "{}",
        child.said()
    );
    assert_eq!(world.repository.subjects("main..paddock-0")?, ["First"]);
    assert_eq!(
        world.repository.subjects("main..paddock-1")?,
        ["Second", "First"]
    );
    let shown = ["show", "paddock-1:loose.txt"];
    assert_eq!(world.repository.git(&shown)?.trim(), "loose");
    let first = client.task(parent.id()).await?;
    assert_eq!(first.forks.len(), 1);
    assert_eq!(first.forks[0].task_id, *child.id());
    assert_eq!(first.repositories[0].diff.uncommitted, 2);
    let origin = child.task().await?.spec.origin.clone().unwrap();
    assert_eq!(origin.task_id.as_ref(), Some(parent.id()));

    // The session is its own: what one is told from now on, the other does not know.
    client
        .say(child.id(), &say("remember the shape is round", Vec::new()))
        .await?;
    child.until_turn_ends().await?;
    client.say(parent.id(), &say("recall", Vec::new())).await?;
    parent.until_turn_ends().await?;
    assert!(!parent.said().contains("round"), "{}", parent.said());
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_fork_on_another_harness_or_without_a_session_is_told_in_words() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut parent = world.begin("say I have begun.\nwrite loose.txt x").await?;
    parent.until_turn_ends().await?;
    let sessions = world.data().join("boxes").join(parent.id().as_str());
    std::fs::remove_dir_all(sessions.join("home/.scripted/sessions"))?;
    let made = client.fork(parent.id(), &fork("say Here.", false)).await?;
    let mut child = Watch::new(client.clone(), made.task_id);
    assert_eq!(child.until_turn_ends().await?, TurnOutcome::Completed);
    let told = briefs(&child, CondensePolicy::Forked);
    assert_eq!(told.len(), 1, "{:?}", child.types());
    assert!(told[0].contains("I have begun."), "{}", told[0]);
    assert_eq!(child.task().await?.repositories[0].diff.uncommitted, 0);
    let again = client
        .fork(
            parent.id(),
            &ForkRequest {
                prompt: " ".into(),
                ..fork("", false)
            },
        )
        .await;
    assert_eq!(refusal(again), ErrorCode::Invalid);
    let mut spec = Ask::scripted("say x").on(&world.repository).spec();
    spec.origin = child.task().await?.spec.origin.clone();
    assert_eq!(refusal(client.create(&spec).await), ErrorCode::Invalid);
    Ok(())
}

#[tokio::test]
async fn another_agent_takes_over_in_the_same_box_from_what_is_written() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut task = world
        .begin("think hard\nremember it\nsay I have begun.\nwrite a.txt a\ncommit First")
        .await?;
    task.until_turn_ends().await?;
    let request = HandOffRequest {
        to: contender("scripted-2"),
        reason: Some("the limit is near".into()),
    };
    client.hand_off(task.id(), &request).await?;
    client
        .say(task.id(), &say("recall\nbash cat a.txt", Vec::new()))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let told = briefs(&task, CondensePolicy::ProviderHandoff);
    assert_eq!(told.len(), 1, "{:?}", task.types());
    for part in ["from another agent", "I have begun.", "First"] {
        assert!(told[0].contains(part), "{part}: {}", told[0]);
    }
    assert!(!task.said().contains("Remembered: it"), "{}", task.said());
    let seen = task.task().await?;
    assert_eq!(seen.spec.model.as_deref(), Some("scripted-2"));
    assert_eq!(seen.model.as_deref(), Some("scripted-2"));
    let boxes = task
        .types()
        .iter()
        .filter(|it| **it == "box_created")
        .count();
    assert_eq!(boxes, 1, "the box is the same");
    let missing = HandOffRequest {
        to: Contender {
            harness: HarnessName::parse("nobody")?,
            ..contender("x")
        },
        reason: None,
    };
    let refused = client.hand_off(task.id(), &missing).await;
    assert_eq!(refusal(refused), ErrorCode::NotFound);

    // A stopped task is handed over too, and hears of it when it is revived.
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    let request = HandOffRequest {
        to: contender("scripted-3"),
        reason: None,
    };
    client.hand_off(task.id(), &request).await?;
    client
        .say(task.id(), &say("say Third.", Vec::new()))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let told = briefs(&task, CondensePolicy::ProviderHandoff);
    assert_eq!(told.len(), 2, "{:?}", task.types());
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn one_prompt_runs_on_several_agents_is_checked_and_one_is_chosen() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let ask = Ask::scripted("write a.txt a\ncommit Done").on(&world.repository);
    let request = GroupRequest {
        task: ask.spec(),
        also: vec![contender("scripted-2"), contender("scripted-3")],
        check: Some("test -f a.txt && echo good".into()),
    };
    let group = client.create_group(&request).await?;
    assert_eq!(group.members.len(), 3);
    let mut watches = Vec::new();
    for member in &group.members {
        let mut watch = Watch::new(client.clone(), member.task.task_id.clone());
        assert_eq!(watch.until_turn_ends().await?, TurnOutcome::Completed);
        watches.push(watch);
    }
    assert_eq!(world.repository.branches()?.len(), 4);
    let spoiled = watches[1].id().clone();
    client
        .say(&spoiled, &say("bash rm a.txt", Vec::new()))
        .await?;
    watches[1].until_turn_ends().await?;
    let checks = client
        .check_group(&group.group_id, &CheckRequest::default())
        .await?;
    let codes: Vec<_> = checks
        .items
        .iter()
        .map(|check| check.result.as_ref().and_then(|result| result.exit_code))
        .collect();
    assert_eq!(codes, [Some(0), Some(1), Some(0)], "{checks:?}");
    let good = checks.items[0].result.as_ref().unwrap();
    assert_eq!(good.output.trim(), "good");
    for watch in &mut watches {
        watch
            .until("the check", |event| match &event.body {
                Body::CheckFinished(result) => Some(result.clone()),
                _ => None,
            })
            .await?;
    }
    let shown = client.group(&group.group_id).await?;
    let verdicts: Vec<_> = shown
        .members
        .iter()
        .map(|member| member.check.as_ref().is_some_and(|check| check.passed()))
        .collect();
    assert_eq!(verdicts, [true, false, true]);

    let pick = PickRequest {
        task_id: watches[2].id().clone(),
        purge_others: Some(PurgeRequest {
            force: true,
            ..PurgeRequest::default()
        }),
    };
    let picked = client.pick(&group.group_id, &pick).await?;
    assert_eq!(picked.winner.as_ref(), Some(watches[2].id()));
    for loser in [0, 1] {
        watches[loser].until_state(StateName::Purging).await?;
    }
    assert_eq!(watches[2].task().await?.state, StateName::Waiting);
    let alone = GroupRequest {
        also: Vec::new(),
        ..request
    };
    assert_eq!(
        refusal(client.create_group(&alone).await),
        ErrorCode::Invalid
    );
    world.hold_untouched();
    Ok(())
}
