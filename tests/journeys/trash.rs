//! The trash: what a removed box held is in the user's own repository, outlives Paddock's data, and comes
//! back; and nothing is removed before it is kept.

use std::fs;
use std::path::Path;

use paddock_api::{BranchQuery, ErrorCode, RepositoryQuery, TrashEntryQuery, TrashQuery};
use paddock_domain::{
    Action, Body, DiffRequest, DiffWhat, Message, PurgeRequest, StateName, TaskId, TrashEntry,
    TrashReason, TrashRestoreRequest, TurnOutcome,
};
use paddock_kit::{Ask, Repository, Serve, ServeOptions, Watch};
use serde_json::Value;

use super::world::World;

const FORCE: PurgeRequest = PurgeRequest {
    force: true,
    now: true,
    without_snapshot: false,
};

fn here(repository: &Repository) -> TrashQuery {
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
async fn a_preview_names_all_that_a_purge_would_take() -> anyhow::Result<()> {
    let world = World::new().await?;
    let script = "write done.txt done\ncommit Done\nbash echo x > stashed.txt; git stash push -q -u -m mine\n\
                  bash git checkout -q -b side && git commit -q --allow-empty -m Side && git checkout -q paddock-0\n\
                  write README.md changed\nwrite new.txt new\nbash echo built > .gitignore; mkdir built; echo 12345 > built/a; sleep 1000 > /dev/null 2>&1 &";
    let mut task = world.begin(script).await?;
    task.until_turn_ends().await?;
    let preview = world.serve.client().purge_preview(task.id()).await?;
    let seen = &preview.repositories[0];
    assert_eq!(seen.changed, ["README.md"]);
    assert_eq!(seen.untracked, [".gitignore", "new.txt"]);
    let subjects: Vec<_> = seen.commits.iter().map(|c| c.subject.as_str()).collect();
    assert_eq!(subjects, ["Done"]);
    assert!(seen.stashes[0].contains("mine"), "{:?}", seen.stashes);
    assert_eq!(
        seen.branches
            .iter()
            .map(|b| b.name.as_str())
            .collect::<Vec<_>>(),
        ["side"]
    );
    assert_eq!(
        (seen.ignored.files, seen.ignored.bytes, seen.ignored.kept),
        (1, 6, true)
    );
    assert_eq!((preview.unpushed, &preview.unknown), (2, &None));
    assert!(
        preview
            .processes
            .iter()
            .any(|p| p.command.contains("sleep 1000")),
        "{:?}",
        preview.processes
    );
    assert!(preview.box_bytes.is_some_and(|bytes| bytes > 0));
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn work_that_was_pushed_or_squashed_may_be_purged_without_force() -> anyhow::Result<()> {
    let world = World::new().await?;
    world.repository.with_remote(&world.path("remote.git"))?;
    let client = world.serve.client();
    for (target, script) in [
        ("branch", "write a.txt a\ncommit First"),
        (
            "default",
            "write b.txt b\ncommit One\nwrite b.txt c\ncommit Two",
        ),
    ] {
        let mut task = world.begin(script).await?;
        task.until_turn_ends().await?;
        let refused = client
            .purge(task.id(), &PurgeRequest::default())
            .await
            .unwrap_err();
        assert_eq!(
            refused.code(),
            Some(ErrorCode::WouldLose),
            "{target}: {refused}"
        );
        let request = serde_json::from_value(serde_json::json!({ "target": target }))?;
        client.sync(task.id(), &request).await?;
        let now = PurgeRequest {
            now: true,
            ..PurgeRequest::default()
        };
        client.purge(task.id(), &now).await?;
        task.until_state(StateName::Purged).await?;
    }
    hold_sound(&world.repository);
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
    task.until("why it is not removed", |event| match &event.body {
        Body::Notice { text, .. } if text.contains("not removed yet") => Some(text.clone()),
        _ => None,
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
async fn committed_and_uncommitted_changes_are_shown_apart() -> anyhow::Result<()> {
    let world = World::new().await?;
    let script = "write one.txt 1\ncommit One\nwrite two.txt 2\ncommit Two\nwrite three.txt 3";
    let mut task = world.begin(script).await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let commits = client
        .commits(task.id(), &RepositoryQuery::default())
        .await?;
    let seen = &commits.repositories[0];
    let subjects: Vec<_> = seen.commits.iter().map(|c| c.subject.as_str()).collect();
    assert_eq!(subjects, ["Two", "One"]);
    assert_eq!(
        (
            seen.commits[0].files,
            seen.commits[0].added,
            seen.uncommitted
        ),
        (1, 1, 1)
    );
    let diff = async |what: DiffWhat, commit: Option<&str>| {
        let request = DiffRequest {
            what,
            commit: commit.map(str::to_owned),
            ..DiffRequest::default()
        };
        let text = client.diff(task.id(), &request).await?;
        anyhow::Ok(String::from_utf8_lossy(&text).into_owned())
    };
    let names = |text: &str| {
        ["one", "two", "three"].map(|name| text.contains(&format!("+++ b/{name}.txt")))
    };
    assert_eq!(names(&diff(DiffWhat::All, None).await?), [true, true, true]);
    assert_eq!(
        names(&diff(DiffWhat::Committed, None).await?),
        [true, true, false]
    );
    assert_eq!(
        names(&diff(DiffWhat::Uncommitted, None).await?),
        [false, false, true]
    );
    let first = seen.commits[1].commit.as_str();
    assert_eq!(
        names(&diff(DiffWhat::All, Some(first)).await?),
        [true, false, false]
    );
    let foreign = diff(DiffWhat::All, Some(&seen.base_commit))
        .await
        .unwrap_err();
    assert!(
        foreign.to_string().contains("no commit of this task"),
        "{foreign}"
    );
    Ok(())
}

#[tokio::test]
async fn names_to_start_from_are_found_by_any_part() -> anyhow::Result<()> {
    let world = World::new().await?;
    for name in ["feature/login", "feature/logout", "fix/feature-flag"] {
        world.repository.git(&["branch", name])?;
    }
    world.repository.git(&["tag", "v1.0"])?;
    let client = world.serve.client();
    let query = BranchQuery {
        path: world.repository.text().to_owned(),
        prefix: Some("FEAT".to_owned()),
        limit: Some(2),
    };
    let found = client.branch_names(&query).await?;
    assert_eq!((found.items.len(), found.more), (2, true));
    let all = BranchQuery {
        limit: None,
        ..query.clone()
    };
    assert_eq!(client.branch_names(&all).await?.items.len(), 3);
    let any = BranchQuery {
        prefix: None,
        ..all
    };
    let names = client.branch_names(&any).await?;
    assert!(
        names.items.iter().any(|name| name.name == "v1.0"),
        "{names:?}"
    );
    let info = client
        .inspect(&paddock_api::InspectQuery { path: query.path })
        .await?;
    assert!(
        info.branches.contains(&"main".to_owned()),
        "{:?}",
        info.branches
    );
    Ok(())
}

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
        let ask = Ask::scripted(script).on(&world.repository).in_a(kind);
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
