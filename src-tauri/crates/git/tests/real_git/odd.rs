//! Repositories of every kind that git has, and repositories that are not as they should be.

use paddock_domain::DiffWhat;
use paddock_git::{
    AskRemotes, BaseError, DiffLimits, Landed, Seed, branch_names, bring_back, claim_branch,
    commits, diff, free_branch, inspect, keep, locate, pin, resolve_base, seed, trash, unpin,
};

use crate::world::{World, branch_named, keeping, task, write};

/// Takes a task's work through all of its life in `repo`, with a clean-up between every two steps.
async fn live_through(world: &World, repo: &str) {
    let place = &world.place;
    let repository = world.inspect(repo).await;
    let id = task("t1");
    let base = resolve_base(place, &repository, None).await.unwrap().commit;
    let branch = claim_branch(place, &id, &[(&repository, &base)], AskRemotes::No)
        .await
        .unwrap();
    assert_eq!(branch.as_str(), "paddock-0");
    pin(place, &repository, &id, &base).await.unwrap();
    let dir = world.dir("box");
    let plan = Seed::of(&repository, &dir, &branch, &base, str::to_owned);
    seed(place, &plan).await.unwrap();
    write(&dir, "new.txt", "new\n");
    let tip = world.commit(&dir, "work");
    let landed = world.bring_out(repo, &dir, &base).await;
    assert_eq!(landed, Landed::Advanced { from: base.clone() });
    assert_eq!(world.oid(repo, "paddock-0"), tip);
    write(&dir, "loose.txt", "loose\n");
    let log = commits(place, &dir, &base).await.unwrap();
    assert_eq!((log.commits.len(), log.commits[0].added), (1, 1));
    let text = diff(
        place,
        &dir,
        &base,
        DiffWhat::Uncommitted,
        None,
        DiffLimits::default(),
    );
    assert!(text.await.unwrap().text.contains("+loose"));
    let kept = keep(place, &dir, place, &repository, keeping(&id)).await;
    let kept = kept.unwrap().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    world.clean_up(repo);
    let listed = trash(place, &repository.git_dir, None).await.unwrap();
    assert_eq!(listed, std::slice::from_ref(&kept));
    let free = free_branch(place, &repository, &kept).await.unwrap();
    let back = bring_back(place, &repository, &kept, &free, true)
        .await
        .unwrap();
    let text = world.git(repo, &["show", &format!("{}:loose.txt", back.commit)]);
    assert_eq!(text, "loose");
    let names = branch_names(place, &repository.git_dir, "PADDOCK-0-r", 10).await;
    assert_eq!(names.unwrap().items[0].name, "paddock-0-restored");
    world.hold_sound(repo);
}

#[tokio::test]
async fn a_plain_repository_goes_all_the_way() {
    let world = World::new();
    let repo = world.repo("repo");
    live_through(&world, &repo).await;
}

#[tokio::test]
async fn a_repository_with_long_object_names_goes_all_the_way() {
    let world = World::new();
    let repo = world.dir("repo");
    world.git(&repo, &["init", "-q", "--object-format=sha256"]);
    write(&repo, "a.txt", "a\n");
    world.commit(&repo, "first");
    live_through(&world, &repo).await;
}

#[tokio::test]
async fn a_repository_with_its_refs_in_tables_goes_all_the_way() {
    let world = World::new();
    let repo = world.dir("repo");
    if !world
        .try_git(&repo, &["init", "-q", "--ref-format=reftable"])
        .0
    {
        // This git knows no other format than files.
        return;
    }
    write(&repo, "a.txt", "a\n");
    world.commit(&repo, "first");
    live_through(&world, &repo).await;
}

#[tokio::test]
async fn a_linked_worktree_goes_all_the_way() {
    let world = World::new();
    let repo = world.repo("repo");
    let linked = world.path("linked");
    world.git(&repo, &["worktree", "add", "-q", "-b", "linked", &linked]);
    live_through(&world, &linked).await;
}

#[tokio::test]
async fn a_submodules_checkout_goes_all_the_way() {
    let world = World::new();
    let (repo, lib) = (world.repo("repo"), world.repo("lib"));
    world.add_submodule(&repo, &lib, "lib");
    world.commit(&repo, "with a submodule");
    live_through(&world, &format!("{repo}/lib")).await;
}

