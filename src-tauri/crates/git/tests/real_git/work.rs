//! What stands in a box: status, figures and text.

use paddock_domain::DiffWhat;
use paddock_git::{DiffLimits, diff, diff_stat, status};

use crate::world::{World, write};

#[tokio::test]
async fn every_kind_of_change_is_seen() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let base = world.oid(&repo, "HEAD");
    let fresh = status(&world.place, &dir, &base).await.unwrap();
    assert!(fresh.is_clean() && fresh.ahead.is_empty());
    write(&dir, "committed.txt", "x\n");
    world.commit(&dir, "a subject: with \"quotes\" and ünïcode");
    write(&dir, "a.txt", "one\n2\nthree\n");
    write(&dir, "new file.txt", "1\n2\n");
    world.git(&dir, &["mv", "src/b.txt", "src/c.txt"]);
    let seen = status(&world.place, &dir, &base).await.unwrap();
    assert_eq!(seen.branch.as_deref(), Some("paddock-0"));
    assert_eq!(seen.ahead.len(), 1);
    assert_eq!(
        seen.ahead[0].subject,
        "a subject: with \"quotes\" and ünïcode"
    );
    assert_eq!(seen.ahead[0].author, "Ada");
    assert!(seen.ahead[0].time > 1_000_000_000);
    assert_eq!(seen.changed.len(), 2);
    assert_eq!(seen.untracked, ["new file.txt"]);
    let stat = diff_stat(&world.place, &dir, &base).await.unwrap();
    let files: Vec<_> = stat
        .files
        .iter()
        .map(|f| (f.path.as_str(), f.added, f.removed))
        .collect();
    assert_eq!(
        files,
        [
            ("a.txt", 1, 1),
            ("committed.txt", 1, 0),
            ("new file.txt", 2, 0),
            ("src/c.txt", 0, 0)
        ]
    );
    assert_eq!(stat.files[3].renamed_from.as_deref(), Some("src/b.txt"));
    assert_eq!(
        (stat.added, stat.removed, stat.commits, stat.uncommitted),
        (4, 1, 1, 3)
    );
}

#[tokio::test]
async fn looking_changes_neither_the_index_nor_anything_else() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let base = world.oid(&repo, "HEAD");
    write(&dir, "staged.txt", "1\n");
    world.git(&dir, &["add", "staged.txt"]);
    write(&dir, "loose.txt", "2\n");
    let before = std::fs::read(format!("{dir}/.git/index")).unwrap();
    status(&world.place, &dir, &base).await.unwrap();
    diff_stat(&world.place, &dir, &base).await.unwrap();
    diff(
        &world.place,
        &dir,
        &base,
        DiffWhat::All,
        None,
        DiffLimits::default(),
    )
    .await
    .unwrap();
    assert_eq!(std::fs::read(format!("{dir}/.git/index")).unwrap(), before);
    let left: Vec<_> = std::fs::read_dir(format!("{dir}/.git"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("paddock"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn a_diff_is_text_of_all_or_one_file_within_its_limit() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let base = world.oid(&repo, "HEAD");
    write(&dir, "a.txt", "one\n2\nthree\n");
    write(&dir, "[odd] *.txt", "hello\n");
    let all = diff(
        &world.place,
        &dir,
        &base,
        DiffWhat::All,
        None,
        DiffLimits::default(),
    )
    .await
    .unwrap();
    assert!(all.text.contains("+2\n") && all.text.contains("+hello\n") && !all.truncated);
    let one = diff(
        &world.place,
        &dir,
        &base,
        DiffWhat::All,
        Some("[odd] *.txt"),
        DiffLimits::default(),
    )
    .await;
    let one = one.unwrap();
    assert!(one.text.contains("+hello\n") && !one.text.contains("+2\n"));
    let little = DiffLimits {
        bytes: 60,
        context: 0,
    };
    let cut = diff(&world.place, &dir, &base, DiffWhat::All, None, little)
        .await
        .unwrap();
    assert!(cut.truncated && cut.text.len() <= 60 && cut.text.ends_with('\n'));
}

#[tokio::test]
async fn conflicts_and_repositories_inside_are_told() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let base = world.oid(&repo, "HEAD");
    world.git(&dir, &["checkout", "-q", "-b", "other"]);
    write(&dir, "a.txt", "theirs\n");
    world.commit(&dir, "theirs");
    world.git(&dir, &["checkout", "-q", "paddock-0"]);
    write(&dir, "a.txt", "ours\n");
    world.commit(&dir, "ours");
    assert!(!world.try_git(&dir, &["merge", "other"]).0);
    world.git(&dir, &["init", "-q", "inner"]);
    write(&dir, "inner/x", "y");
    let seen = status(&world.place, &dir, &base).await.unwrap();
    assert_eq!(seen.conflicted, ["a.txt"]);
    assert!(!seen.is_clean());
    let stat = diff_stat(&world.place, &dir, &base).await.unwrap();
    assert!(
        stat.files.iter().any(|file| file.path == "a.txt"),
        "{stat:?}"
    );
}

#[tokio::test]
async fn a_submodule_with_changes_is_not_clean() {
    let world = World::new();
    let (repo, lib) = (world.repo("repo"), world.repo("lib"));
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.add_submodule(&dir, &lib, "lib");
    let base = world.commit(&dir, "submodule");
    let seen = status(&world.place, &dir, &base).await.unwrap();
    assert!(seen.is_clean(), "{seen:?}");
    write(&dir, "lib/loose.txt", "x");
    let seen = status(&world.place, &dir, &base).await.unwrap();
    assert_eq!(seen.submodules, ["lib"]);
}

#[tokio::test]
async fn an_agent_that_removed_its_repository_does_not_lead_to_the_one_above() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "repo/box", "paddock-0").await;
    let base = world.oid(&repo, "HEAD");
    std::fs::remove_dir_all(format!("{dir}/.git")).unwrap();
    assert!(status(&world.place, &dir, &base).await.is_err());
    assert!(diff_stat(&world.place, &dir, &base).await.is_err());
    write(&dir, ".git", format!("gitdir: {repo}/.git\n"));
    assert!(status(&world.place, &dir, &base).await.is_err());
}
