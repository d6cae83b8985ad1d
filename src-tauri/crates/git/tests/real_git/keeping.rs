//! Nothing is lost before something destructive.

use paddock_domain::{IgnoredFiles, TrashReason};
use paddock_git::{
    DiffLimits, Kept, Seed, TrashError, besides, bring_back, drop_kept, free_branch, fsck, keep,
    look_into, seed, status, trash,
};

use crate::world::{World, branch_named, keeping, now, read, task, write};

impl World {
    /// Keeps the box `dir` in `repo` as work of the task `t1`.
    async fn keep(&self, dir: &str, repo: &str) -> Result<Option<Kept>, TrashError> {
        let repository = self.inspect(repo).await;
        let id = task("t1");
        keep(&self.place, dir, &self.place, &repository, keeping(&id)).await
    }

    /// The files of `revision` in `repo`.
    fn files(&self, repo: &str, revision: &str) -> Vec<String> {
        let names = self.git(repo, &["ls-tree", "-r", "--name-only", "-z", revision]);
        let names = names.split('\0').filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    }
}

/// What must not change in a box that is looked at: its index, its refs and its files.
fn state(world: &World, dir: &str) -> (Vec<u8>, String, String) {
    (
        std::fs::read(format!("{dir}/.git/index")).unwrap_or_default(),
        world.git(dir, &["status", "--porcelain", "--ignored"]),
        world.git(dir, &["for-each-ref"]),
    )
}

#[tokio::test]
async fn an_entry_holds_everything_and_the_box_stays_as_it_is() {
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
    let before = state(&world, &dir);
    let kept = world.keep(&dir, &repo).await.unwrap().unwrap();
    assert_eq!(state(&world, &dir), before);
    let at = kept.commit.as_str();
    assert_eq!(
        world.files(&repo, at),
        [
            ".gitignore",
            "new dir/ünknown.txt",
            "src/b.txt",
            "staged.txt"
        ]
    );
    let show = |what: &str| world.git(&repo, &["show", &format!("{at}{what}")]);
    assert_eq!(show(":staged.txt"), "then changed");
    assert_eq!(show("^2:staged.txt"), "staged");
    assert_eq!(show("^3:ignored/ignored"), "x");
    assert_eq!(kept.head, Some(world.oid(&dir, "HEAD")));
    assert_eq!(kept.branch.as_deref(), Some("paddock-0"));
    assert_eq!((kept.number, kept.uncommitted, kept.at), (1, 4, now()));
    let all = IgnoredFiles {
        files: 1,
        bytes: 1,
        kept: true,
    };
    assert_eq!(kept.ignored, all);
    let listed = trash(&world.place, &format!("{repo}/.git"), None).await;
    assert_eq!(listed.unwrap(), [kept]);
    assert_eq!(world.git(&repo, &["status", "--porcelain"]), "");
    world.hold_sound(&repo);
    world.hold_sound(&dir);
}

#[tokio::test]
async fn the_same_is_kept_once_and_what_the_user_has_is_not_kept_at_all() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    assert_eq!(world.keep(&dir, &repo).await.unwrap(), None);
    write(&dir, "new.txt", "1\n");
    let first = world.keep(&dir, &repo).await.unwrap().unwrap();
    assert_eq!(world.keep(&dir, &repo).await.unwrap(), Some(first.clone()));
    write(&dir, "new.txt", "2\n");
    let second = world.keep(&dir, &repo).await.unwrap().unwrap();
    assert_eq!((first.number, second.number), (1, 2));
    let tip = world.commit(&dir, "committed, and nowhere else");
    let third = world.keep(&dir, &repo).await.unwrap().unwrap();
    assert_eq!(
        (third.uncommitted, third.head.clone()),
        (0, Some(tip.clone()))
    );
    world.git(&repo, &["branch", "users", tip.as_str()]);
    assert_eq!(world.keep(&dir, &repo).await.unwrap(), None);
    let listed = trash(&world.place, &format!("{repo}/.git"), Some(&task("t1"))).await;
    assert_eq!(listed.unwrap().len(), 3);
}

