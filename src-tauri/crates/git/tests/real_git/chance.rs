//! Chance plays an agent, a user and a clean-up at once: whatever came out of a box, and whatever it
//! held when it was removed, is in the repository for good.
//!
//! A seed that fails is told, and `PADDOCK_SEED` plays it alone.

use std::collections::BTreeSet;

use paddock_git::{Oid, bring_back, free_branch, keep, pin, trash, unpin};

use crate::world::{World, keeping, task, write};

/// How many games are played, and how long each is.
const GAMES: u64 = 6;
const MOVES: usize = 22;

/// Small numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }
}

struct Game {
    world: World,
    repo: String,
    dir: String,
    base: Oid,
    dice: Dice,
    count: usize,
    /// Commits that came out of a box.
    out: BTreeSet<Oid>,
    /// Names of blobs that a box held when it was removed.
    blobs: BTreeSet<String>,
}

impl Game {
    async fn begin(seed: u64) -> Self {
        let world = World::new();
        let repo = world.repo("repo");
        let base = world.oid(&repo, "HEAD");
        let mut game = Self {
            dir: String::new(),
            dice: Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            count: 0,
            out: BTreeSet::new(),
            blobs: BTreeSet::new(),
            base,
            repo,
            world,
        };
        game.raise().await;
        game
    }

    async fn raise(&mut self) {
        self.count += 1;
        let repository = self.world.inspect(&self.repo).await;
        let id = task("t1");
        pin(&self.world.place, &repository, &id, &self.base)
            .await
            .unwrap();
        self.world
            .try_git(&self.repo, &["branch", "paddock-0", self.base.as_str()]);
        self.world.git(
            &self.repo,
            &["checkout", "-q", "--detach", self.base.as_str()],
        );
        let name = format!("box{}", self.count);
        self.dir = self.world.seeded(&self.repo, &name, "paddock-0").await;
        self.world.git(&self.repo, &["checkout", "-q", "main"]);
    }

    async fn play(&mut self) {
        self.count += 1;
        let (n, dice) = (self.count, self.dice.below(16));
        let file = format!("f{}.txt", self.dice.below(4));
        let (dir, repo) = (self.dir.clone(), self.repo.clone());
        let try_box = |args: &[&str]| self.world.try_git(&dir, args);
        match dice {
            0..=3 => write(&dir, &file, format!("content {n}\n")),
            4 | 5 => {
                try_box(&["add", "-A"]);
                try_box(&["commit", "-q", "-m", &format!("commit {n}")]);
            }
            6 => {
                try_box(&[
                    "commit",
                    "-q",
                    "--amend",
                    "--allow-empty",
                    "-m",
                    &format!("amended {n}"),
                ]);
            }
            7 => {
                try_box(&["checkout", "-q", "-b", &format!("side{n}")]);
            }
            8 => {
                try_box(&["checkout", "-q", "-f", "paddock-0"]);
            }
            9 => {
                write(&dir, &file, format!("stashed {n}\n"));
                try_box(&["stash", "push", "-q", "-u"]);
            }
            10 => self.world.clean_up(&repo),
            11 => {
                try_box(&["repack", "-q", "-a", "-d", "-l"]);
            }
            12 => self.users_branch(n),
            13 => self.remove().await,
            _ => self.bring_out().await,
        }
    }

    /// The user moves or deletes the task's branch: what that branch alone held is the user's to lose.
    fn users_branch(&mut self, n: usize) {
        let held = ["rev-list", "refs/heads/paddock-0", "--not"];
        let others = ["--exclude=refs/heads/paddock-0", "--all"];
        let (there, text) = self
            .world
            .try_git(&self.repo, &[&held[..], &others].concat());
        if there {
            let given_up: BTreeSet<Oid> = text.lines().filter_map(Oid::parse).collect();
            self.out.retain(|commit| !given_up.contains(commit));
        }
        let done = if n.is_multiple_of(2) {
            &["branch", "-f", "paddock-0", "main"][..]
        } else {
            &["branch", "-D", "paddock-0"][..]
        };
        self.world.try_git(&self.repo, done);
    }

    /// Every commit that the refs of the box reach.
    fn reachable(&self) -> BTreeSet<Oid> {
        let text = self.world.git(&self.dir, &["rev-list", "--all", "HEAD"]);
        text.lines().filter_map(Oid::parse).collect()
    }

    /// The files of the work tree, by the names of their blobs.
    fn dirty(&self) -> BTreeSet<String> {
        let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
        let names = self.world.git(&self.dir, &list);
        let there = |name: &&str| std::path::Path::new(&self.dir).join(name).is_file();
        let blobs = names.lines().filter(there);
        blobs
            .map(|name| self.world.git(&self.dir, &["hash-object", name]))
            .collect()
    }

    async fn bring_out(&mut self) {
        self.world
            .bring_out(&self.repo, &self.dir, &self.base)
            .await;
        self.out.extend(self.reachable());
    }

    async fn remove(&mut self) {
        let repository = self.world.inspect(&self.repo).await;
        let (place, id) = (&self.world.place, task("t1"));
        self.out.extend(self.reachable());
        self.blobs.extend(self.dirty());
        let kept = keep(place, &self.dir, place, &repository, keeping(&id))
            .await
            .unwrap();
        std::fs::remove_dir_all(&self.dir).unwrap();
        unpin(place, &repository, keeping(&id)).await.unwrap();
        if let Some(kept) = kept
            && self.count.is_multiple_of(3)
        {
            let free = free_branch(place, &repository, &kept).await.unwrap();
            bring_back(place, &repository, &kept, &free, true)
                .await
                .unwrap();
        }
        self.world.clean_up(&self.repo);
        self.raise().await;
    }

    #[track_caller]
    fn hold(&self, seed: u64) {
        for commit in &self.out {
            assert!(
                self.world.has(&self.repo, commit),
                "seed {seed}: {commit} is lost"
            );
        }
        for blob in &self.blobs {
            let there = self.world.try_git(&self.repo, &["cat-file", "-e", blob]).0;
            assert!(there, "seed {seed}: a file is lost");
        }
        self.world.hold_sound(&self.repo);
        self.world.hold_sound(&self.dir);
        assert_eq!(self.world.git(&self.repo, &["status", "--porcelain"]), "");
    }
}

#[tokio::test]
async fn nothing_that_came_out_or_was_there_at_a_removal_is_ever_lost() {
    let alone = std::env::var("PADDOCK_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let games = std::env::var("PADDOCK_GAMES")
        .ok()
        .and_then(|games| games.parse().ok());
    let seeds: Vec<u64> = match alone {
        Some(seed) => vec![seed],
        None => (1..=games.unwrap_or(GAMES)).collect(),
    };
    for seed in seeds {
        let mut game = Game::begin(seed).await;
        for _ in 0..MOVES {
            game.play().await;
        }
        game.bring_out().await;
        game.hold(seed);
        game.remove().await;
        game.hold(seed);
        let kept = trash(&game.world.place, &format!("{}/.git", game.repo), None).await;
        assert!(kept.is_ok(), "seed {seed}");
    }
}
