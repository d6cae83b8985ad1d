//! The server is killed in every step of a purge and of its undo: the work is in the box or in the trash,
//! and the purge comes to its end, or never was.

use std::fs;
use std::path::Path;

use paddock_api::ErrorCode;
use paddock_domain::{Action, Message, PurgeRequest, StateName, TaskId, TurnOutcome};
use paddock_kit::{Ask, Repository, ServeOptions, Watch};

use super::trash::{FORCE, here, hold_sound};
use super::world::World;

/// What a purge goes through, as it can be seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Asked,
    Kept,
    Accepted,
    Removing,
    FilesGone,
    BoxGone,
}

impl Step {
    const ALL: [Self; 6] = [
        Self::Asked,
        Self::Kept,
        Self::Accepted,
        Self::Removing,
        Self::FilesGone,
        Self::BoxGone,
    ];

    fn is_reached(self, repository: &Repository, data: &Path, task: &TaskId) -> bool {
        let place = data.join("boxes").join(task.as_str());
        let journal = data.join("tasks").join(task.as_str()).join("journal.jsonl");
        let reads = |path: &Path, words: &str| {
            fs::read_to_string(path).is_ok_and(|text| text.contains(words))
        };
        match self {
            Self::Asked => true,
            Self::Kept => repository
                .path
                .join(".git/refs/paddock/trash")
                .join(task.as_str())
                .join("1")
                .exists(),
            Self::Accepted => reads(&journal, "\"purge_requested\""),
            Self::Removing => reads(&place.join("box.json"), "\"removing\"") || !place.exists(),
            Self::FilesGone => !place.join("work").exists(),
            Self::BoxGone => !place.exists(),
        }
    }
}

#[tokio::test]
async fn a_server_killed_in_any_step_of_a_purge_loses_nothing_and_ends_it_after()
-> anyhow::Result<()> {
    killed_while_purging("worktree").await
}

#[tokio::test]
async fn a_server_killed_in_any_step_of_a_purge_loses_nothing_in_a_container() -> anyhow::Result<()>
{
    killed_while_purging("container").await
}

/// Kills the server in every step of a purge of a box of this kind. Whatever happens, the work is in the
/// box or in the trash, and the purge comes to its end, or never was.
async fn killed_while_purging(kind: &str) -> anyhow::Result<()> {
    let mut world = World::with(ServeOptions::default().env("PADDOCK_PURGE_WINDOW_S", "0")).await?;
    for step in Step::ALL {
        let script = "write done.txt done\ncommit Done\nwrite work.txt precious";
        let ask = Ask::scripted(script)
            .on(&world.repository)
            .in_a(kind)
            .boxed("network", "none".into());
        let mut task = world.serve.task(&ask).await?;
        task.until_turn_ends().await?;
        let id = task.id().clone();
        let client = world.serve.client().clone();
        let asked = tokio::spawn({
            let id = id.clone();
            async move { client.purge(&id, &FORCE).await }
        });
        let (repository, data) = (world.repository.clone(), world.data().to_owned());
        let watched = id.clone();
        let reached = tokio::task::spawn_blocking(move || {
            let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
            while !step.is_reached(&repository, &data, &watched) {
                assert!(std::time::Instant::now() < deadline, "{step:?} never came");
            }
        });
        reached.await?;
        world = world.restart()?;
        asked.abort();

        let client = world.serve.client();
        let mut task = Watch::new(client.clone(), id.clone());
        let begun = client.task(&id).await?.task;
        let purging = matches!(begun.state, StateName::Purging | StateName::Purged);
        if !purging {
            // It was not accepted: the box is whole, and the work in it.
            client.purge(&id, &FORCE).await?;
        }
        task.until_state(StateName::Purged).await?;
        let list = client.trash(&here(&world.repository)).await?;
        let mine: Vec<_> = list
            .items
            .iter()
            .filter(|entry| entry.task_id == id)
            .collect();
        assert_eq!(mine.len(), 1, "{step:?}: the same is kept once: {mine:?}");
        let work = world
            .repository
            .git(&["show", &format!("{}:work.txt", mine[0].commit)])?;
        assert_eq!(work, "precious", "{step:?}");
        let left = fs::read_dir(world.data().join("boxes"))?.count();
        assert_eq!(left, 0, "{step:?}: a box is left");
        hold_sound(&world.repository);
        let refs = world
            .repository
            .git(&["for-each-ref", &format!("refs/paddock/{id}/")])?;
        assert_eq!(refs, "", "{step:?}");
    }
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_server_killed_around_an_undo_leaves_a_whole_box_or_a_removed_one() -> anyhow::Result<()>
{
    let mut world = World::new().await?;
    for kill_first in [true, false] {
        let mut task = world.begin("remember it\nwrite work.txt precious").await?;
        task.until_turn_ends().await?;
        let id = task.id().clone();
        let force = PurgeRequest {
            force: true,
            ..PurgeRequest::default()
        };
        world.serve.client().purge(&id, &force).await?;
        if kill_first {
            world = world.restart()?;
            world.serve.client().restore(&id).await?;
        } else {
            let _ = world.serve.client().restore(&id).await;
            world = world.restart()?;
        }
        let mut task = Watch::new(world.serve.client().clone(), id.clone());
        task.until_state(StateName::Stopped).await?;
        let say = Message {
            input_id: None,
            text: "recall\nread work.txt".to_owned(),
            attachments: Vec::new(),
        };
        world.serve.client().say(&id, &say).await?;
        assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
        let read = task.seen().iter().any(|event| {
            serde_json::to_string(event)
                .is_ok_and(|text| text.contains("tool_call_finished") && text.contains("precious"))
        });
        assert!(read, "the work is gone: {:?}", task.types());
    }
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_purge_that_was_half_done_when_the_server_died_cannot_be_undone_and_says_so()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write work.txt precious").await?;
    task.until_turn_ends().await?;
    let id = task.id().clone();
    let force = PurgeRequest {
        force: true,
        ..PurgeRequest::default()
    };
    world.serve.client().purge(&id, &force).await?;
    task.until_state(StateName::Purging).await?;
    task.until("the end of the run", |event| {
        (event.body.type_name() == "run_ended").then_some(())
    })
    .await?;
    // As a crash in mid-removal leaves it.
    let record = world
        .data()
        .join("boxes")
        .join(id.as_str())
        .join("box.json");
    let text = fs::read_to_string(&record)?.replace("\"ready\"", "\"removing\"");
    fs::write(&record, text)?;
    let refused = world.serve.client().restore(&id).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Conflict), "{refused}");
    assert!(
        refused.to_string().contains("paddock trash ls"),
        "{refused}"
    );
    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id.clone());
    task.until_state(StateName::Purged).await?;
    let shown = world.serve.client().task(&id).await?.task;
    assert!(!shown.allowed.contains(&Action::Restore));
    assert_eq!(
        world
            .serve
            .client()
            .trash(&here(&world.repository))
            .await?
            .items
            .len(),
        1
    );
    Ok(())
}
