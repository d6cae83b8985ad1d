//! Diff statistics of work trees, which they leave as they are.

use std::path::Path;
use std::process::Command;

use paddock_relay_client::RelayClient;
use paddock_relay_client::protocol::{Confine, DiffRepo, DiffRequest, RepoDiff};

use super::rig::*;

fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"])
        .args(args)
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// A repository with one commit, and changes of every kind on top.
fn repo(rig: &Rig) -> std::path::PathBuf {
    let dir = rig.dir().join("a repo");
    std::fs::create_dir_all(&dir).unwrap();
    git(&dir, &["init", "-q", "-b", "main"]);
    std::fs::write(dir.join("kept"), "1\n2\n3\n").unwrap();
    std::fs::write(dir.join("gone"), "1\n").unwrap();
    std::fs::write(dir.join(".gitignore"), "ignored\n").unwrap();
    git(&dir, &["add", "."]);
    git(&dir, &["commit", "-q", "-m", "one"]);
    std::fs::write(dir.join("kept"), "1\n2\nthree\nfour\n").unwrap();
    std::fs::remove_file(dir.join("gone")).unwrap();
    std::fs::write(dir.join("new é"), "a\nb\n").unwrap();
    std::fs::write(dir.join("ignored"), "x\n").unwrap();
    std::fs::write(dir.join("binary"), [0, 1, 2]).unwrap();
    dir
}

fn request(dir: &Path, confine: Option<Confine>) -> DiffRequest {
    let repo = DiffRepo {
        name: "r".to_owned(),
        path: dir.display().to_string(),
        base: None,
    };
    DiffRequest {
        repos: vec![repo],
        follow: false,
        confine,
    }
}

async fn count(client: &RelayClient, request: &DiffRequest) -> RepoDiff {
    let mut stream = client.diff(request).await.unwrap();
    let mut update = soon(stream.next()).await.unwrap().unwrap();
    assert!(soon(stream.next()).await.unwrap().is_none());
    update.repos.remove(0)
}

fn files(diff: &RepoDiff) -> Vec<(&str, Option<u64>, Option<u64>)> {
    diff.files
        .iter()
        .map(|file| (file.path.as_str(), file.added, file.deleted))
        .collect()
}

const EXPECTED: [(&str, Option<u64>, Option<u64>); 4] = [
    ("binary", None, None),
    ("gone", Some(0), Some(1)),
    ("kept", Some(2), Some(1)),
    ("new é", Some(2), Some(0)),
];

#[tokio::test]
async fn changed_deleted_untracked_and_binary_files_are_counted_and_nothing_is_touched() {
    let rig = Rig::start();
    let client = rig.client().await;
    let dir = repo(&rig);
    let index = std::fs::read(dir.join(".git/index")).unwrap();
    let diff = count(&client, &request(&dir, None)).await;
    assert_eq!(diff.error, None);
    assert_eq!((diff.added, diff.deleted, diff.files_changed), (4, 2, 4));
    assert_eq!(files(&diff), EXPECTED);
    assert_eq!(std::fs::read(dir.join(".git/index")).unwrap(), index);
    assert!(git(&dir, &["status", "--porcelain"]).contains("?? \"new"));
}

#[tokio::test]
async fn the_count_works_where_git_may_write_nothing() {
    let rig = Rig::start();
    let client = rig.client().await;
    let dir = repo(&rig);
    let diff = count(&client, &request(&dir, Some(Confine::default()))).await;
    assert_eq!(
        (diff.error.as_deref(), &files(&diff)[..]),
        (None, &EXPECTED[..])
    );
}

#[tokio::test]
async fn what_a_repository_configures_is_not_run() {
    let rig = Rig::start();
    let client = rig.client().await;
    let dir = repo(&rig);
    let trap = rig.dir().join("trap");
    let spring = format!("touch {}", trap.display());
    for key in [
        "core.fsmonitor",
        "diff.external",
        "diff.evil.textconv",
        "core.pager",
    ] {
        git(&dir, &["config", key, &spring]);
    }
    std::fs::write(dir.join(".gitattributes"), "* diff=evil\n").unwrap();
    let diff = count(&client, &request(&dir, None)).await;
    assert_eq!((diff.error, diff.files_changed), (None, 5));
    assert!(!trap.exists());
}

#[tokio::test]
async fn a_repository_without_commits_and_none_at_all_have_an_answer() {
    let rig = Rig::start();
    let client = rig.client().await;
    let dir = rig.dir().join("empty");
    std::fs::create_dir_all(&dir).unwrap();
    git(&dir, &["init", "-q", "-b", "main"]);
    std::fs::write(dir.join("first"), "1\n").unwrap();
    assert_eq!(
        files(&count(&client, &request(&dir, None)).await),
        [("first", Some(1), Some(0))]
    );
    for nowhere in ["/no/such/dir", "/proc"] {
        assert!(
            count(&client, &request(Path::new(nowhere), None))
                .await
                .error
                .is_some()
        );
    }
}

#[tokio::test]
async fn live_statistics_follow_what_the_agent_does() {
    let rig = Rig::start();
    let client = rig.client().await;
    let dir = repo(&rig);
    let follow = DiffRequest {
        follow: true,
        ..request(&dir, None)
    };
    let mut stream = client.diff(&follow).await.unwrap();
    let first = soon(stream.next()).await.unwrap().unwrap();
    assert_eq!(first.repos[0].files_changed, 4);
    let script = format!("echo x >'{}/more'; echo wrote", dir.display());
    spawn(&client, "r", &script).await;
    let second = soon(stream.next()).await.unwrap().unwrap();
    assert_eq!(second.repos[0].files_changed, 5);
}
