//! A repository that was moved on the host: its task is told where it is now, and goes on there.

use std::fs;
use std::path::Path;

use paddock_api::ErrorCode;
use paddock_domain::{Body, Event, RelinkRequest, StateName, TurnOutcome};
use paddock_kit::{Ask, Repository, Watch};

use super::bad_repository::{holds, local, say};
use super::trash::hold_sound;
use super::world::World;

fn at(path: &Path) -> RelinkRequest {
    RelinkRequest {
        repository: None,
        path: path.display().to_string(),
    }
}

fn relinks(task: &Watch) -> Vec<(String, String)> {
    let told = |event: &Event| match &event.body {
        Body::RepositoryRelinked { repository, path } => Some((repository.clone(), path.clone())),
        _ => None,
    };
    task.seen().iter().filter_map(told).collect()
}

/// Moves the repository of `world` away; gives it at its new place.
fn moved(world: &World) -> anyhow::Result<Repository> {
    let away = world.path("away");
    fs::rename(&world.repository.path, &away)?;
    Ok(Repository { path: away })
}

#[tokio::test]
async fn a_task_goes_on_in_a_repository_that_was_moved_while_its_agent_runs() -> anyhow::Result<()>
{
    let world = World::new().await?;
    let mut task = world.begin("write a.txt a\ncommit First").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    assert!(client.task(task.id()).await?.missing.is_empty());
    let there = moved(&world)?;
    let known = world.repository.text();
    assert_eq!(client.task(task.id()).await?.missing, [known]);

    client.relink(task.id(), &at(&there.path)).await?;
    let now = client.task(task.id()).await?;
    assert!(now.missing.is_empty());
    assert_eq!(now.repositories[0].path, there.text());
    assert_eq!(now.spec.repositories[0].path, there.text());
    client
        .say(
            task.id(),
            &say("bash git fsck --full && git log --format=%s -2\nwrite b.txt b\ncommit Second"),
        )
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(there.subjects("main..paddock-0")?, ["Second", "First"]);
    client.sync(task.id(), &local()).await?;
    assert_eq!(
        relinks(&task),
        [(known.to_owned(), there.text().to_owned())]
    );
    hold_sound(&there);

    // It is the record and the journal that say it: a new life knows it too.
    let world = world.restart()?;
    let client = world.serve.client();
    let mut task = Watch::new(client.clone(), task.id().clone());
    client
        .say(task.id(), &say("write c.txt c\ncommit Third"))
        .await?;
    task.until("the third commit", |event| {
        matches!(&event.body, Body::CommitMade { subject, .. } if subject == "Third").then_some(())
    })
    .await?;
    assert_eq!(
        there.subjects("main..paddock-0")?,
        ["Third", "Second", "First"]
    );
    task.purge().await?;
    hold_sound(&there);
    Ok(())
}

#[tokio::test]
async fn what_is_not_the_same_repository_is_refused_and_nothing_changes() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write a.txt a\ncommit First").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let refused = client.relink(task.id(), &at(&world.path("nowhere"))).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::NotFound), "{refused}");
    let other = Repository::empty(&world.path("other"))?;
    other.write("other.txt", "other")?;
    other.git(&["add", "-A"])?;
    other.git(&["commit", "-q", "-m", "Other"])?;
    let refused = client
        .relink(task.id(), &at(&other.path))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Conflict), "{refused}");
    holds(
        &refused.to_string(),
        &["another repository", "Nothing has changed"],
    );
    let refs = other.git(&["for-each-ref", "--format=%(refname)"])?;
    assert_eq!(refs, "refs/heads/main", "nothing of the task is put there");
    let refused = client.relink(task.id(), &at(Path::new("relative"))).await;
    assert_eq!(refused.unwrap_err().code(), Some(ErrorCode::Invalid));
    let same = client.relink(task.id(), &at(&world.repository.path)).await;
    assert_eq!(same.unwrap_err().code(), Some(ErrorCode::Conflict));

    // A copy has where the task began, but not what the box borrowed since.
    let copy = world.path("copy");
    let later =
        world
            .repository
            .git(&["commit-tree", "main^{tree}", "-p", "main", "-m", "Later"])?;
    client
        .say(
            task.id(),
            &say(&format!(
                "bash git merge -q --no-edit {later}\nwrite b.txt b\ncommit On it"
            )),
        )
        .await?;
    task.until_turn_ends().await?;
    let text = copy.display().to_string();
    let clone = [
        "clone",
        "-q",
        "--single-branch",
        "-b",
        "main",
        "--no-local",
        ".",
        &text,
    ];
    world.repository.git(&clone)?;
    moved(&world)?;
    let refused = client.relink(task.id(), &at(&copy)).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Conflict), "{refused}");
    client.relink(task.id(), &at(&world.path("away"))).await?;
    client
        .say(
            task.id(),
            &say("bash git fsck --full\nwrite c.txt c\ncommit Still here"),
        )
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(relinks(&task).len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_repository_that_was_moved_is_seen_after_a_revival_in_a_container() -> anyhow::Result<()>
{
    let world = World::new().await?;
    let ask = Ask::scripted("write a.txt a\ncommit First")
        .on(&world.repository)
        .in_a("container")
        .boxed("network", "none".into());
    let mut task = world.serve.task(&ask).await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let there = moved(&world)?;
    let refused = client
        .relink(task.id(), &at(&there.path))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Conflict), "{refused}");
    holds(&refused.to_string(), &["stop the task"]);
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    client.relink(task.id(), &at(&there.path)).await?;
    client.revive(task.id()).await?;
    task.until_state(StateName::Waiting).await?;
    client
        .say(
            task.id(),
            &say("bash git fsck --full\nwrite b.txt b\ncommit Second"),
        )
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(there.subjects("main..paddock-0")?, ["Second", "First"]);
    task.purge().await?;
    hold_sound(&there);
    Ok(())
}
