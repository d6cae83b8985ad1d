//! A home, some repositories and some boxes, made with real git and thrown away afterwards.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use async_trait::async_trait;
use bytes::Bytes;
use paddock_domain::{TaskId, Timestamp, TrashReason};
use paddock_exec::{Command, ExecError, Here, Place, Process};
use paddock_git::{Branch, Keeping, Oid, Repository, Seed, inspect, seed};
use tempfile::TempDir;

/// This machine with a home of its own, so that the tester's configuration plays no part.
pub(crate) struct Home(PathBuf);

impl Home {
    fn at_home(&self, command: &Command) -> Command {
        let home = self.0.display().to_string();
        command
            .clone()
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", format!("{home}/.config"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
    }
}

#[async_trait]
impl Place for Home {
    async fn spawn(&self, command: &Command) -> Result<Process, ExecError> {
        Here.spawn(&self.at_home(command)).await
    }

    async fn upload(&self, dir: &str, tar: Bytes) -> Result<(), ExecError> {
        Here.upload(dir, tar).await
    }

    async fn download(&self, path: &str, limit: usize) -> Result<Bytes, ExecError> {
        Here.download(path, limit).await
    }
}

pub(crate) struct World {
    dir: TempDir,
    pub(crate) place: Home,
}

impl World {
    pub(crate) fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let home = dir.path().join("home");
        std::fs::create_dir_all(&home).unwrap();
        let config = "[user]\n\tname = Ada\n\temail = ada@example.invalid\n\
                      [init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n";
        std::fs::write(home.join(".gitconfig"), config).unwrap();
        Self {
            dir,
            place: Home(home),
        }
    }

    /// An absolute path in this world.
    pub(crate) fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }

    /// A directory in this world.
    pub(crate) fn dir(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    /// Runs git in `dir` and gives what it printed.
    pub(crate) fn git(&self, dir: &str, args: &[&str]) -> String {
        let (ok, text) = self.try_git(dir, args);
        assert!(ok, "git {args:?}: {text}");
        text
    }

    /// The same, whether or not it succeeds.
    pub(crate) fn try_git(&self, dir: &str, args: &[&str]) -> (bool, String) {
        let output = std::process::Command::new("git")
            .args(args)
            .current_dir(dir)
            .env("HOME", &self.place.0)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = if output.status.success() {
            output.stdout
        } else {
            output.stderr
        };
        (
            output.status.success(),
            String::from_utf8_lossy(&text).trim_end().to_owned(),
        )
    }

    /// Commits everything in `dir` and gives the commit.
    pub(crate) fn commit(&self, dir: &str, message: &str) -> Oid {
        self.git(dir, &["add", "-A"]);
        self.git(dir, &["commit", "-q", "--allow-empty", "-m", message]);
        self.oid(dir, "HEAD")
    }

    pub(crate) fn oid(&self, dir: &str, name: &str) -> Oid {
        Oid::parse(&self.git(dir, &["rev-parse", name])).unwrap()
    }

    /// Adds the repository at `lib` to the one at `dir` as a submodule at `path`.
    #[track_caller]
    pub(crate) fn add_submodule(&self, dir: &str, lib: &str, path: &str) {
        let trusting = "protocol.file.allow=always";
        self.git(
            dir,
            &["-c", trusting, "submodule", "--quiet", "add", lib, path],
        );
    }

    /// A repository on `main` with one commit of two files.
    pub(crate) fn repo(&self, name: &str) -> String {
        let dir = self.dir(name);
        self.git(&dir, &["init", "-q"]);
        write(&dir, "a.txt", "one\ntwo\nthree\n");
        write(&dir, "src/b.txt", "bee\n");
        self.commit(&dir, "first");
        dir
    }

    /// A bare clone of `repo`, made its `origin`.
    pub(crate) fn origin(&self, repo: &str, name: &str) -> String {
        let bare = self.path(name);
        self.git(repo, &["clone", "-q", "--bare", repo, &bare]);
        self.git(repo, &["remote", "add", "origin", &bare]);
        self.git(repo, &["fetch", "-q", "origin"]);
        self.git(repo, &["remote", "set-head", "origin", "main"]);
        bare
    }

    /// The pack of what `revisions` name in `dir`.
    pub(crate) fn packed(&self, dir: &str, revisions: &str) -> Vec<u8> {
        let mut child = std::process::Command::new("git")
            .args(["pack-objects", "--revs", "--stdout", "-q"])
            .current_dir(dir)
            .env("HOME", &self.place.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, revisions.as_bytes()).unwrap();
        drop(stdin);
        child.wait_with_output().unwrap().stdout
    }

    /// Holds that the repository in `dir` is sound.
    #[track_caller]
    pub(crate) fn hold_sound(&self, dir: &str) {
        let (ok, said) = self.try_git(dir, &["fsck", "--full", "--strict", "--no-dangling"]);
        assert!(ok && !said.contains("missing"), "{dir}: {said}");
    }

    pub(crate) async fn inspect(&self, repo: &str) -> Repository {
        inspect(&self.place, repo).await.unwrap()
    }

    /// A box with a fresh repository on `branch` at the head of `repo`.
    pub(crate) async fn seeded(&self, repo: &str, name: &str, branch: &str) -> String {
        let repository = self.inspect(repo).await;
        let dir = self.dir(name);
        let base = self.oid(repo, "HEAD");
        let plan = Seed::of(
            &repository,
            &dir,
            &branch_named(branch),
            &base,
            str::to_owned,
        );
        seed(&self.place, &plan).await.unwrap();
        dir
    }
}

pub(crate) fn write(dir: &str, name: &str, content: impl AsRef<[u8]>) {
    let path = Path::new(dir).join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

pub(crate) fn read(dir: &str, name: &str) -> String {
    std::fs::read_to_string(Path::new(dir).join(name)).unwrap()
}

pub(crate) fn exists(dir: &str, name: &str) -> bool {
    Path::new(dir).join(name).exists()
}

pub(crate) fn branch_named(name: &str) -> Branch {
    Branch::parse(name).unwrap()
}

/// When these tests happen.
pub(crate) fn now() -> Timestamp {
    Timestamp::from_unix_ms(1_800_000_000_000)
}

/// Keeps work of `task` before a purge.
pub(crate) fn keeping(task: &TaskId) -> Keeping<'_> {
    Keeping {
        task,
        reason: TrashReason::Purge,
        at: now(),
    }
}

pub(crate) fn task(name: &str) -> TaskId {
    TaskId::parse(name).unwrap()
}
