//! The trash: what a removed box held is in the user's own repository, outlives Paddock's data, and comes
//! back; and nothing is removed before it is kept.

use std::fs;

use paddock_api::{ErrorCode, RepositoryQuery, TrashEntryQuery, TrashQuery};
use paddock_domain::{
    Message, PurgeRequest, StateName, TaskId, TrashEntry, TrashReason, TrashRestoreRequest,
    TurnOutcome,
};
use paddock_kit::{Ask, Repository, Serve, ServeOptions, Watch};
use serde_json::Value;

use super::bad_repository::notice;
use super::world::World;

pub(crate) const FORCE: PurgeRequest = PurgeRequest {
    force: true,
    now: true,
    without_snapshot: false,
};

pub(crate) fn here(repository: &Repository) -> TrashQuery {
    TrashQuery {
        repository: Some(repository.text().to_owned()),
        task_id: None,
    }
}

/// Holds that the repository is sound, in git's own words.
#[track_caller]
pub(crate) fn hold_sound(repository: &Repository) {
    repository
        .git(&["fsck", "--full", "--strict", "--no-dangling"])
        .unwrap();
}

async fn purged(world: &World, script: &str) -> anyhow::Result<(TaskId, Vec<TrashEntry>)> {
    let mut task = world.begin(script).await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    client.purge(task.id(), &FORCE).await?;
    task.until_state(StateName::Purged).await?;
    let list = client.trash(&TrashQuery::default()).await?;
    Ok((task.id().clone(), list.items))
}

