//! Boxes get their repository, and their commits come home.

use paddock_git::{
    Delivery, Landed, ReceiveError, Seed, SeedError, delivered_ref, pack_from_box, pack_from_host,
    pin, receive, seed, seed_from, submodule_seeds, tip_in_box, unpin,
};

use crate::world::{World, branch_named, exists, keeping, now, read, task, write};

#[tokio::test]
async fn a_box_gets_a_checkout_on_its_branch_without_copies_of_objects() {
    let world = World::new();
    let repo = world.repo("répo \"quoted\"");
    world.git(
        &repo,
        &[
            "remote",
            "add",
            "origin",
            "https://u:secret@example.invalid/r.git",
        ],
    );
    let dir = world.seeded(&repo, "box dir", "paddock-0").await;
    assert_eq!(read(&dir, "a.txt"), "one\ntwo\nthree\n");
    assert_eq!(world.git(&dir, &["branch", "--show-current"]), "paddock-0");
    assert_eq!(world.git(&dir, &["status", "--porcelain"]), "");
    assert_eq!(world.oid(&dir, "HEAD"), world.oid(&repo, "HEAD"));
    assert_eq!(world.git(&dir, &["config", "--local", "user.name"]), "Ada");
    let url = world.git(&dir, &["remote", "get-url", "origin"]);
    assert_eq!(url, "https://example.invalid/r.git");
    let count = world.git(&dir, &["count-objects"]);
    assert!(count.starts_with("0 objects"), "{count}");
    assert!(!exists(&dir, ".git/hooks"));
}

#[tokio::test]
async fn seeding_can_be_repeated_until_it_is_complete_and_then_is_refused() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let repository = world.inspect(&repo).await;
    let plan = Seed::of(
        &repository,
        &dir,
        &branch_named("paddock-0"),
        &world.oid(&repo, "HEAD"),
        str::to_owned,
    );
    let again = seed(&world.place, &plan).await;
    assert!(matches!(again, Err(SeedError::AlreadySeeded { .. })));
    world.git(&dir, &["update-ref", "-d", "refs/heads/paddock-0"]);
    seed(&world.place, &plan).await.unwrap();
    assert_eq!(world.git(&dir, &["status", "--porcelain"]), "");
}

#[tokio::test]
async fn a_directory_with_files_in_the_way_is_left_as_it_is() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    let dir = world.dir("box");
    write(&dir, "a.txt", "mine");
    let plan = Seed::of(
        &repository,
        &dir,
        &branch_named("paddock-0"),
        &world.oid(&repo, "HEAD"),
        str::to_owned,
    );
    let error = seed(&world.place, &plan).await.unwrap_err();
    assert!(matches!(error, SeedError::InTheWay { .. }), "{error}");
    assert_eq!(read(&dir, "a.txt"), "mine");
}

#[tokio::test]
async fn objects_that_the_box_cannot_see_are_said_to_be_missing() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    let dir = world.dir("box");
    let base = world.oid(&repo, "HEAD");
    let plan = Seed::of(&repository, &dir, &branch_named("paddock-0"), &base, |_| {
        "/not/mounted".to_owned()
    });
    let error = seed(&world.place, &plan).await.unwrap_err();
    assert!(matches!(error, SeedError::ObjectsMissing { .. }), "{error}");
    assert!(
        !world
            .try_git(&dir, &["rev-parse", "-q", "--verify", "HEAD"])
            .0
    );
}

#[tokio::test]
async fn a_box_on_another_disk_is_seeded_from_a_pack() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    let base = world.oid(&repo, "HEAD");
    let dir = world.dir("box");
    let objects = pack_from_host(&world.place, &repository, std::slice::from_ref(&base), &[]).await;
    let plan = Seed {
        alternates: Vec::new(),
        ..Seed::of(
            &repository,
            &dir,
            &branch_named("paddock-0"),
            &base,
            str::to_owned,
        )
    };
    seed_from(&world.place, &plan, objects.unwrap())
        .await
        .unwrap();
    assert_eq!(read(&dir, "src/b.txt"), "bee\n");
    world.git(&dir, &["fsck", "--full"]);
}

