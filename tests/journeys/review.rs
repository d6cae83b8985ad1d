//! What a reviewer looks at before work leaves or goes: what a purge would take, changes and commits
//! apart, names to start from.

use paddock_api::{BranchQuery, ErrorCode, RepositoryQuery};
use paddock_domain::{DiffRequest, DiffWhat, PurgeRequest, StateName};

use super::trash::hold_sound;
use super::world::World;

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
