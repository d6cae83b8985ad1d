//! A clean-up of the host's repository, or of a box's, takes nothing that anybody needs.

use paddock_domain::TrashReason;
use paddock_git::{
    Delivery, Landed, Oid, hold, pack_from_box, pin, receive, tip_in_box, trash, unpin,
};

use crate::world::{World, branch_named, keeping, now, task, write};

impl World {
    /// Every clean-up that git has, as hard as it can.
    #[track_caller]
    pub(crate) fn clean_up(&self, dir: &str) {
        self.git(dir, &["reflog", "expire", "--expire=now", "--all"]);
        self.git(dir, &["repack", "-q", "-a", "-d", "-l"]);
        self.git(dir, &["gc", "-q", "--prune=now"]);
        self.git(dir, &["maintenance", "run", "--quiet", "--task=gc"]);
        self.git(dir, &["prune", "--expire=now"]);
    }

    /// Whether `dir` has `oid`.
    pub(crate) fn has(&self, dir: &str, oid: &Oid) -> bool {
        self.try_git(dir, &["cat-file", "-e", oid.as_str()]).0
    }

    /// Brings out of the box `dir` what it has on `branch` and besides, as after a turn.
    pub(crate) async fn bring_out(&self, repo: &str, dir: &str, base: &Oid) -> Landed {
        let (id, branch) = (task("t1"), branch_named("paddock-0"));
        let repository = self.inspect(repo).await;
        let place = &self.place;
        hold(place, dir, place, &repository, &branch, keeping(&id))
            .await
            .unwrap();
        let tip = tip_in_box(place, dir, &branch).await.unwrap().unwrap();
        let have = std::slice::from_ref(base);
        let pack = pack_from_box(place, dir, std::slice::from_ref(&tip), have)
            .await
            .unwrap();
        let delivery = Delivery {
            task: &id,
            branch: &branch,
            start: base,
            tip: &tip,
            at: now(),
        };
        receive(place, &repository, delivery, pack).await.unwrap()
    }
}

#[tokio::test]
async fn what_a_box_began_from_stays_when_the_user_deletes_its_branch() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["checkout", "-q", "-b", "gone"]);
    write(&repo, "only-here.txt", "x");
    let base = world.commit(&repo, "only here");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let repository = world.inspect(&repo).await;
    pin(&world.place, &repository, &task("t1"), &base)
        .await
        .unwrap();
    world.git(&repo, &["checkout", "-q", "main"]);
    world.git(&repo, &["branch", "-q", "-D", "gone"]);
    world.clean_up(&repo);
    assert!(world.has(&dir, &base));
    write(&dir, "more.txt", "more\n");
    world.commit(&dir, "on top");
    world.hold_sound(&dir);
    world.hold_sound(&repo);
}

#[tokio::test]
async fn what_a_box_came_upon_in_the_host_stays_for_it() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["checkout", "-q", "-b", "other"]);
    write(&repo, "other.txt", "other\n");
    let other = world.commit(&repo, "other");
    world.git(&repo, &["checkout", "-q", "main"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    // As a fetch does that finds the objects there already.
    let fetched = ["update-ref", "refs/remotes/origin/other", other.as_str()];
    world.git(&dir, &fetched);
    world.git(&dir, &["tag", "seen", other.as_str()]);
    world.bring_out(&repo, &dir, &base).await;
    world.git(&repo, &["branch", "-q", "-D", "other"]);
    world.clean_up(&repo);
    world.hold_sound(&dir);
    world.git(&dir, &["merge", "-q", "-m", "merged", "seen"]);
    world.bring_out(&repo, &dir, &base).await;
    world.clean_up(&repo);
    world.hold_sound(&dir);
    world.hold_sound(&repo);
}

#[tokio::test]
async fn commits_that_came_out_may_be_cleaned_from_the_box_and_not_from_the_host() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "work.txt", "work\n");
    let tip = world.commit(&dir, "work");
    world.git(&dir, &["branch", "side"]);
    write(&dir, "side.txt", "side\n");
    world.git(&dir, &["checkout", "-q", "side"]);
    let side = world.commit(&dir, "side");
    world.git(&dir, &["checkout", "-q", "paddock-0"]);
    world.bring_out(&repo, &dir, &base).await;
    // The box's own clean-up leaves the objects to the host, which has them too.
    world.clean_up(&dir);
    world.git(&repo, &["branch", "-q", "-D", "paddock-0"]);
    world.clean_up(&repo);
    assert!(world.has(&repo, &tip) && world.has(&repo, &side));
    world.hold_sound(&dir);
    world.hold_sound(&repo);
}