#[tokio::test]
async fn branches_tags_stashes_and_an_unfinished_merge_are_kept_by_their_names() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["checkout", "-q", "-b", "side/way"]);
    write(&dir, "a.txt", "theirs\n");
    let side = world.commit(&dir, "side");
    world.git(&dir, &["tag", "-a", "v1", "-m", "tag"]);
    world.git(&dir, &["checkout", "-q", "paddock-0"]);
    for n in ["one", "two"] {
        write(&dir, "stashed.txt", n);
        world.git(&dir, &["stash", "push", "-q", "-u", "-m", n]);
    }
    write(&dir, "a.txt", "ours\n");
    world.commit(&dir, "ours");
    assert!(!world.try_git(&dir, &["merge", "side/way"]).0);
    let kept = world.keep(&dir, &repo).await.unwrap().unwrap();
    let mut names: Vec<_> = kept.others.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "MERGE_HEAD",
            "refs/heads/side/way",
            "refs/stash@{0}",
            "refs/stash@{1}",
            "refs/tags/v1"
        ]
    );
    let text = world.git(&repo, &["show", &format!("{}:a.txt", kept.commit)]);
    assert!(
        text.contains("<<<<<<<") && text.contains("theirs"),
        "{text}"
    );
    let seen = besides(&world.place, &dir).await.unwrap();
    assert_eq!(seen.stashes.len(), 2);
    assert!(seen.stashes[0].ends_with("two"), "{:?}", seen.stashes);

    std::fs::remove_dir_all(&dir).unwrap();
    let repository = world.inspect(&repo).await;
    let branch = branch_named("back");
    let back = bring_back(&world.place, &repository, &kept, &branch, true)
        .await
        .unwrap();
    let mut made: Vec<_> = back.others.iter().map(|(b, _)| b.as_str()).collect();
    made.sort_unstable();
    assert_eq!(
        made,
        [
            "back-merge-head",
            "back-side-way",
            "back-stash--0",
            "back-stash--1",
            "back-tags-v1"
        ]
    );
    assert_eq!(world.oid(&repo, "back-side-way"), side);
    assert_eq!(
        world.git(&repo, &["show", "back-stash--0^3:stashed.txt"]),
        "two"
    );
    world.hold_sound(&repo);
}

#[tokio::test]
async fn an_entry_outlives_its_box_and_comes_back_on_a_branch_of_its_own() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "done.txt", "done\n");
    let done = world.commit(&dir, "done");
    write(&dir, "loose.txt", "loose\n");
    std::fs::remove_file(format!("{dir}/a.txt")).unwrap();
    let kept = world.keep(&dir, &repo).await.unwrap().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    world.git(&repo, &["reflog", "expire", "--expire=now", "--all"]);
    world.git(&repo, &["gc", "-q", "--prune=now"]);
    assert!(fsck(&world.place, &repository).await.unwrap().is_empty());

    let seen = look_into(
        &world.place,
        &repository,
        &kept,
        None,
        DiffLimits::default(),
    )
    .await
    .unwrap();
    let subjects: Vec<_> = seen.commits.iter().map(|c| c.subject.as_str()).collect();
    assert_eq!((subjects, seen.more_commits), (vec!["done"], 0));
    assert_eq!(seen.files.files.len(), 2);
    assert!(seen.diff.text.contains("+loose\n") && seen.diff.text.contains("-one\n"));

    let free = free_branch(&world.place, &repository, &kept).await.unwrap();
    assert_eq!(free.as_str(), "paddock-0-restored");
    let checkout = world.git(&repo, &["status", "--porcelain", "--branch"]);
    let back = bring_back(&world.place, &repository, &kept, &free, false)
        .await
        .unwrap();
    assert_eq!(world.oid(&repo, "paddock-0-restored^"), done);
    assert_eq!(
        world.files(&repo, back.commit.as_str()),
        ["done.txt", "loose.txt", "src/b.txt"]
    );
    let again = bring_back(&world.place, &repository, &kept, &free, false).await;
    assert!(matches!(again, Err(TrashError::BranchTaken { .. })));
    let next = free_branch(&world.place, &repository, &kept).await.unwrap();
    assert_eq!(next.as_str(), "paddock-0-restored-2");
    assert_eq!(
        world.git(&repo, &["status", "--porcelain", "--branch"]),
        checkout
    );

    assert!(drop_kept(&world.place, &repository, &kept).await.unwrap());
    let left = trash(&world.place, &repository.git_dir, None)
        .await
        .unwrap();
    assert_eq!(left, []);
    world.hold_sound(&repo);
}