#[tokio::test]
async fn a_repository_of_large_file_pointers_goes_all_the_way() {
    let world = World::new();
    let repo = world.repo("repo");
    write(
        &repo,
        ".gitattributes",
        "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    );
    write(
        &repo,
        "big.bin",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    );
    world.commit(&repo, "pointer");
    live_through(&world, &repo).await;
}

#[tokio::test]
async fn a_partial_clone_says_what_it_lacks_and_takes_no_harm() {
    let world = World::new();
    let origin = world.repo("origin");
    world.git(&origin, &["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{origin}");
    let repo = world.path("partial");
    world.git(
        "/",
        &[
            "clone",
            "-q",
            "--no-checkout",
            "--filter=blob:none",
            &url,
            &repo,
        ],
    );
    let repository = world.inspect(&repo).await;
    assert!(repository.partial);
    assert!(
        repository
            .notices()
            .iter()
            .any(|text| text.contains("partial")),
        "{:?}",
        repository.notices()
    );
    let dir = world.dir("box");
    let base = world.oid(&repo, "HEAD");
    let branch = branch_named("paddock-0");
    let plan = Seed::of(&repository, &dir, &branch, &base, str::to_owned);
    let error = seed(&world.place, &plan).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("git fetch --refetch --no-filter"),
        "{error}"
    );
    world.git(&repo, &["fetch", "-q", "--refetch", "--no-filter"]);
    live_through(&world, &repo).await;
}

#[tokio::test]
async fn fifty_thousand_refs_are_no_burden() {
    const REFS: usize = 50_000;
    let world = World::new();
    let repo = world.repo("repo");
    let head = world.oid(&repo, "HEAD");
    let mut packed = "# pack-refs with: peeled fully-peeled sorted \n".to_owned();
    for n in 0..REFS {
        packed.push_str(&format!("{head} refs/remotes/origin/feature/{n:06}\n"));
    }
    write(&repo, ".git/packed-refs", packed);
    let begun = std::time::Instant::now();
    let timed = |what: &str, begun: std::time::Instant| {
        let took = begun.elapsed();
        eprintln!("{what}: {took:?}");
        assert!(
            took < std::time::Duration::from_secs(60),
            "{what}: {took:?}"
        );
        std::time::Instant::now()
    };
    let repository = world.inspect(&repo).await;
    let begun = timed("inspect", begun);
    let names = branch_names(&world.place, &repository.git_dir, "", 50)
        .await
        .unwrap();
    assert!(names.more && names.items.len() == 50);
    let begun = timed("all names", begun);
    let names = branch_names(&world.place, &repository.git_dir, "0499", 200)
        .await
        .unwrap();
    assert_eq!(names.items.len(), 100);
    let begun = timed("names with a prefix", begun);
    let id = task("t1");
    claim_branch(&world.place, &id, &[(&repository, &head)], AskRemotes::No)
        .await
        .unwrap();
    let begun = timed("claim", begun);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let begun = timed("seed", begun);
    write(&dir, "new.txt", "new\n");
    world.commit(&dir, "work");
    let begun = timed("commit", begun);
    world.bring_out(&repo, &dir, &head).await;
    let begun = timed("bring out", begun);
    write(&dir, "loose.txt", "loose\n");
    let kept = keep(&world.place, &dir, &world.place, &repository, keeping(&id)).await;
    assert!(kept.unwrap().is_some());
    timed("keep", begun);
}

#[tokio::test]
async fn a_corrupt_repository_says_what_is_missing_and_refuses_what_it_cannot_hold() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "new.txt", "new\n");
    world.commit(&dir, "work");
    let tree = world.git(&repo, &["rev-parse", "HEAD:src"]);
    let object = format!("{repo}/.git/objects/{}/{}", &tree[..2], &tree[2..]);
    let saved = std::fs::read(&object).unwrap();
    std::fs::remove_file(&object).unwrap();
    let repository = world.inspect(&repo).await;
    let id = task("t1");
    let error = keep(&world.place, &dir, &world.place, &repository, keeping(&id)).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains(&tree) || error.contains("src"), "{error}");
    assert_eq!(world.git(&repo, &["for-each-ref", "refs/paddock/"]), "");
    std::fs::write(&object, saved).unwrap();
    world.bring_out(&repo, &dir, &base).await;
    world.hold_sound(&repo);
}

