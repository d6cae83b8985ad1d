//! A container engine of the bench's own: it is killed and started again, and nobody else is disturbed.
//!
//! Invariant: its data, its sockets, its process ids and its bridge are its own, below one directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::workshop::{Workshop, run, run_beside};

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct Engine {
    dir: PathBuf,
    scripts: PathBuf,
    bridge: String,
}

impl Engine {
    /// Starts one below `dir` and gives it the test image.
    pub(crate) fn start(workshop: &Workshop, dir: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(dir)?;
        let engine = Self {
            dir: dir.to_owned(),
            scripts: workshop.engine_scripts.clone(),
            bridge: format!("chaos{}", std::process::id() % 100_000),
        };
        engine.build_bridge()?;
        run(&mut engine.script("start", false))?;
        let mut make = Command::new(engine.scripts.join("make-image.sh"));
        run(make.arg("tiny").env("DOCKER_SOCK", engine.socket()))?;
        Ok(engine)
    }

    /// Where it listens.
    pub(crate) fn socket(&self) -> PathBuf {
        self.dir.join("docker.sock")
    }

    fn build_bridge(&self) -> anyhow::Result<()> {
        let third = 16 + std::process::id() % 200;
        let address = format!("10.213.{third}.1/24");
        run(Command::new("ip").args(["link", "add", &self.bridge, "type", "bridge"]))?;
        run(Command::new("ip").args(["addr", "add", &address, "dev", &self.bridge]))?;
        run(Command::new("ip").args(["link", "set", &self.bridge, "up"])).map(drop)
    }

    fn script(&self, verb: &str, live_restore: bool) -> Command {
        let live = if live_restore { " --live-restore" } else { "" };
        let bridge = &self.bridge;
        let mut script = Command::new(self.scripts.join("start-docker.sh"));
        script
            .arg(verb)
            .env("DOCKER_SOCK", self.socket())
            .env("DOCKERD_ROOT", self.dir.join("root"))
            .env("DOCKERD_RUN", self.dir.join("run"))
            .env("DOCKERD_PID", self.dir.join("docker.pid"))
            .env("DOCKERD_LOG", self.dir.join("dockerd.log"))
            .env(
                "DOCKERD_ARGS",
                format!("--bridge={bridge} --iptables=false{live}"),
            );
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
        let _ = run(Command::new("ip").args(["link", "del", &self.bridge]));
        // One that was killed may have left its root mounted on itself.
        let _ = run(Command::new("umount").arg("-l").arg(self.dir.join("root")));
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