#[tokio::test]
async fn what_was_purged_is_listed_shown_brought_back_and_let_go() -> anyhow::Result<()> {
    let world = World::new().await?;
    let script = "write done.txt done\ncommit Done\nwrite loose.txt loose\nbash echo secret > .env; echo .env > .gitignore\n\
                  bash git branch side; git stash list";
    let (id, entries) = purged(&world, script).await?;
    let client = world.serve.client();
    let [entry] = entries.as_slice() else {
        anyhow::bail!("{entries:?}");
    };
    assert_eq!((&entry.task_id, entry.reason), (&id, TrashReason::Purge));
    assert_eq!(entry.branch.as_deref(), Some("paddock-0"));
    assert_eq!(
        (entry.uncommitted, entry.ignored.files, entry.ignored.kept),
        (2, 1, true)
    );
    assert_eq!(entry.expires_at, None);

    let detail = client
        .trash_entry(&id, entry.number, &TrashEntryQuery::default())
        .await?;
    assert!(detail.diff.contains("+loose\n"), "{}", detail.diff);
    assert_eq!(detail.files.files.len(), 2);
    let one = TrashEntryQuery {
        path: Some(".gitignore".to_owned()),
        ..TrashEntryQuery::default()
    };
    let one = client.trash_entry(&id, entry.number, &one).await?;
    assert!(
        one.diff.contains("+.env\n") && !one.diff.contains("loose"),
        "{}",
        one.diff
    );

    let request = TrashRestoreRequest {
        branch: Some("rescued".to_owned()),
        others: true,
        ..TrashRestoreRequest::default()
    };
    let restored = client.trash_restore(&id, entry.number, &request).await?;
    let file = |revision: &str| world.repository.git(&["show", revision]);
    assert_eq!(file("rescued:loose.txt")?, "loose");
    assert_eq!(file("rescued-extra:ignored/.env")?, "secret");
    assert_eq!(
        world.repository.subjects("main..rescued")?,
        ["Restore uncommitted work", "Done"]
    );
    assert_eq!(restored.branch, "rescued");
    let again = client
        .trash_restore(&id, entry.number, &request)
        .await
        .unwrap_err();
    assert_eq!(again.code(), Some(ErrorCode::Conflict), "{again}");

    let dropped = client
        .trash_drop(&id, entry.number, &RepositoryQuery::default())
        .await?;
    assert_eq!(dropped.commit, entry.commit);
    assert!(client.trash(&TrashQuery::default()).await?.items.is_empty());
    let gone = client
        .trash_entry(&id, entry.number, &TrashEntryQuery::default())
        .await
        .unwrap_err();
    assert_eq!(gone.code(), Some(ErrorCode::NotFound), "{gone}");
    hold_sound(&world.repository);
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn kept_work_goes_on_as_a_new_task() -> anyhow::Result<()> {
    let world = World::new().await?;
    let (id, entries) = purged(&world, "write loose.txt loose").await?;
    let request = TrashRestoreRequest {
        task: Some(Ask::scripted("read loose.txt\nwrite more.txt more\ncommit More").spec()),
        ..TrashRestoreRequest::default()
    };
    let client = world.serve.client();
    let restored = client
        .trash_restore(&id, entries[0].number, &request)
        .await?;
    let mut task = Watch::new(client.clone(), restored.task_id.unwrap());
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(restored.branch, "paddock-0-restored");
    assert_eq!(
        world.repository.subjects("main..paddock-0-restored")?,
        ["More", "Restore uncommitted work"]
    );
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn the_trash_outlives_paddocks_own_data() -> anyhow::Result<()> {
    let world = World::new().await?;
    let (id, entries) = purged(&world, "write loose.txt loose").await?;
    let fresh = Serve::start(&world.path("fresh"), ServeOptions::default()).await?;
    assert!(
        fresh
            .client()
            .trash(&TrashQuery::default())
            .await?
            .items
            .is_empty()
    );
    let list = fresh.client().trash(&here(&world.repository)).await?;
    let [entry] = list.items.as_slice() else {
        anyhow::bail!("{list:?}");
    };
    assert_eq!((&entry.commit, &entry.title), (&entries[0].commit, &None));

    let paddock = |args: &[&str]| -> anyhow::Result<std::process::Output> {
        let mut command = fresh.cli()?;
        Ok(command.args(["trash"]).args(args).output()?)
    };
    let path = world.repository.text();
    let listed = paddock(&["ls", "--json", "--repository", path])?;
    let listed: Value = serde_json::from_slice(&listed.stdout)?;
    assert_eq!(listed["items"][0]["task_id"], id.as_str());
    let (short, number) = (&id.as_str()[..8], entry.number.to_string());
    let shown = paddock(&["show", short, &number, "--repository", path])?;
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("+loose") && shown.contains("paddock-0"),
        "{shown}"
    );
    let args = [
        "restore",
        short,
        &number,
        "--repository",
        path,
        "--branch",
        "back",
    ];
    let restored = paddock(&args)?;
    assert!(restored.status.success(), "{restored:?}");
    assert_eq!(world.repository.git(&["show", "back:loose.txt"])?, "loose");
    let kept = paddock(&["drop", short, &number, "--repository", path])?;
    assert!(!kept.status.success(), "nobody was there to ask");
    let dropped = paddock(&["drop", short, &number, "--repository", path, "--yes"])?;
    assert!(dropped.status.success(), "{dropped:?}");
    assert!(
        fresh
            .client()
            .trash(&here(&world.repository))
            .await?
            .items
            .is_empty()
    );
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn what_is_kept_longer_than_the_user_said_goes_by_itself() -> anyhow::Result<()> {
    let options = ServeOptions::default().env("PADDOCK_TRASH_KEEP_DAYS", "30");
    let world = World::with(options).await?;
    let (id, _) = purged(&world, "write loose.txt loose").await?;
    let name = format!("refs/paddock/trash/{id}/1");
    let tree = world
        .repository
        .git(&["rev-parse", &format!("{name}^{{tree}}")])?;
    let old = [
        "-c",
        "user.name=x",
        "-c",
        "user.email=x",
        "commit-tree",
        &tree,
        "-m",
        "old",
    ];
    let old = std::process::Command::new("git")
        .args(["-C", world.repository.text()])
        .args(old)
        .env("GIT_COMMITTER_DATE", "1000000000 +0000")
        .output()?;
    let old = String::from_utf8(old.stdout)?;
    let aged = format!("refs/paddock/trash/{id}/2");
    world.repository.git(&["update-ref", &aged, old.trim()])?;
    let world = world.restart()?;
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while world
        .repository
        .git(&["rev-parse", "-q", "--verify", &aged])
        .is_ok()
    {
        assert!(std::time::Instant::now() < deadline, "it is still there");
    }
    let list = world.serve.client().trash(&here(&world.repository)).await?;
    let numbers: Vec<_> = list.items.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers, [1]);
    assert!(list.items[0].expires_at.is_some());
    Ok(())
}

#[tokio::test]
async fn a_box_is_not_removed_while_its_work_cannot_be_kept() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write work.txt precious").await?;
    task.until_turn_ends().await?;
    let away = world.path("away");
    fs::rename(&world.repository.path, &away)?;
    let client = world.serve.client();
    let refused = client.purge(task.id(), &FORCE).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::WouldLose), "{refused}");
    let said = refused.to_string();
    assert!(
        said.contains("moved or deleted") && said.contains("--without-snapshot"),
        "{said}"
    );
    assert_eq!(client.task(task.id()).await?.task.state, StateName::Waiting);
    fs::rename(&away, &world.repository.path)?;
    client.purge(task.id(), &FORCE).await?;
    task.until_state(StateName::Purged).await?;
    let list = client.trash(&TrashQuery::default()).await?;
    assert_eq!(list.items.len(), 1);
    hold_sound(&world.repository);
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_removal_that_cannot_keep_waits_and_can_be_undone_or_forced() -> anyhow::Result<()> {
    let world = World::new().await?;
    let away = world.path("away");
    let client = world.serve.client();
    let mut task = world.begin("write work.txt precious").await?;
    task.until_turn_ends().await?;
    let purge = PurgeRequest {
        force: true,
        ..PurgeRequest::default()
    };
    client.purge(task.id(), &purge).await?;
    task.until_state(StateName::Purging).await?;
    fs::rename(&world.repository.path, &away)?;
    client.purge(task.id(), &FORCE).await?;
    task.until("why it is not removed", |event| {
        notice(event)
            .filter(|text| text.contains("not removed yet"))
            .map(drop)
    })
    .await?;
    let place = world.data().join("boxes").join(task.id().as_str());
    assert!(place.exists());
    client.restore(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    fs::rename(&away, &world.repository.path)?;
    let say = Message {
        input_id: None,
        text: "bash cat work.txt".to_owned(),
        attachments: Vec::new(),
    };
    client.say(task.id(), &say).await?;
    task.until_turn_ends().await?;

    fs::rename(&world.repository.path, &away)?;
    let refused = client.purge(task.id(), &FORCE).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::WouldLose), "{refused}");
    let named = PurgeRequest {
        without_snapshot: true,
        ..FORCE
    };
    client.purge(task.id(), &named).await?;
    task.until_state(StateName::Purged).await?;
    assert!(!place.exists());
    fs::rename(&away, &world.repository.path)?;
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn work_between_the_purge_and_the_end_of_the_agent_is_kept_too() -> anyhow::Result<()> {
    let world = World::new().await?;
    let script = "ignore-sigterm\nwrite first.txt 1\nsay Ready.\nbash i=0; while :; do i=$((i+1)); echo $i >> count.txt; done";
    let mut task = world.begin(script).await?;
    task.until("readiness", |event| {
        (event.body.type_name() == "assistant_message").then_some(())
    })
    .await?;
    let client = world.serve.client();
    client.purge(task.id(), &FORCE).await?;
    task.until_state(StateName::Purged).await?;
    let list = client.trash(&TrashQuery::default()).await?;
    // The first was kept at the request, the last when the agent had ended.
    assert!(list.items.len() >= 2, "{list:?}");
    let lines = |entry: &TrashEntry| -> anyhow::Result<usize> {
        let file = format!("{}:count.txt", entry.commit);
        let text = world.repository.git(&["show", &file]);
        Ok(text.unwrap_or_default().lines().count())
    };
    assert!(lines(&list.items[0])? > lines(&list.items[1])?);
    hold_sound(&world.repository);
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_task_whose_box_is_gone_is_purged_and_what_came_out_of_it_stays() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write a.txt a\ncommit Came out").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    fs::remove_dir_all(world.data().join("boxes").join(task.id().as_str()))?;
    let world = world.restart()?;
    let client = world.serve.client();
    let mut task = Watch::new(client.clone(), task.id().clone());
    assert!(client.purge_preview(task.id()).await?.is_safe());
    let now = PurgeRequest {
        now: true,
        ..PurgeRequest::default()
    };
    client.purge(task.id(), &now).await?;
    task.until_state(StateName::Purged).await?;
    assert_eq!(world.repository.subjects("main..paddock-0")?, ["Came out"]);
    hold_sound(&world.repository);
    Ok(())
}
