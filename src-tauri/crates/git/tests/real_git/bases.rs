//! What a task starts from.

use paddock_git::{BaseError, resolve_base};

use crate::world::World;

#[tokio::test]
async fn a_base_is_found_as_branch_remote_branch_tag_or_commit() {
    let world = World::new();
    let repo = world.repo("repo");
    let first = world.oid(&repo, "HEAD");
    world.git(&repo, &["tag", "-a", "v1", "-m", "one"]);
    world.origin(&repo, "origin.git");
    world.git(&repo, &["update-ref", "refs/remotes/origin/theirs", "HEAD"]);
    let second = world.commit(&repo, "second");
    let repository = world.inspect(&repo).await;
    let short = &first.as_str()[..10];
    for (name, commit) in [
        (None, &second),
        (Some("main"), &second),
        (Some("theirs"), &first),
        (Some("origin/theirs"), &first),
        (Some("v1"), &first),
        (Some("HEAD~1"), &first),
        (Some(short), &first),
    ] {
        let base = resolve_base(&world.place, &repository, name).await.unwrap();
        assert_eq!(base.commit, *commit, "{name:?}");
    }
}

#[tokio::test]
async fn a_name_that_stands_for_nothing_is_refused() {
    let world = World::new();
    let repository = world.inspect(&world.repo("repo")).await;
    for name in ["nowhere", "", "--all", "main\nmain", "HEAD:a.txt"] {
        let error = resolve_base(&world.place, &repository, Some(name)).await;
        assert!(
            matches!(error, Err(BaseError::NoSuchBase { .. })),
            "{name:?}"
        );
    }
}

#[tokio::test]
async fn an_unborn_branch_falls_back_to_the_default_one() {
    let world = World::new();
    let repo = world.repo("repo");
    let main = world.oid(&repo, "HEAD");
    world.git(&repo, &["checkout", "-q", "--orphan", "fresh"]);
    let repository = world.inspect(&repo).await;
    let base = resolve_base(&world.place, &repository, None).await.unwrap();
    assert_eq!((base.name.as_str(), base.commit), ("main", main));
}