#[tokio::test]
async fn a_lock_that_was_left_in_the_checkout_or_the_box_is_in_nobodys_way() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "new.txt", "new\n");
    world.commit(&dir, "work");
    for at in [&repo, &dir] {
        write(at, ".git/index.lock", "");
        write(at, ".git/HEAD.lock", "");
    }
    world.bring_out(&repo, &dir, &base).await;
    write(&dir, "loose.txt", "loose\n");
    let repository = world.inspect(&repo).await;
    let id = task("t1");
    let kept = keep(&world.place, &dir, &world.place, &repository, keeping(&id)).await;
    assert!(kept.unwrap().is_some());
}

#[tokio::test]
async fn a_base_that_is_gone_and_refs_that_the_user_deleted_are_told_and_made_again() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    let repository = world.inspect(&repo).await;
    let gone = resolve_base(&world.place, &repository, Some("gone")).await;
    assert!(matches!(gone, Err(BaseError::NoSuchBase { .. })));
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.commit(&dir, "one");
    world.bring_out(&repo, &dir, &base).await;
    for line in world
        .git(
            &repo,
            &["for-each-ref", "--format=%(refname)", "refs/paddock/"],
        )
        .lines()
    {
        world.git(&repo, &["update-ref", "-d", line]);
    }
    let tip = world.commit(&dir, "two");
    let landed = world.bring_out(&repo, &dir, &base).await;
    assert!(matches!(landed, Landed::Advanced { .. }), "{landed:?}");
    assert_eq!(world.oid(&repo, "paddock-0"), tip);
    world.git(&repo, &["update-ref", "-d", "refs/heads/paddock-0"]);
    let landed = world.bring_out(&repo, &dir, &base).await;
    let Landed::Moved {
        stands: None,
        delivered,
    } = landed
    else {
        panic!("{landed:?}");
    };
    assert_eq!(world.oid(&repo, &delivered), tip);
}

#[tokio::test]
async fn a_short_look_finds_the_git_directory_of_any_checkout() {
    let world = World::new();
    let repo = world.repo("repo");
    let linked = world.path("linked");
    world.git(&repo, &["worktree", "add", "-q", "-b", "linked", &linked]);
    let whole = inspect(&world.place, &linked).await.unwrap();
    assert_eq!(locate(&world.place, &linked).await.unwrap(), whole.git_dir);
    assert!(locate(&world.place, &world.path("nowhere")).await.is_err());
}

#[tokio::test]
async fn the_lock_of_a_killed_git_is_in_the_way_of_no_ref_of_ours() {
    let world = World::new();
    let repo = world.repo("repo");
    let (repository, id) = (world.inspect(&repo).await, task("t1"));
    let base = world.oid(&repo, "HEAD");
    let locked = |name: &str, seconds: u64| {
        let path = std::path::Path::new(&repository.git_dir).join(format!("{name}.lock"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let lock = std::fs::File::create(&path).unwrap();
        let at = std::time::SystemTime::now() - std::time::Duration::from_secs(seconds);
        lock.set_modified(at).unwrap();
        path
    };
    // Somebody may hold it still.
    let name = format!("refs/paddock/{id}/base");
    let lock = locked(&name, 5);
    let refused = pin(&world.place, &repository, &id, &base).await;
    assert!(refused.unwrap_err().to_string().contains("base.lock"));
    assert!(lock.exists());
    let lock = locked(&name, 300);
    pin(&world.place, &repository, &id, &base).await.unwrap();
    assert_eq!(world.oid(&repo, &name), base);
    assert!(!lock.exists());
    let others =
        ["box", "heads/paddock-0"].map(|of| locked(&format!("refs/paddock/{id}/{of}"), 300));
    let lock = locked(&name, 300);
    unpin(&world.place, &repository, keeping(&id))
        .await
        .unwrap();
    assert!(!lock.exists() && others.iter().all(|lock| !lock.exists()));
    assert_eq!(world.git(&repo, &["for-each-ref", "refs/paddock"]), "");
    // A branch is the user's, and so is its lock: another name is free.
    let lock = locked("refs/heads/paddock-0", 300);
    let at = [(&repository, &base)];
    let claimed = claim_branch(&world.place, &id, &at, AskRemotes::No).await;
    assert_eq!(claimed.unwrap().as_str(), "paddock-1");
    assert!(lock.exists());
}