#[tokio::test]
async fn shallow_and_sha256_repositories_make_working_boxes() {
    let world = World::new();
    let repo = world.repo("repo");
    world.commit(&repo, "second");
    let shallow = world.path("shallow");
    world.git(
        "/",
        &[
            "clone",
            "-q",
            "--depth=1",
            &format!("file://{repo}"),
            &shallow,
        ],
    );
    let dir = world.seeded(&shallow, "box1", "paddock-0").await;
    assert_eq!(world.git(&dir, &["rev-list", "--count", "HEAD"]), "1");
    let repo = world.dir("long");
    world.git(&repo, &["init", "-q", "--object-format=sha256"]);
    write(&repo, "x", "y");
    world.commit(&repo, "first");
    let dir = world.seeded(&repo, "box2", "paddock-0").await;
    world.commit(&dir, "in the box");
    let landed = bring_home(&world, &repo, &dir, "paddock-0", "t2")
        .await
        .unwrap();
    assert!(
        matches!(landed, Landed::Moved { stands: None, .. }),
        "{landed:?}"
    );
}

#[tokio::test]
async fn a_linked_worktree_of_the_user_makes_a_box_with_a_git_directory_of_its_own() {
    let world = World::new();
    let repo = world.repo("repo");
    let linked = world.path("linked");
    world.git(&repo, &["worktree", "add", "-q", "-b", "side", &linked]);
    write(&linked, "side.txt", "side\n");
    world.commit(&linked, "side");
    let dir = world.seeded(&linked, "box", "paddock-0").await;
    assert_eq!(read(&dir, "side.txt"), "side\n");
    let own = world.git(
        &dir,
        &["rev-parse", "--path-format=absolute", "--git-common-dir"],
    );
    assert_eq!(own, format!("{dir}/.git"));
}

#[tokio::test]
async fn a_submodule_that_the_host_has_is_there_in_the_box() {
    let world = World::new();
    let (repo, lib) = (world.repo("repo"), world.repo("lib"));
    world.add_submodule(&repo, &lib, "libs/one");
    world.add_submodule(&repo, &lib, "libs/two");
    let base = world.commit(&repo, "submodules");
    std::fs::remove_dir_all(format!("{repo}/.git/modules/libs/two")).unwrap();
    let repository = world.inspect(&repo).await;
    assert_eq!(repository.submodules.len(), 2);
    let dir = world.dir("box");
    let mut plan = Seed::of(
        &repository,
        &dir,
        &branch_named("paddock-0"),
        &base,
        str::to_owned,
    );
    let found = submodule_seeds(&world.place, &repository, &plan, str::to_owned)
        .await
        .unwrap();
    assert!(found.notices[0].contains("libs/two"), "{:?}", found.notices);
    plan.submodules = found.seeds;
    seed(&world.place, &plan).await.unwrap();
    assert_eq!(read(&dir, "libs/one/a.txt"), "one\ntwo\nthree\n");
    assert_eq!(world.git(&dir, &["status", "--porcelain"]), "");
}

