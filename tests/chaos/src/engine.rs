//! A container engine of the bench's own: it is killed and started again, and nobody else is disturbed.
//!
//! Invariant: its data, its sockets and its process ids lie below one directory, and its network is its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::workshop::{Workshop, run, run_beside};

/// Most engines that may have left their root mounted.
const MOUNTS_MAX: u32 = 1000;

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct Engine {
    dir: PathBuf,
    scripts: PathBuf,
    network: String,
}

impl Engine {
    /// Starts one below `dir` and gives it the test image.
    pub(crate) fn start(workshop: &Workshop, dir: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(dir)?;
        let engine = Self {
            dir: dir.to_owned(),
            scripts: workshop.engine_scripts.clone(),
            network: format!("chaos{}", std::process::id()),
        };
        engine.build_network()?;
        run(&mut engine.script("start", false))?;
        let mut make = Command::new(engine.scripts.join("make-image.sh"));
        run(make.arg("tiny").env("DOCKER_SOCK", engine.socket()))?;
        Ok(engine)
    }

    /// Where it listens.
    pub(crate) fn socket(&self) -> PathBuf {
        self.dir.join("docker.sock")
    }

    /// A network of its own: an engine takes bridges for its own that belong to another one.
    fn build_network(&self) -> anyhow::Result<()> {
        run(Command::new("ip").args(["netns", "add", &self.network]))?;
        let mut lo = self.in_network("ip");
        run(lo.args(["link", "set", "lo", "up"])).map(drop)
    }

    fn in_network(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut entered = Command::new("nsenter");
        entered
            .arg(format!("--net=/run/netns/{}", self.network))
            .arg(program);
        entered
    }

    fn script(&self, verb: &str, live_restore: bool) -> Command {
        let live = if live_restore { " --live-restore" } else { "" };
        let mut script = self.in_network(self.scripts.join("start-docker.sh"));
        script
            .arg(verb)
            .env("DOCKER_SOCK", self.socket())
            .env("DOCKERD_ROOT", self.dir.join("root"))
            .env("DOCKERD_RUN", self.dir.join("run"))
            .env("DOCKERD_PID", self.dir.join("docker.pid"))
            .env("DOCKERD_LOG", self.dir.join("dockerd.log"))
            .env("DOCKERD_ARGS", format!("--iptables=false{live}"));
        script
    }

    /// Starts it and waits until it answers.
    pub(crate) async fn up(&self, live_restore: bool) -> anyhow::Result<()> {
        run_beside(self.script("start", live_restore))
            .await
            .map(drop)
    }

    /// Tells it to end and waits until it has.
    pub(crate) async fn down(&self) -> anyhow::Result<()> {
        run_beside(self.script("stop", false)).await.map(drop)
    }

    /// Its process.
    fn pid(&self) -> anyhow::Result<Pid> {
        pid_in(&self.dir.join("docker.pid")).context("the engine names no process")
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        Ok(kill_process(self.pid()?, signal)?)
    }

    /// SIGKILL, and waits until it is gone. Containers and their keepers are left alone.
    pub(crate) async fn kill(&self) -> anyhow::Result<()> {
        let pid = self.pid()?;
        kill_process(pid, Signal::KILL)?;
        for _ in 0..200 {
            if test_kill_process(pid).is_err() || is_dead(pid) {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        anyhow::bail!("the engine does not die")
    }

    /// The `docker` program, to be run against it.
    pub(crate) async fn docker(&self, words: &[&str]) -> anyhow::Result<String> {
        run_beside(self.docker_program(words)).await
    }

    fn docker_program(&self, words: &[&str]) -> Command {
        let socket = format!("unix://{}", self.socket().display());
        let mut docker = Command::new("docker");
        docker.args(["-H", &socket]).args(words);
        docker
    }

    /// The containers of `task`, whatever their state, by id.
    pub(crate) async fn containers(&self, task: &str) -> anyhow::Result<Vec<String>> {
        let filter = format!("label=dev.paddock.task={task}");
        let words = ["ps", "-aq", "--no-trunc", "--filter", &filter];
        let listed = self.docker(&words).await?;
        Ok(listed.lines().map(str::to_owned).collect())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Ok(all) = run(&mut self.docker_program(&["ps", "-aq"])) {
            for id in all.lines() {
                let _ = run(&mut self.docker_program(&["rm", "-f", id]));
            }
        }
        let _ = run(&mut self.script("stop", false));
        // One that outlived a killed engine is no child of the last.
        if let Some(pid) = pid_in(&self.dir.join("run/containerd/containerd.pid")) {
            let _ = kill_process(pid, Signal::TERM);
        }
        let _ = run(Command::new("ip").args(["netns", "del", &self.network]));
        // Each one that was killed has left its root mounted on itself.
        let root = self.dir.join("root");
        for _ in 0..MOUNTS_MAX {
            if run(Command::new("umount").arg("-l").arg(&root)).is_err() {
                break;
            }
        }
    }
}

fn pid_in(file: &Path) -> Option<Pid> {
    let text = fs::read_to_string(file).ok()?;
    Pid::from_raw(text.trim().parse().ok()?)
}

fn is_dead(pid: Pid) -> bool {
    let status = format!("/proc/{}/status", pid.as_raw_nonzero());
    fs::read_to_string(status).is_ok_and(|status| status.contains("State:\tZ"))
}
