//! Nothing is lost before something destructive.

use paddock_git::{
    Seed, SnapshotError, fsck, keep_snapshot, restore, seed, snapshot, snapshots, status,
};

use crate::world::{World, branch_named, exists, read, task, write};

#[tokio::test]
async fn a_snapshot_holds_everything_and_changes_nothing() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, ".gitignore", "ignored\n");
    write(&dir, "ignored", "x");
    write(&dir, "staged.txt", "staged\n");
    world.git(&dir, &["add", "staged.txt"]);
    write(&dir, "staged.txt", "then changed\n");
    write(&dir, "new dir/ünknown.txt", "new\n");
    std::fs::remove_file(format!("{dir}/a.txt")).unwrap();
    let before = (
        std::fs::read(format!("{dir}/.git/index")).unwrap(),
        world.git(&dir, &["status", "--porcelain"]),
    );
    let kept = snapshot(&world.place, &dir, &task("t1"), 0).await.unwrap();
    let after = (
        std::fs::read(format!("{dir}/.git/index")).unwrap(),
        world.git(&dir, &["status", "--porcelain"]),
    );
    assert_eq!(before, after);
    let at = kept.commit.as_str();
    let files = world.git(
        &dir,
        &[
            "-c",
            "core.quotePath=false",
            "ls-tree",
            "-r",
            "--name-only",
            at,
        ],
    );
    assert_eq!(
        files,
        ".gitignore\nnew dir/ünknown.txt\nsrc/b.txt\nstaged.txt"
    );
    assert_eq!(
        world.git(&dir, &["show", &format!("{at}:staged.txt")]),
        "then changed"
    );
    assert_eq!(
        world.git(&dir, &["show", &format!("{at}^2:staged.txt")]),
        "staged"
    );
    assert_eq!(world.oid(&dir, &format!("{at}^1")), world.oid(&dir, "HEAD"));
    let again = snapshot(&world.place, &dir, &task("t1"), 0).await;
    assert!(matches!(again, Err(SnapshotError::Taken { number: 0 })));
    let listed = snapshots(&world.place, &format!("{dir}/.git"), &task("t1"))
        .await
        .unwrap();
    assert_eq!(listed, [kept]);
}

#[tokio::test]
async fn a_snapshot_outlives_its_box_and_comes_back_in_another() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "done.txt", "done\n");
    let done = world.commit(&dir, "done");
    write(&dir, "staged.txt", "staged\n");
    world.git(&dir, &["add", "staged.txt"]);
    write(&dir, "loose.txt", "loose\n");
    std::fs::remove_file(format!("{dir}/a.txt")).unwrap();
    let seen = world.git(&dir, &["status", "--porcelain"]);
    let id = task("t1");
    let kept = snapshot(&world.place, &dir, &id, 0).await.unwrap();
    keep_snapshot(&world.place, &dir, &world.place, &repository, &id, &kept)
        .await
        .unwrap();
    keep_snapshot(&world.place, &dir, &world.place, &repository, &id, &kept)
        .await
        .unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(fsck(&world.place, &repository).await.unwrap().is_empty());
    assert_eq!(world.git(&repo, &["status", "--porcelain"]), "");
    let listed = snapshots(&world.place, &repository.git_dir, &id)
        .await
        .unwrap();
    assert_eq!(listed, std::slice::from_ref(&kept));

    let fresh = world.seeded(&repo, "box2", "paddock-0").await;
    restore(&world.place, &fresh, &kept.commit, &[])
        .await
        .unwrap();
    assert_eq!(world.oid(&fresh, "paddock-0"), done);
    assert_eq!(world.git(&fresh, &["status", "--porcelain"]), seen);
    assert_eq!(read(&fresh, "loose.txt"), "loose\n");
}

#[tokio::test]
async fn restoring_never_drops_what_is_not_kept() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let id = task("t1");
    write(&dir, "first.txt", "1\n");
    let first = snapshot(&world.place, &dir, &id, 0).await.unwrap();
    write(&dir, "second.txt", "2\n");
    let refused = restore(
        &world.place,
        &dir,
        &first.commit,
        std::slice::from_ref(&first),
    )
    .await;
    assert!(matches!(refused, Err(SnapshotError::NotKept { .. })));
    world.commit(&dir, "a commit that no snapshot holds");
    let refused = restore(
        &world.place,
        &dir,
        &first.commit,
        std::slice::from_ref(&first),
    )
    .await;
    assert!(matches!(refused, Err(SnapshotError::NotKept { .. })));
    assert!(exists(&dir, "second.txt"));
    let second = snapshot(&world.place, &dir, &id, 1).await.unwrap();
    let kept = [first.clone(), second.clone()];
    restore(&world.place, &dir, &first.commit, &kept)
        .await
        .unwrap();
    assert!(exists(&dir, "first.txt") && !exists(&dir, "second.txt"));
    assert_eq!(world.git(&dir, &["status", "--porcelain"]), "?? first.txt");
    restore(&world.place, &dir, &second.commit, &kept)
        .await
        .unwrap();
    assert_eq!(
        (read(&dir, "first.txt"), read(&dir, "second.txt")),
        ("1\n".into(), "2\n".into())
    );
    assert_eq!(world.git(&dir, &["status", "--porcelain"]), "");
}

#[tokio::test]
async fn conflicts_are_kept_as_they_stand() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["checkout", "-q", "-b", "other"]);
    write(&dir, "a.txt", "theirs\n");
    world.commit(&dir, "theirs");
    world.git(&dir, &["checkout", "-q", "paddock-0"]);
    write(&dir, "a.txt", "ours\n");
    world.commit(&dir, "ours");
    assert!(!world.try_git(&dir, &["merge", "other"]).0);
    let kept = snapshot(&world.place, &dir, &task("t1"), 0).await.unwrap();
    let text = world.git(&dir, &["show", &format!("{}:a.txt", kept.commit)]);
    assert!(
        text.contains("<<<<<<<") && text.contains("theirs"),
        "{text}"
    );
    let base = world.oid(&repo, "HEAD");
    let seen = status(&world.place, &dir, &base).await.unwrap();
    assert_eq!(seen.conflicted, ["a.txt"]);
}

#[tokio::test]
async fn what_cannot_be_kept_is_an_error() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["init", "-q", "inner"]);
    write(&dir, "inner/work.txt", "not committed anywhere");
    let error = snapshot(&world.place, &dir, &task("t1"), 0)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, SnapshotError::Incomplete { paths } if paths == &["inner"]),
        "{error}"
    );
}

#[tokio::test]
async fn a_damaged_repository_is_found_to_be() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    assert!(fsck(&world.place, &repository).await.unwrap().is_empty());
    let blob = world.git(&repo, &["rev-parse", "HEAD:a.txt"]);
    std::fs::remove_file(format!("{repo}/.git/objects/{}/{}", &blob[..2], &blob[2..])).unwrap();
    let problems = fsck(&world.place, &repository).await.unwrap();
    assert!(
        problems.iter().any(|line| line.contains(&blob)),
        "{problems:?}"
    );
    let dir = world.dir("box");
    let base = world.oid(&repo, "HEAD");
    let plan = Seed::of(
        &repository,
        &dir,
        &branch_named("paddock-0"),
        &base,
        str::to_owned,
    );
    assert!(seed(&world.place, &plan).await.is_err());
}