#[tokio::test]
async fn commits_that_are_on_no_branch_go_into_the_trash_before_the_tasks_refs_go() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let own = world.path("own");
    world.git(&repo, &["worktree", "add", "-q", &own, "paddock-0"]);
    let first = world.commit(&dir, "first");
    let landed = world.bring_out(&repo, &dir, &base).await;
    assert!(matches!(landed, Landed::CheckedOut { .. }), "{landed:?}");
    world.git(
        &dir,
        &["commit", "-q", "--amend", "--allow-empty", "-m", "second"],
    );
    let second = world.oid(&dir, "HEAD");
    world.git(&dir, &["stash", "list"]);
    world.git(&dir, &["branch", "side"]);
    world.git(&dir, &["checkout", "-q", "side"]);
    let side = world.commit(&dir, "side");
    world.git(&dir, &["checkout", "-q", "paddock-0"]);
    world.bring_out(&repo, &dir, &base).await;
    std::fs::remove_dir_all(&dir).unwrap();
    let repository = world.inspect(&repo).await;
    let id = task("t1");
    unpin(&world.place, &repository, keeping(&id))
        .await
        .unwrap();
    unpin(&world.place, &repository, keeping(&id))
        .await
        .unwrap();
    world.clean_up(&repo);
    for commit in [&first, &second, &side] {
        assert!(world.has(&repo, commit), "{commit}");
    }
    let kept = trash(&world.place, &repository.git_dir, Some(&id))
        .await
        .unwrap();
    let reasons: Vec<_> = kept.iter().map(|kept| kept.reason).collect();
    assert!(reasons.contains(&TrashReason::Rewritten), "{reasons:?}");
    assert!(reasons.contains(&TrashReason::Unlanded), "{reasons:?}");
    let left = world.git(
        &repo,
        &["for-each-ref", "--format=%(refname)", "refs/paddock/t1/"],
    );
    assert_eq!(left, "");
    world.hold_sound(&repo);
}

#[tokio::test]
async fn a_branch_that_the_agent_removed_after_it_came_out_is_in_the_trash() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["checkout", "-q", "-b", "side"]);
    let side = world.commit(&dir, "side");
    world.git(&dir, &["checkout", "-q", "paddock-0"]);
    world.bring_out(&repo, &dir, &base).await;
    world.git(&dir, &["branch", "-q", "-D", "side"]);
    world.bring_out(&repo, &dir, &base).await;
    world.clean_up(&repo);
    assert!(world.has(&repo, &side));
    let held = world.git(&repo, &["for-each-ref", "refs/paddock/t1/box"]);
    assert_eq!(held, "");
}

/// The most memory that this process has ever had, in KiB.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let digits: String = line.unwrap().chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

#[tokio::test]
async fn a_large_delivery_takes_little_memory() {
    const MIB: usize = 96;
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["config", "core.compression", "0"]);
    let mut random = 1_u64;
    for n in 0..MIB / 8 {
        let part = std::iter::repeat_with(|| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random.to_le_bytes()
        });
        let part: Vec<u8> = part.take(1 << 20).flatten().collect();
        write(&dir, &format!("large/{n}"), part);
    }
    let tip = world.commit(&dir, "large");
    let before = peak_kib();
    let landed = world.bring_out(&repo, &dir, &base).await;
    let grown = peak_kib().saturating_sub(before);
    eprintln!("{MIB} MiB came out; the peak of memory grew by {grown} KiB");
    assert_eq!(landed, Landed::Advanced { from: base });
    assert!(grown < 16 * 1024, "{grown} KiB");
    assert!(world.has(&repo, &tip));
}

#[tokio::test]
async fn what_was_made_in_a_box_is_held_before_whatever_was_fetched_there() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    world.git(&repo, &["branch", "paddock-0"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["checkout", "-q", "-b", "side"]);
    write(&dir, "side.txt", "side\n");
    let side = world.commit(&dir, "side");
    world.git(&dir, &["checkout", "-q", "--detach", "paddock-0"]);
    write(&dir, "head.txt", "head\n");
    let head = world.commit(&dir, "on no branch");
    world.git(&dir, &["checkout", "-q", "paddock-0"]);
    let tree = format!("{base}^{{tree}}");
    let newest = world.git(
        &dir,
        &["commit-tree", "-m", "fetched", "-p", base.as_str(), &tree],
    );
    let fetched = (0..600).map(|n| format!("{newest} refs/remotes/origin/{n:03}\n"));
    std::fs::write(
        format!("{dir}/.git/packed-refs"),
        fetched.collect::<String>(),
    )
    .unwrap();
    world.git(&dir, &["checkout", "-q", head.as_str()]);
    world.bring_out(&repo, &dir, &base).await;
    assert!(world.has(&repo, &side) && world.has(&repo, &head));
    world.clean_up(&repo);
    assert!(world.has(&repo, &side) && world.has(&repo, &head));
}
