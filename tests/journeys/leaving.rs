//! Commits on their way out: commit with a preview, sync with a lease, squash, and the scan before a push.

use paddock_api::{CommitPreviewQuery, ErrorCode};
use paddock_domain::{Body, CommitRequest, DiffRequest, SyncRequest, SyncTarget, Transition};

use super::world::World;

/// A private key as a scanner sees it, and as no scanner of this repository does.
const KEY: &str = concat!("-----BEGIN RSA PRIVATE", " KEY-----");

fn to(target: SyncTarget) -> SyncRequest {
    SyncRequest {
        target,
        ..SyncRequest::default()
    }
}

#[tokio::test]
async fn what_is_left_uncommitted_is_shown_and_committed_on_request_only() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write left.txt over").await?;
    task.until_turn_ends().await?;
    assert!(world.repository.subjects("main..paddock-0")?.is_empty());

    let client = world.serve.client();
    let preview = client
        .commit_preview(task.id(), &CommitPreviewQuery::default())
        .await?;
    let shown = &preview.repositories[0];
    assert_eq!(
        shown
            .files
            .iter()
            .map(|file| file.path.as_str())
            .collect::<Vec<_>>(),
        ["left.txt"]
    );
    let request = CommitRequest {
        repository: shown.repository.clone(),
        message: "Keep what was left".to_owned(),
        token: shown.token.clone(),
        files: None,
    };
    client.commit(task.id(), &request).await?;
    client.sync(task.id(), &to(SyncTarget::Local)).await?;
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Keep what was left"]
    );
    task.until("the sync", |event| {
        let synced =
            matches!(&event.body, Body::StateChanged { on, .. } if *on == Transition::Synced);
        synced.then_some(())
    })
    .await?;
    let told = task.seen().iter();
    let told = told.filter(|event| matches!(event.body, Body::CommitMade { .. }));
    assert_eq!(told.count(), 1, "a commit is told once");
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn files_are_chosen_for_a_commit_and_the_others_stay() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("write one.txt 1\nwrite two.txt 2\nwrite three.txt 3")
        .await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let shown = client
        .commit_preview(task.id(), &CommitPreviewQuery::default())
        .await?;
    let shown = &shown.repositories[0];
    let request = |files: &[&str]| CommitRequest {
        repository: shown.repository.clone(),
        message: "Keep some".to_owned(),
        token: shown.token.clone(),
        files: Some(files.iter().map(|&file| file.to_owned()).collect()),
    };
    for (files, words) in [
        (&["one.txt", "../one.txt"][..], "`../one.txt` is not among"),
        (&["*"], "`*` is not among"),
        (&[], "no file is chosen"),
    ] {
        let refused = client.commit(task.id(), &request(files)).await.unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
    }
    let id = task.id().as_str();
    let mut args = vec!["commit", id, "-m", "Keep some", "--yes"];
    for file in ["one.txt", "three.txt"] {
        args.extend(["--file", file]);
    }
    let committed = world.serve.cli()?.args(&args).output()?;
    assert!(committed.status.success(), "{committed:?}");
    client.sync(task.id(), &to(SyncTarget::Local)).await?;
    assert_eq!(world.repository.subjects("main..paddock-0")?, ["Keep some"]);
    let left = client
        .commit_preview(task.id(), &CommitPreviewQuery::default())
        .await?;
    let left: Vec<&str> = left.repositories[0]
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(left, ["two.txt"]);
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_diff_shows_committed_and_uncommitted_work() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("write one.txt 1\ncommit One\nwrite two.txt 2")
        .await?;
    task.until_turn_ends().await?;
    let diff = world
        .serve
        .client()
        .diff(task.id(), &DiffRequest::default())
        .await?;
    let diff = String::from_utf8_lossy(&diff);
    assert!(
        diff.contains("+++ b/one.txt") && diff.contains("+++ b/two.txt"),
        "{diff}"
    );
    Ok(())
}

#[tokio::test]
async fn a_sync_pushes_with_a_lease_and_never_over_others() -> anyhow::Result<()> {
    let world = World::new().await?;
    let remote = world.repository.with_remote(&world.path("remote.git"))?;
    let mut task = world.begin("write a.txt a\ncommit First").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let report = client.sync(task.id(), &to(SyncTarget::Branch)).await?;
    assert_eq!(
        report.repositories[0].pushed_to.as_deref(),
        Some("origin/paddock-0")
    );
    assert_eq!(remote.subjects("main..paddock-0")?, ["First"]);

    // Somebody else pushes to the same branch.
    let tree = remote.git(&["rev-parse", "paddock-0^{tree}"])?;
    let theirs = remote.git(&["commit-tree", &tree, "-p", "paddock-0", "-m", "Theirs"])?;
    remote.git(&["update-ref", "refs/heads/paddock-0", &theirs])?;
    client
        .say(
            task.id(),
            &paddock_domain::Message {
                input_id: None,
                text: "write b.txt b\ncommit Second".to_owned(),
                attachments: Vec::new(),
            },
        )
        .await?;
    task.until_turn_ends().await?;
    let refused = client
        .sync(task.id(), &to(SyncTarget::Branch))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Conflict), "{refused}");
    assert_eq!(remote.subjects("main..paddock-0")?, ["Theirs", "First"]);
    Ok(())
}

#[tokio::test]
async fn a_squash_puts_one_commit_on_the_default_branch_or_refuses() -> anyhow::Result<()> {
    let world = World::new().await?;
    let remote = world.repository.with_remote(&world.path("remote.git"))?;
    let untouched = world.repository.fingerprint()?;
    let mut task = world
        .begin("write a.txt a\ncommit One\nwrite README.md mine\ncommit Two")
        .await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let request = SyncRequest {
        message: Some("All of it".to_owned()),
        ..to(SyncTarget::Default)
    };
    client.sync(task.id(), &request).await?;
    assert_eq!(remote.subjects("main")?, ["All of it", "Double", "Begin"]);

    let mut other = world
        .begin("edit README.md scratch => other\ncommit Other")
        .await?;
    other.until_turn_ends().await?;
    let preview = client.squash_preview(other.id()).await?;
    assert_eq!(preview.repositories[0].conflicts, ["README.md"]);
    let refused = client
        .sync(other.id(), &to(SyncTarget::Default))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Conflict), "{refused}");
    assert_eq!(remote.subjects("main")?.len(), 3);
    assert_eq!(world.repository.fingerprint()?, untouched);
    Ok(())
}

#[tokio::test]
async fn a_finding_holds_the_push_back_until_it_is_let_pass_by_name() -> anyhow::Result<()> {
    let world = World::new().await?;
    let remote = world.repository.with_remote(&world.path("remote.git"))?;
    let mut task = world
        .begin(&format!("write key.pem {KEY}\ncommit A key"))
        .await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let refused = client
        .sync(task.id(), &to(SyncTarget::Branch))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::Findings), "{refused}");
    assert_eq!(remote.branches()?, ["main"]);

    let paddock_client::ClientError::Refused { detail, .. } = refused else {
        anyhow::bail!("another error")
    };
    let id = detail.details["findings"][0]["id"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let request = SyncRequest {
        allow: vec![id],
        ..to(SyncTarget::Branch)
    };
    client.sync(task.id(), &request).await?;
    assert_eq!(remote.subjects("main..paddock-0")?, ["A key"]);
    Ok(())
}
