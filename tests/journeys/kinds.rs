//! Repositories of every kind that git has go all the way: task, turn, purge, trash, restore.

use std::fs;

use paddock_domain::{StateName, TurnOutcome};
use paddock_kit::{Ask, Repository};

use super::bad_repository::holds;
use super::trash::hold_sound;
use super::world::World;

/// Takes a task's work through all of its life on `repository`, of whatever kind it is.
async fn live_through(world: &World, repository: &Repository) -> anyhow::Result<()> {
    let ask = Ask::scripted("write a.txt a\ncommit First\nwrite loose.txt loose").on(repository);
    let mut task = world.serve.task(&ask).await?;
    assert_eq!(
        task.until_turn_ends().await?,
        TurnOutcome::Completed,
        "{}",
        repository.text()
    );
    let branch = task.task().await?.repositories[0]
        .branch
        .clone()
        .unwrap_or_default();
    let subject = repository.git(&["log", "-1", "--format=%s", &branch])?;
    assert_eq!(subject, "First", "{}", repository.text());
    let client = world.serve.client();
    task.purge().await?;
    let query = paddock_api::TrashQuery {
        repository: Some(repository.text().to_owned()),
        task_id: Some(task.id().clone()),
    };
    let list = client.trash(&query).await?;
    assert_eq!(list.items.len(), 1, "{}", repository.text());
    let request = paddock_domain::TrashRestoreRequest {
        repository: Some(repository.text().to_owned()),
        ..paddock_domain::TrashRestoreRequest::default()
    };
    let back = client
        .trash_restore(task.id(), list.items[0].number, &request)
        .await?;
    let text = repository.git(&["show", &format!("{}:loose.txt", back.branch)])?;
    assert_eq!(text, "loose", "{}", repository.text());
    hold_sound(repository);
    Ok(())
}

fn first_commit(repository: &Repository) -> anyhow::Result<()> {
    repository.write("README.md", "read me\n")?;
    repository.git(&["add", "-A"])?;
    repository.git(&["commit", "-q", "-m", "Begin"])?;
    Ok(())
}

#[tokio::test]
async fn repositories_of_every_kind_go_all_the_way() -> anyhow::Result<()> {
    let world = World::new().await?;
    let made = |name: &str, args: &[&str]| -> anyhow::Result<Option<Repository>> {
        let path = world.path(name);
        fs::create_dir(&path)?;
        let repository = Repository { path };
        if repository.git(args).is_err() {
            eprintln!("not tested: this git cannot make a repository of the kind {name}");
            return Ok(None);
        }
        first_commit(&repository)?;
        Ok(Some(repository))
    };
    let linked = Repository {
        path: world.path("linked"),
    };
    let at = linked.text().to_owned();
    world
        .repository
        .git(&["worktree", "add", "-q", "-b", "linked", &at])?;
    let outer = Repository::sample(&world.path("outer"))?;
    let from = world.repository.text();
    outer.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        from,
        "lib",
    ])?;
    outer.git(&["commit", "-q", "-m", "With a submodule"])?;
    let submodule = Repository {
        path: outer.path.join("lib"),
    };
    let pointers = Repository::sample(&world.path("pointers"))?;
    pointers.write(
        ".gitattributes",
        "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    )?;
    pointers.write(
        "big.bin",
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    )?;
    pointers.git(&[
        "-c",
        "filter.lfs.clean=cat",
        "-c",
        "filter.lfs.required=false",
        "add",
        "-A",
    ])?;
    pointers.git(&["commit", "-q", "-m", "Pointers"])?;
    let kinds = [
        Some(world.repository.clone()),
        made(
            "sha256",
            &["init", "-q", "-b", "main", "--object-format=sha256"],
        )?,
        made(
            "reftable",
            &["init", "-q", "-b", "main", "--ref-format=reftable"],
        )?,
        Some(linked),
        Some(submodule),
        Some(pointers),
    ];
    for repository in kinds.iter().flatten() {
        let before = repository.fingerprint()?;
        live_through(&world, repository).await?;
        assert_eq!(repository.fingerprint()?, before, "{}", repository.text());
    }
    Ok(())
}

#[tokio::test]
async fn a_repository_on_another_file_system_goes_all_the_way() -> anyhow::Result<()> {
    let elsewhere = std::path::Path::new("/dev/shm");
    if !elsewhere.is_dir() {
        eprintln!("not tested: there is no file system in memory here");
        return Ok(());
    }
    let world = World::new().await?;
    let dir = tempfile::Builder::new()
        .prefix("journey-")
        .tempdir_in(elsewhere)?;
    let repository = Repository::sample(&dir.path().join("repository"))?;
    live_through(&world, &repository).await
}

#[tokio::test]
async fn a_partial_clone_is_told_what_it_lacks() -> anyhow::Result<()> {
    let world = World::new().await?;
    world
        .repository
        .git(&["config", "uploadpack.allowFilter", "true"])?;
    let path = world.path("partial");
    let url = format!("file://{}", world.repository.text());
    let to = path.display().to_string();
    world.repository.git(&[
        "clone",
        "-q",
        "--no-checkout",
        "--filter=blob:none",
        &url,
        &to,
    ])?;
    let partial = Repository { path };
    let mut task = world.serve.task(&Ask::scripted("x").on(&partial)).await?;
    task.until_state(StateName::Failed).await?;
    let failure = task.task().await?.failure.map(|failure| failure.message);
    holds(
        &failure.unwrap_or_default(),
        &["git fetch --refetch --no-filter"],
    );
    partial.git(&["fetch", "-q", "--refetch", "--no-filter"])?;
    live_through(&world, &partial).await
}