#[tokio::test]
async fn many_ignored_files_are_counted_and_left_out() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, ".gitignore", "built/\n");
    write(&dir, "built/large", vec![0; 17 << 20]);
    write(&dir, "built/small", "x");
    let kept = world.keep(&dir, &repo).await.unwrap().unwrap();
    let counted = IgnoredFiles {
        files: 2,
        bytes: (17 << 20) + 1,
        kept: false,
    };
    assert_eq!((kept.ignored, kept.extra), (counted, None));
    assert_eq!(besides(&world.place, &dir).await.unwrap().ignored, counted);
}

#[tokio::test]
async fn a_repository_inside_is_kept_with_its_files_and_its_commits() {
    let world = World::new();
    let (repo, lib) = (world.repo("repo"), world.repo("lib"));
    world.add_submodule(&repo, &lib, "lib");
    world.commit(&repo, "with a submodule");
    let repository = world.inspect(&repo).await;
    let dir = world.dir("box");
    let plain = |dir: &str| dir.to_owned();
    let branch = branch_named("paddock-0");
    let base = world.oid(&repo, "HEAD");
    let mut plan = Seed::of(&repository, &dir, &branch, &base, plain);
    let found = paddock_git::submodule_seeds(&world.place, &repository, &plan, plain).await;
    plan.submodules = found.unwrap().seeds;
    seed(&world.place, &plan).await.unwrap();
    assert_eq!(
        world.keep(&dir, &repo).await.unwrap(),
        None,
        "it is as it was"
    );

    let inner = format!("{dir}/lib");
    write(&inner, "committed.txt", "committed\n");
    let tip = world.commit(&inner, "in the submodule");
    write(&inner, "loose.txt", "loose\n");
    world.git(&dir, &["init", "-q", "fresh/one"]);
    write(&dir, "fresh/one/work.txt", "in no commit\n");
    let kept = world.keep(&dir, &repo).await.unwrap().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let extra = kept.extra.unwrap();
    assert_eq!(
        world.files(&repo, extra.as_str()),
        [
            "inner/fresh%2Fone/files/work.txt",
            "inner/lib/commits.bundle",
            "inner/lib/files/a.txt",
            "inner/lib/files/committed.txt",
            "inner/lib/files/loose.txt",
            "inner/lib/files/src/b.txt",
        ]
    );
    let bundle = world.path("commits.bundle");
    let blob = format!("{extra}:inner/lib/commits.bundle");
    let bytes = std::process::Command::new("git")
        .args(["-C", &repo, "cat-file", "blob", &blob])
        .output();
    std::fs::write(&bundle, bytes.unwrap().stdout).unwrap();
    world.git(&lib, &["fetch", "-q", &bundle, "HEAD"]);
    assert_eq!(world.oid(&lib, "FETCH_HEAD"), tip);
    world.hold_sound(&repo);
}

#[tokio::test]
async fn files_that_git_was_told_not_to_look_at_are_kept_too() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["update-index", "--assume-unchanged", "a.txt"]);
    write(&dir, "a.txt", "changed in silence\n");
    let kept = world.keep(&dir, &repo).await.unwrap().unwrap();
    let text = world.git(&repo, &["show", &format!("{}:a.txt", kept.commit)]);
    assert_eq!(text, "changed in silence");
}