#[tokio::test]
async fn large_file_pointers_stay_pointers() {
    let world = World::new();
    let repo = world.repo("repo");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    write(
        &repo,
        ".gitattributes",
        "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    );
    write(&repo, "big.bin", pointer);
    world.commit(&repo, "pointer");
    let smudge = format!("touch {}", world.path("canary"));
    world.git("/", &["config", "--global", "filter.lfs.smudge", &smudge]);
    world.git("/", &["config", "--global", "filter.lfs.required", "true"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    assert_eq!(read(&dir, "big.bin"), pointer);
    assert!(!exists(&world.path(""), "canary"));
}

/// Claims nothing: delivers what the box has on `branch` to `repo`.
async fn bring_home(
    world: &World,
    repo: &str,
    dir: &str,
    branch: &str,
    name: &str,
) -> Result<Landed, ReceiveError> {
    let repository = world.inspect(repo).await;
    let branch = branch_named(branch);
    let start = world.oid(repo, "HEAD");
    let tip = tip_in_box(&world.place, dir, &branch).await?.unwrap();
    let tips = std::slice::from_ref(&tip);
    let pack = pack_from_box(&world.place, dir, tips, std::slice::from_ref(&start)).await?;
    let delivery = Delivery {
        task: &task(name),
        branch: &branch,
        start: &start,
        tip: &tip,
        at: now(),
    };
    receive(&world.place, &repository, delivery, pack).await
}

#[tokio::test]
async fn commits_come_home_and_the_branch_moves_forward() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "new.txt", "new\n");
    let tip = world.commit(&dir, "work");
    let landed = bring_home(&world, &repo, &dir, "paddock-0", "t1")
        .await
        .unwrap();
    assert_eq!(landed, Landed::Advanced { from: base });
    assert_eq!(world.oid(&repo, "paddock-0"), tip);
    let kept = delivered_ref(&task("t1"), &branch_named("paddock-0"));
    assert_eq!(world.oid(&repo, &kept), tip);
    let landed = bring_home(&world, &repo, &dir, "paddock-0", "t1")
        .await
        .unwrap();
    assert_eq!(landed, Landed::Unchanged);
    assert_eq!(world.git(&repo, &["status", "--porcelain"]), "");
    world.git(&repo, &["fsck", "--full"]);
}

#[tokio::test]
async fn a_delivery_that_was_cut_off_behind_the_branch_is_finished_by_the_next() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let tip = world.commit(&dir, "work");
    let branch = branch_named("paddock-0");
    bring_home(&world, &repo, &dir, "paddock-0", "t1")
        .await
        .unwrap();
    // As a crash leaves it: the branch is there, the mark that says so is not.
    let mark = delivered_ref(&task("t1"), &branch);
    world.git(&repo, &["update-ref", "-d", &mark]);
    let landed = bring_home(&world, &repo, &dir, "paddock-0", "t1").await;
    assert_eq!(landed.unwrap(), Landed::Unchanged);
    assert_eq!(world.oid(&repo, &mark), tip);
}

#[tokio::test]
async fn a_delivery_is_not_marked_as_done_before_the_branch_has_it() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.commit(&dir, "work");
    // Somebody holds the branch: it cannot be moved now.
    write(&repo, ".git/refs/heads/paddock-0.lock", "");
    let landed = bring_home(&world, &repo, &dir, "paddock-0", "t1").await;
    let mark = delivered_ref(&task("t1"), &branch_named("paddock-0"));
    assert!(landed.is_err(), "{landed:?}");
    assert_eq!(world.git(&repo, &["for-each-ref", &mark]), "");
}

#[tokio::test]
async fn rewritten_commits_replace_the_old_ones_which_are_kept() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let old = world.commit(&dir, "work");
    bring_home(&world, &repo, &dir, "paddock-0", "t1")
        .await
        .unwrap();
    world.git(
        &dir,
        &["commit", "-q", "--amend", "--allow-empty", "-m", "better"],
    );
    let landed = bring_home(&world, &repo, &dir, "paddock-0", "t1")
        .await
        .unwrap();
    let kept = "refs/paddock/trash/t1/1".to_owned();
    assert_eq!(
        landed,
        Landed::Rewritten {
            from: old.clone(),
            kept: kept.clone()
        }
    );
    assert_eq!(world.oid(&repo, &format!("{kept}^1")), old);
    assert_eq!(world.oid(&repo, "paddock-0"), world.oid(&dir, "HEAD"));
}

