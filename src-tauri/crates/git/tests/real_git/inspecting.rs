//! What is found in a repository, and what is said of a directory that is none.

use async_trait::async_trait;
use bytes::Bytes;
use paddock_exec::{Command, ExecError, Here, Limits, Place, Process};
use paddock_git::{Head, InspectError, inspect};

use crate::world::{World, write};

#[tokio::test]
async fn a_plain_repository_is_described() {
    let world = World::new();
    let repo = world.repo("répo with späces");
    world.origin(&repo, "origin.git");
    let found = world.inspect(&format!("{repo}/src")).await;
    assert_eq!(found.root, repo);
    assert_eq!(found.git_dir, format!("{repo}/.git"));
    assert_eq!(found.object_dirs, [format!("{repo}/.git/objects")]);
    let commit = world.oid(&repo, "HEAD");
    let name = "main".to_owned();
    assert_eq!(found.head, Head::Branch { name, commit });
    assert_eq!(found.default_branch.as_deref(), Some("main"));
    assert_eq!(found.remotes[0].name, "origin");
    assert_eq!(
        found.identity.as_ref().unwrap().email,
        "ada@example.invalid"
    );
    assert!(!found.dirty && !found.lfs && !found.partial);
    assert!(found.shallow.is_empty() && found.notices().is_empty());
}

#[tokio::test]
async fn a_dirty_and_detached_checkout_is_said_to_be() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["checkout", "-q", "--detach"]);
    write(&repo, "new.txt", "x");
    let found = world.inspect(&repo).await;
    let commit = world.oid(&repo, "HEAD");
    assert_eq!(found.head, Head::Detached { commit });
    assert!(found.dirty);
    assert!(found.notices()[0].contains("uncommitted"));
    assert_eq!(found.default_branch.as_deref(), Some("main"));
}

#[tokio::test]
async fn a_linked_worktree_leads_to_the_git_directory_it_shares() {
    let world = World::new();
    let repo = world.repo("repo");
    let linked = world.path("linked tree");
    world.git(&repo, &["worktree", "add", "-q", "-b", "side", &linked]);
    let found = world.inspect(&linked).await;
    assert_eq!(found.root, linked);
    assert_eq!(found.git_dir, format!("{repo}/.git"));
    assert!(matches!(found.head, Head::Branch { name, .. } if name == "side"));
}

#[tokio::test]
async fn a_shallow_a_borrowing_and_an_lfs_repository_are_told_apart() {
    let world = World::new();
    let repo = world.repo("repo");
    write(
        &repo,
        ".gitattributes",
        "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    );
    let tip = world.commit(&repo, "second");
    let url = format!("file://{repo}");
    let shallow = world.path("shallow");
    world.git("/", &["clone", "-q", "--depth=1", &url, &shallow]);
    let found = world.inspect(&shallow).await;
    assert_eq!(found.shallow, [tip]);
    assert!(found.lfs);
    let borrowing = world.path("borrowing");
    world.git("/", &["clone", "-q", "--shared", &repo, &borrowing]);
    let found = world.inspect(&borrowing).await;
    assert_eq!(
        found.object_dirs,
        [
            format!("{borrowing}/.git/objects"),
            format!("{repo}/.git/objects")
        ]
    );
}

#[tokio::test]
async fn a_partial_clone_is_noticed() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["config", "uploadpack.allowFilter", "true"]);
    let partial = world.path("partial");
    let url = format!("file://{repo}");
    world.git("/", &["clone", "-q", "--filter=blob:none", &url, &partial]);
    assert!(world.inspect(&partial).await.partial);
}

#[tokio::test]
async fn a_sha256_repository_is_described() {
    let world = World::new();
    let repo = world.dir("repo");
    world.git(&repo, &["init", "-q", "--object-format=sha256"]);
    world.commit(&repo, "first");
    let found = world.inspect(&repo).await;
    assert_eq!(found.object_format, paddock_git::ObjectFormat::Sha256);
}

#[tokio::test]
async fn what_is_no_repository_is_refused_with_advice() {
    let world = World::new();
    let plain = world.dir("plain");
    write(&plain, "file", "x");
    let empty = world.dir("empty");
    world.git(&empty, &["init", "-q"]);
    let bare = world.path("bare.git");
    world.git("/", &["init", "-q", "--bare", &bare]);
    let missing = world.path("missing");
    let file = world.path("plain/file");
    for (path, advice) in [
        (&plain, "git init"),
        (&empty, "make the first commit"),
        (&bare, "git worktree add"),
        (&missing, "check the path"),
        (&file, "check the path"),
    ] {
        let error = inspect(&world.place, path).await.unwrap_err();
        assert!(error.to_string().contains(advice), "{path}: {error}");
        assert!(!matches!(error, InspectError::Git(_)), "{error}");
    }
}

/// This machine as a user who may do nothing.
struct Nobody;

#[async_trait]
impl Place for Nobody {
    async fn spawn(&self, command: &Command) -> Result<Process, ExecError> {
        let mut lowered = Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"])
            .arg(command.program.clone())
            .args(command.args.clone());
        lowered.env = command.env.clone();
        Here.spawn(&lowered).await
    }

    async fn upload(&self, dir: &str, tar: Bytes) -> Result<(), ExecError> {
        Here.upload(dir, tar).await
    }

    async fn download(&self, path: &str, limit: usize) -> Result<Bytes, ExecError> {
        Here.download(path, limit).await
    }
}

#[tokio::test]
async fn a_repository_that_may_not_be_read_is_refused_with_advice() {
    let world = World::new();
    let repo = world.repo("repo");
    let can_lower = Nobody.run(&Command::new("true"), Limits::default()).await;
    if !can_lower.is_ok_and(|output| output.exit.is_success()) {
        return; // Only root can become nobody.
    }
    let closed = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&repo, closed).unwrap();
    let error = inspect(&Nobody, &repo).await.unwrap_err();
    assert!(
        matches!(error, InspectError::NoPermission { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("permissions"));
}

#[tokio::test]
async fn a_place_without_git_says_what_to_install() {
    let world = World::new();
    let repo = world.repo("repo");
    let error = inspect(&Gitless, &repo).await.unwrap_err();
    assert!(error.to_string().contains("install git 2.39"), "{error}");
}

/// A place that has no programs.
struct Gitless;

#[async_trait]
impl Place for Gitless {
    async fn spawn(&self, command: &Command) -> Result<Process, ExecError> {
        let program = command.program.clone();
        Err(ExecError::NotFound { program })
    }

    async fn upload(&self, dir: &str, tar: Bytes) -> Result<(), ExecError> {
        Here.upload(dir, tar).await
    }

    async fn download(&self, path: &str, limit: usize) -> Result<Bytes, ExecError> {
        Here.download(path, limit).await
    }
}

#[tokio::test]
async fn a_repository_of_another_user_is_refused_with_advice() {
    use std::os::unix::fs::chown;
    let world = World::new();
    let repo = world.repo("repo");
    if chown(&repo, Some(4711), None).is_err() {
        return; // Only root can give a directory away.
    }
    let error = inspect(&world.place, &repo).await.unwrap_err();
    assert!(
        matches!(error, InspectError::UnsafeOwnership { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("safe.directory"));
}