#[tokio::test]
async fn a_branch_without_a_commit_is_kept_with_its_files() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["checkout", "-q", "--orphan", "fresh"]);
    write(&dir, "new.txt", "new\n");
    let kept = world.keep(&dir, &repo).await.unwrap().unwrap();
    assert_eq!(
        (kept.head.clone(), kept.branch.as_deref()),
        (None, Some("fresh"))
    );
    let repository = world.inspect(&repo).await;
    let branch = branch_named("back");
    bring_back(&world.place, &repository, &kept, &branch, false)
        .await
        .unwrap();
    assert_eq!(
        world.files(&repo, "back"),
        ["a.txt", "new.txt", "src/b.txt"]
    );
    world.hold_sound(&repo);
}

#[tokio::test]
async fn a_head_that_cannot_be_read_is_an_error_and_not_taken_for_nothing() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(
        &dir,
        ".git/refs/heads/paddock-0",
        "0123456789012345678901234567890123456789\n",
    );
    let error = world.keep(&dir, &repo).await.unwrap_err();
    assert!(error.to_string().contains("HEAD"), "{error}");
    let base = world.oid(&repo, "HEAD");
    assert!(status(&world.place, &dir, &base).await.is_err());
}

#[tokio::test]
async fn what_cannot_be_kept_is_an_error() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["init", "-q", "inner"]);
    world.git(&dir, &["init", "-q", "inner/deeper"]);
    write(&dir, "inner/deeper/work.txt", "not committed anywhere");
    let error = world.keep(&dir, &repo).await.unwrap_err();
    assert!(
        matches!(&error, TrashError::Incomplete { paths } if paths == &["inner"]),
        "{error}"
    );
    assert_eq!(world.git(&repo, &["for-each-ref", "refs/paddock/"]), "");
}

#[tokio::test]
async fn entries_of_earlier_builds_are_listed_and_come_back() {
    let world = World::new();
    let repo = world.repo("repo");
    let head = world.oid(&repo, "HEAD");
    let tree = world.git(&repo, &["rev-parse", "HEAD^{tree}"]);
    let made = [
        "commit-tree",
        "-p",
        "HEAD",
        "-p",
        "HEAD",
        "-m",
        "paddock: snapshot 1",
        &tree,
    ];
    let snapshot = world.git(&repo, &made);
    world.git(&repo, &["update-ref", "refs/paddock/trash/t1/1", &snapshot]);
    world.git(&repo, &["update-ref", "refs/paddock/trash/t1/2", "HEAD"]);
    world.git(
        &repo,
        &["update-ref", "refs/paddock/trash/odd/one/two", "HEAD"],
    );
    let listed = trash(&world.place, &format!("{repo}/.git"), None)
        .await
        .unwrap();
    assert_eq!(listed.len(), 2);
    for kept in listed {
        assert_eq!(
            (kept.head.as_ref(), kept.reason),
            (Some(&head), TrashReason::Unknown)
        );
    }
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

#[tokio::test]
async fn a_file_is_read_back_as_it_was() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let name = "tab\tand\nline 'quote\".bin";
    let content: Vec<u8> = (0..=255).cycle().take(5000).collect();
    write(&dir, name, &content);
    let kept = world.keep(&dir, &repo).await.unwrap().unwrap();
    let out = world.dir("out");
    let repository = world.inspect(&repo).await;
    let branch = branch_named("back");
    bring_back(&world.place, &repository, &kept, &branch, false)
        .await
        .unwrap();
    world.git(
        &repo,
        &["worktree", "add", "-q", &format!("{out}/w"), "back"],
    );
    assert_eq!(std::fs::read(format!("{out}/w/{name}")).unwrap(), content);
    assert_eq!(read(&repo, "a.txt"), "one\ntwo\nthree\n");
}