#[tokio::test]
async fn a_branch_that_the_user_moved_or_checked_out_is_left_alone() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let tip = world.commit(&dir, "the agent's");
    let own = world.path("own");
    world.git(&repo, &["worktree", "add", "-q", &own, "paddock-0"]);
    let landed = bring_home(&world, &repo, &dir, "paddock-0", "t1")
        .await
        .unwrap();
    assert!(
        matches!(&landed, Landed::CheckedOut { worktree, .. } if *worktree == own),
        "{landed:?}"
    );
    let users = world.commit(&own, "the user's");
    world.git(&own, &["checkout", "-q", "--detach"]);
    let landed = bring_home(&world, &repo, &dir, "paddock-0", "t1")
        .await
        .unwrap();
    let Landed::Moved { stands, delivered } = landed else {
        panic!("{landed:?}");
    };
    assert_eq!(stands.as_ref(), Some(&users));
    assert_eq!(world.oid(&repo, "paddock-0"), users);
    assert_eq!(world.oid(&repo, &delivered), tip);
}

#[tokio::test]
async fn damaged_and_incomplete_packs_are_not_taken() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let repository = world.inspect(&repo).await;
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let first = world.commit(&dir, "one");
    let tip = world.commit(&dir, "two");
    let (id, branch) = (task("t1"), branch_named("paddock-0"));
    let delivery = Delivery {
        task: &id,
        branch: &branch,
        start: &base,
        tip: &tip,
        at: now(),
    };
    let tips = std::slice::from_ref(&tip);
    // Without the first commit the second hangs in the air.
    let hollow = pack_from_box(&world.place, &dir, tips, &[first])
        .await
        .unwrap();
    let mut torn = world.packed(&dir, &format!("{tip}\n^{base}\n"));
    let middle = torn.len() / 2;
    torn[middle] ^= 0xff;
    let torn = bytes::Bytes::from(torn);
    for bad in [
        hollow,
        torn.into(),
        bytes::Bytes::from_static(b"nonsense").into(),
    ] {
        let error = receive(&world.place, &repository, delivery, bad)
            .await
            .unwrap_err();
        assert!(matches!(error, ReceiveError::Damaged { .. }), "{error}");
        assert_eq!(world.oid(&repo, "paddock-0"), base);
        assert_eq!(world.git(&repo, &["for-each-ref", "refs/paddock/"]), "");
    }
}

#[tokio::test]
async fn a_tree_that_would_write_into_dot_git_is_not_taken() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let evil = "import subprocess as s;g=lambda *a,i=b'':s.run(['git',*a],input=i,stdout=-1,check=True).stdout.strip();\
        b=g('hash-object','-w','--stdin',i=b'evil');n=bytes.fromhex(b.decode());\
        t=g('hash-object','-w','-t','tree','--literally','--stdin',i=b'100644 .git\\0'+n);\
        c=g('commit-tree','-p','HEAD','-m','x',t.decode());g('update-ref','refs/heads/paddock-0',c.decode())";
    let made = std::process::Command::new("python3")
        .args(["-c", evil])
        .current_dir(&dir)
        .env("HOME", world.path("home"))
        .status()
        .unwrap();
    assert!(made.success());
    let error = bring_home(&world, &repo, &dir, "paddock-0", "t1")
        .await
        .unwrap_err();
    assert!(error.to_string().contains(".git"), "{error}");
    assert_eq!(world.oid(&repo, "paddock-0"), base);
}

#[tokio::test]
async fn what_a_box_borrows_survives_a_clean_up_of_the_host_until_it_is_unpinned() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    world.git(&repo, &["checkout", "-q", "-b", "gone"]);
    write(&repo, "only-here.txt", "x");
    let base = world.commit(&repo, "only here");
    world.git(&repo, &["checkout", "-q", "main"]);
    pin(&world.place, &repository, &task("t1"), &base)
        .await
        .unwrap();
    world.git(&repo, &["branch", "-q", "-D", "gone"]);
    let clean_up = || {
        world.git(&repo, &["reflog", "expire", "--expire=now", "--all"]);
        world.git(&repo, &["gc", "-q", "--prune=now"]);
        world.try_git(&repo, &["cat-file", "-e", base.as_str()]).0
    };
    assert!(clean_up());
    let id = task("t1");
    unpin(&world.place, &repository, keeping(&id))
        .await
        .unwrap();
    assert!(!clean_up());
    assert_eq!(world.git(&repo, &["for-each-ref", "refs/paddock/"]), "");
}
