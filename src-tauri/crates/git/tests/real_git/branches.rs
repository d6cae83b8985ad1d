//! Branches are claimed once, and nothing else changes.

use std::time::Duration;

use paddock_git::{AskRemotes, Branch, ClaimError, adopt_branch, claim_branch, release_branch};
use proptest::prelude::*;

use crate::world::{World, branch_named, task};

#[tokio::test]
async fn the_smallest_number_free_in_every_repository_and_remote_is_taken() {
    let world = World::new();
    let (one, two) = (world.repo("one"), world.repo("two"));
    world.git(&one, &["branch", "paddock-0"]);
    world.git(&two, &["branch", "paddock-1/sub"]);
    world.git(
        &two,
        &["update-ref", "refs/remotes/some/fork/paddock-2", "HEAD"],
    );
    let (a, b) = (world.inspect(&one).await, world.inspect(&two).await);
    let (base_a, base_b) = (world.oid(&one, "HEAD"), world.oid(&two, "HEAD"));
    let claims = [(&a, &base_a), (&b, &base_b)];
    let branch = claim_branch(&world.place, &task("t"), &claims, AskRemotes::No)
        .await
        .unwrap();
    assert_eq!(branch.as_str(), "paddock-3");
    assert_eq!(world.oid(&one, "paddock-3"), base_a);
    assert_eq!(world.oid(&two, "paddock-3"), base_b);
    assert_eq!(world.git(&one, &["branch", "--show-current"]), "main");
}

#[tokio::test]
async fn a_remote_is_asked_and_one_that_is_away_is_passed_over() {
    let world = World::new();
    let repo = world.repo("repo");
    let origin = world.origin(&repo, "origin.git");
    world.git(&origin, &["branch", "paddock-0", "main"]);
    world.git(
        &repo,
        &["remote", "add", "gone", &world.path("nothing.git")],
    );
    let repository = world.inspect(&repo).await;
    let base = world.oid(&repo, "HEAD");
    let within = AskRemotes::Within(Duration::from_secs(20));
    let branch = claim_branch(&world.place, &task("t"), &[(&repository, &base)], within)
        .await
        .unwrap();
    assert_eq!(branch.as_str(), "paddock-1");
}

#[tokio::test]
async fn tasks_that_claim_at_once_each_get_a_branch_of_their_own() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    let base = world.oid(&repo, "HEAD");
    let claims = [(&repository, &base)];
    let tasks = ["t1", "t2", "t3", "t4"].map(task);
    let claim = |n: usize| claim_branch(&world.place, &tasks[n], &claims, AskRemotes::No);
    let (a, b, c, d) = tokio::join!(claim(0), claim(1), claim(2), claim(3));
    let mut names: Vec<_> = [a, b, c, d]
        .into_iter()
        .map(|n| n.unwrap().to_string())
        .collect();
    names.sort();
    assert_eq!(names, ["paddock-0", "paddock-1", "paddock-2", "paddock-3"]);
}

#[tokio::test]
async fn a_branch_is_released_only_while_nothing_was_added_to_it() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    let base = world.oid(&repo, "HEAD");
    let claim = [(&repository, &base)];
    let branch = claim_branch(&world.place, &task("t"), &claim, AskRemotes::No)
        .await
        .unwrap();
    let next = world.commit(&repo, "next");
    world.git(
        &repo,
        &["update-ref", "refs/heads/paddock-0", next.as_str()],
    );
    let released = release_branch(&world.place, &repository, &branch, &base).await;
    assert!(!released.unwrap());
    let released = release_branch(&world.place, &repository, &branch, &next).await;
    assert!(released.unwrap());
    assert!(
        !world
            .try_git(&repo, &["rev-parse", "--verify", "-q", "paddock-0"])
            .0
    );
}

#[tokio::test]
async fn an_existing_branch_is_adopted_unless_it_is_checked_out() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["branch", "work"]);
    world.git(&repo, &["update-ref", "refs/remotes/origin/theirs", "HEAD"]);
    let repository = world.inspect(&repo).await;
    let head = world.oid(&repo, "HEAD");
    for name in ["work", "theirs"] {
        let adopted = adopt_branch(&world.place, &[&repository], &branch_named(name)).await;
        assert_eq!(adopted.unwrap(), std::slice::from_ref(&head), "{name}");
        assert_eq!(world.oid(&repo, &format!("refs/heads/{name}")), head);
    }
    let linked = world.path("linked");
    world.git(&repo, &["worktree", "add", "-q", &linked, "work"]);
    for (name, place) in [("main", &repo), ("work", &linked)] {
        let error = adopt_branch(&world.place, &[&repository], &branch_named(name)).await;
        let error = error.unwrap_err();
        assert!(
            matches!(&error, ClaimError::InUse { worktree, .. } if worktree == place),
            "{error}"
        );
    }
    let error = adopt_branch(&world.place, &[&repository], &branch_named("none")).await;
    assert!(matches!(error, Err(ClaimError::NoSuchBranch { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_name_is_taken_just_when_git_takes_it(name in "[a-c@{}./~^: ?*\\[\\\\\u{e4}-]{1,7}(\\.lock|HEAD|/x)?") {
        let world = World::new();
        let full = format!("refs/heads/{name}");
        let (taken, _) = world.try_git("/", &["check-ref-format", &full]);
        let git = taken && !name.starts_with('-') && name != "@";
        prop_assert_eq!(Branch::parse(&name).is_ok(), git, "{}", name);
    }
}

#[tokio::test]
async fn what_a_claim_that_was_cut_short_left_is_removed_by_the_next() {
    let world = World::new();
    let repo = world.repo("repo");
    let repository = world.inspect(&repo).await;
    let base = world.oid(&repo, "HEAD");
    let claim = [(&repository, &base)];
    let cut_short = claim_branch(&world.place, &task("t"), &claim, AskRemotes::No).await;
    let again = claim_branch(&world.place, &task("t"), &claim, AskRemotes::No).await;
    assert_eq!(cut_short.unwrap(), again.unwrap());
    let other = claim_branch(&world.place, &task("u"), &claim, AskRemotes::No).await;
    assert_eq!(other.unwrap().as_str(), "paddock-1");
}
