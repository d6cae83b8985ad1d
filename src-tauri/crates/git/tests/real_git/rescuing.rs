//! A box whose own repository is damaged or gone loses no file, and nothing that is left of it.

use std::fs;

use paddock_git::{Keeping, Rescued, TrashError, bring_back, free_branch, keep, rescue};

use crate::world::{World, exists, keeping, read, task, write};

impl World {
    async fn rescue(&self, dir: &str, repo: &str) -> Rescued {
        let repository = self.inspect(repo).await;
        let id = task("t1");
        let refused = keep(&self.place, dir, &self.place, &repository, keeping(&id)).await;
        let refused = refused.unwrap_err();
        assert!(refused.may_be_damage(), "{refused}");
        let found = rescue(&self.place, dir, &self.place, &repository, keeping(&id)).await;
        let around = fs::read_dir(self.path("")).unwrap();
        let left = around.filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().starts_with(".paddock-rescue")
        });
        assert_eq!(left.count(), 0, "what was made for it is removed");
        found.unwrap()
    }

    fn show(&self, repo: &str, what: &str) -> String {
        self.git(repo, &["show", what])
    }
}

/// A box with one commit that came out, one that did not, and files that no commit holds.
async fn box_at_work(world: &World, repo: &str) -> String {
    world.git(repo, &["branch", "paddock-0"]);
    let base = world.oid(repo, "HEAD");
    let dir = world.seeded(repo, "box", "paddock-0").await;
    write(&dir, ".gitignore", "*.log\n");
    write(&dir, "kept.log", "tracked though ignored\n");
    world.git(&dir, &["add", "-f", "kept.log"]);
    world.commit(&dir, "came out");
    world.bring_out(repo, &dir, &base).await;
    write(&dir, "second.txt", "second\n");
    world.commit(&dir, "did not come out");
    write(&dir, "loose.txt", "loose\n");
    write(&dir, "kept.log", "changed\n");
    write(&dir, "ignored.log", "ignored\n");
    fs::remove_file(format!("{dir}/a.txt")).unwrap();
    dir
}

#[tokio::test]
async fn every_file_of_a_box_without_a_repository_is_kept_on_top_of_what_came_out() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = box_at_work(&world, &repo).await;
    let delivered = world.oid(&repo, "paddock-0");
    fs::remove_dir_all(format!("{dir}/.git")).unwrap();

    let Rescued { kept, left_out } = world.rescue(&dir, &repo).await;
    let kept = kept.unwrap();
    assert_eq!(left_out, None);
    assert_eq!(kept.head, Some(delivered));
    assert_eq!(kept.branch.as_deref(), Some("paddock-0"));
    let at = |what: &str| world.show(&repo, &format!("{}{what}", kept.commit));
    assert_eq!(at(":second.txt"), "second");
    assert_eq!(at(":loose.txt"), "loose");
    assert_eq!(at(":kept.log"), "changed");
    assert_eq!(at("^2:ignored/ignored.log"), "ignored");
    assert!(
        !world
            .try_git(
                &repo,
                &["cat-file", "-e", &format!("{}:a.txt", kept.commit)]
            )
            .0
    );
    assert!(!exists(&dir, ".git"), "nothing is made in the box");
    assert_eq!(read(&dir, "loose.txt"), "loose\n");

    let again = world.rescue(&dir, &repo).await;
    assert_eq!(again.kept, Some(kept.clone()), "the same is kept once");
    let repository = world.inspect(&repo).await;
    let branch = free_branch(&world.place, &repository, &kept).await.unwrap();
    let back = bring_back(&world.place, &repository, &kept, &branch, false).await;
    assert_eq!(
        world.show(&repo, &format!("{}:loose.txt", back.unwrap().commit)),
        "loose"
    );
    world.hold_sound(&repo);
}

#[tokio::test]
async fn what_is_left_of_a_damaged_repository_is_kept_and_its_commits_can_be_had_again() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = box_at_work(&world, &repo).await;
    let lost = world.oid(&dir, "HEAD");
    fs::write(format!("{dir}/.git/HEAD"), "garbage").unwrap();
    fs::write(format!("{dir}/.git/index"), "garbage").unwrap();

    let Rescued { kept, left_out } = world.rescue(&dir, &repo).await;
    let (kept, extra) = {
        let kept = kept.unwrap();
        let extra = kept.extra.clone().unwrap();
        (kept, extra)
    };
    assert_eq!(left_out, None);
    assert_eq!(
        world.show(&repo, &format!("{}:loose.txt", kept.commit)),
        "loose"
    );
    let (first, rest) = lost.as_str().split_at(2);
    let object = format!("{extra}:git/objects/{first}/{rest}");
    assert!(world.try_git(&repo, &["cat-file", "-e", &object]).0);
    assert_eq!(world.show(&repo, &format!("{extra}:git/HEAD")), "garbage");
    world.hold_sound(&repo);
}

#[tokio::test]
async fn what_is_too_large_to_be_kept_is_told_and_the_files_are_kept_all_the_same() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = box_at_work(&world, &repo).await;
    fs::write(format!("{dir}/.git/HEAD"), "garbage").unwrap();
    let large = fs::File::create(format!("{dir}/.git/large")).unwrap();
    large.set_len(65 << 20).unwrap();
    let found = world.rescue(&dir, &repo).await;
    assert!(found.left_out.unwrap().contains("too large"));
    let kept = found.kept.unwrap();
    assert_eq!(
        world.show(&repo, &format!("{}:loose.txt", kept.commit)),
        "loose"
    );
}

#[tokio::test]
async fn objects_that_are_gone_from_a_box_do_not_keep_its_files_from_being_kept() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = box_at_work(&world, &repo).await;
    fs::remove_dir_all(format!("{dir}/.git/objects")).unwrap();
    let kept = world.rescue(&dir, &repo).await.kept.unwrap();
    assert_eq!(
        world.show(&repo, &format!("{}:second.txt", kept.commit)),
        "second"
    );
}

#[tokio::test]
async fn a_host_that_cannot_take_it_is_an_error_and_no_rescue() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = box_at_work(&world, &repo).await;
    let mut repository = world.inspect(&repo).await;
    repository.git_dir = world.path("nowhere");
    let id = task("t1");
    let keeping: Keeping<'_> = keeping(&id);
    let refused = rescue(&world.place, &dir, &world.place, &repository, keeping).await;
    assert!(matches!(refused, Err(TrashError::Git(_))), "{refused:?}");
}
