//! A `paddock serve` that is killed, stopped and started again on one data directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use paddock_api::ServeLine;
use paddock_client::{Client, InstallItem, Server as Address};
use paddock_domain::HarnessName;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::workshop::{Workshop, run_beside};

/// Longest time until a server serves.
const START_MAX: Duration = Duration::from_secs(40);
/// Longest time until a server that was told to end has ended.
const END_MAX: Duration = Duration::from_secs(20);
/// How long an agent has to end by itself.
const STOP_GRACE_MS: &str = "600";

/// What it logs: our rooms in detail, nothing of what they are built on.
const LOGGED: &str = "info,paddock_orchestrator=debug,paddock_boxes=debug,paddock_relay_client=debug,paddock_store=debug,paddock_git=debug,paddock_server=debug";

/// The user's own git configuration.
const USER: &str = "[user]\n\tname = Chaos\n\temail = chaos@example.com\n";

/// What a server is started with.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) data: PathBuf,
    /// Logs, the user's configuration and temporary files: beside the data, not in it.
    pub(crate) beside: PathBuf,
    pub(crate) variables: BTreeMap<String, String>,
}

impl Settings {
    /// What it logs, over every restart.
    pub(crate) fn log(&self) -> PathBuf {
        self.beside.join("serve.log")
    }

    /// Where it puts temporary files.
    pub(crate) fn tmp(&self) -> PathBuf {
        self.beside.join("tmp")
    }

    /// The program on this data directory, with nothing of ours in its environment.
    fn paddock(&self, workshop: &Workshop, words: &[&str]) -> std::process::Command {
        let inherited = std::env::vars_os()
            .filter(|(name, _)| matches!(name.to_str(), Some("PATH" | "HOME" | "LANG" | "USER")));
        let mut paddock = std::process::Command::new(&workshop.paddock);
        paddock
            .args(words)
            .arg("--data")
            .arg(&self.data)
            .env_clear()
            .envs(inherited)
            .env("TMPDIR", self.tmp())
            .env("PADDOCK_CONFIG", self.beside.join("paddock.toml"))
            .env("PADDOCK_RELAY", &workshop.relay)
            .env("PADDOCK_SCRIPTED_AGENT", &workshop.scripted)
            .env("PADDOCK_TOOLBOX_DIR", &workshop.toolbox)
            .env("PADDOCK_BOX_IMAGE", "paddock-test:tiny")
            .env("PADDOCK_LOG", LOGGED)
            .env("PADDOCK_STOP_GRACE_MS", STOP_GRACE_MS)
            .env("SCRIPTED_RECORD", crate::account::RECORD_IN_BOX)
            .env("GIT_CONFIG_GLOBAL", self.beside.join("gitconfig"))
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .envs(&self.variables);
        paddock
    }

    fn serve(&self, workshop: &Workshop) -> anyhow::Result<Command> {
        fs::create_dir_all(&self.data)?;
        fs::create_dir_all(self.tmp())?;
        fs::write(self.beside.join("gitconfig"), USER)?;
        fs::write(self.beside.join("paddock.toml"), "")?;
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.log())?;
        let words = ["serve", "--listen", "127.0.0.1:0"];
        let mut serve = Command::from(self.paddock(workshop, &words));
        serve
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true);
        Ok(serve)
    }

    /// Holds that every journal is whole, by the product's own reading of every byte; no server runs.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) async fn verify(&self, workshop: &Workshop) -> anyhow::Result<()> {
        let verify = self.paddock(workshop, &["journal", "verify", "--all"]);
        run_beside(verify).await.map(drop)
    }
}

/// A running server. Dropped, it is killed.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) client: Client,
}

impl Server {
    /// Starts one and waits until it serves.
    pub(crate) async fn start(workshop: &Workshop, settings: &Settings) -> anyhow::Result<Self> {
        let mut child = settings.serve(workshop)?.spawn()?;
        let line = match tokio::time::timeout(START_MAX, first_line(&mut child)).await {
            Ok(Ok(line)) => line,
            Ok(Err(error)) => bail!(
                "the server does not serve: {error:#}; {}",
                tail(&settings.log())
            ),
            Err(_) => bail!(
                "the server says nothing for {START_MAX:?}; {}",
                tail(&settings.log())
            ),
        };
        let token = fs::read_to_string(&line.token_file)?.trim().to_owned();
        let client = Client::new(&Address::new(&line.url, Some(token))?)?;
        Ok(Self { child, client })
    }

    /// Installs the `scripted` agent.
    pub(crate) async fn install(&self) -> anyhow::Result<()> {
        let name = HarnessName::parse("scripted")?;
        let request = paddock_api::InstallRequest::default();
        let mut feed = self.client.install(&name, &request).await?;
        while let InstallItem::Progress(_) = feed.next().await? {}
        Ok(())
    }

    /// Its process id, while it lives.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// SIGKILL, and waits until it is gone.
    pub(crate) async fn kill(&mut self) -> anyhow::Result<()> {
        Ok(self.child.kill().await?)
    }

    /// SIGTERM, and waits until it has ended.
    pub(crate) async fn end(&mut self) -> anyhow::Result<()> {
        self.signal(Signal::TERM);
        let ended = tokio::time::timeout(END_MAX, self.child.wait()).await;
        if ended.is_err() {
            self.kill().await?;
            bail!("the server does not end within {END_MAX:?} of SIGTERM");
        }
        Ok(())
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = self
            .pid()
            .and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        if let Some(pid) = pid {
            // One that has ended hears nothing.
            let _ = kill_process(pid, signal);
        }
    }

    /// How many files it has open.
    pub(crate) fn open_files(&self) -> usize {
        let pid = self.pid().unwrap_or_default();
        fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
    }
}

async fn first_line(child: &mut Child) -> anyhow::Result<ServeLine> {
    let stdout = child.stdout.take().context("no stdout")?;
    let mut lines = BufReader::new(stdout).lines();
    let line = lines
        .next_line()
        .await?
        .context("it ended without a word")?;
    // Keeps reading: a server that finds its stdout closed must not die of it here.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    serde_json::from_str(&line).with_context(|| format!("it said `{line}`"))
}

/// The last lines of a log.
fn tail(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(15)..];
    format!("its log ends:\n{}", last.join("\n"))
}
