//! A real `paddock serve` on a data directory of its own.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, bail};
use paddock_api::ServeLine;
use paddock_client::{Client, InstallItem, Server};
use paddock_domain::{HarnessName, Task};
use serde_json::Value;

use crate::{Ask, Watch, programs};

/// Longest time until a server serves.
const START_MAX: Duration = Duration::from_secs(60);

/// The user's own git configuration.
const USER: &str = "[user]\n\tname = Journey\n\temail = journey@example.com\n";

/// What a server is started with beside the defaults of tests.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    env: Vec<(String, String)>,
}

impl ServeOptions {
    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.push((name.to_owned(), value.into()));
        self
    }
}

/// A server and its data directory. Dropped, it is killed, and its agents with it, in whatever box.
#[derive(Debug)]
pub struct Serve {
    data: PathBuf,
    options: ServeOptions,
    child: Child,
    client: Client,
    url: String,
    token: String,
}

impl Serve {
    /// Starts one on `data` and installs the `scripted` agent.
    ///
    /// # Errors
    /// When it does not serve within a minute; with the end of its log.
    pub async fn start(data: &Path, options: ServeOptions) -> anyhow::Result<Self> {
        let serve = Self::launch(data, options)?;
        serve.install("scripted").await?;
        Ok(serve)
    }

    /// Starts one on `data`.
    ///
    /// # Errors
    /// When it does not serve within a minute; with the end of its log.
    pub fn launch(data: &Path, options: ServeOptions) -> anyhow::Result<Self> {
        fs::create_dir_all(data)?;
        let log = File::options()
            .create(true)
            .append(true)
            .open(log_of(data))?;
        let mut child = command(data, &options)?
            .stderr(log)
            .stdout(Stdio::piped())
            .spawn()?;
        let line = match first_line(&mut child) {
            Ok(line) => line,
            Err(error) => {
                let _ = child.kill();
                let status = child.wait()?;
                let said = fs::read_to_string(log_of(data)).unwrap_or_default();
                bail!(
                    "{error:#} ({status}); the end of its log:\n{}",
                    end_of(&said)
                );
            }
        };
        let token = fs::read_to_string(&line.token_file)?.trim().to_owned();
        let client = Client::new(&Server::new(&line.url, Some(token.clone()))?)?;
        Ok(Self {
            data: data.to_owned(),
            options,
            child,
            client,
            url: line.url,
            token,
        })
    }

    /// Kills it as a power cut would, and starts another on the same data directory.
    ///
    /// # Errors
    /// When the next does not serve.
    pub fn kill_and_restart(mut self) -> anyhow::Result<Self> {
        self.kill()?;
        let (data, options) = (self.data.clone(), self.options.clone());
        std::mem::forget(self);
        Self::launch(&data, options)
    }

    /// Kills it, and leaves its agents alone.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Installs an agent program through the API.
    ///
    /// # Errors
    /// What the server says.
    pub async fn install(&self, harness: &str) -> anyhow::Result<()> {
        let name = HarnessName::parse(harness)?;
        let mut feed = self
            .client
            .install(&name, &paddock_api::InstallRequest::default())
            .await?;
        loop {
            match feed.next().await? {
                InstallItem::Progress(_) => {}
                InstallItem::Done(_) => return Ok(()),
            }
        }
    }

    /// Creates the task and watches it from its first event.
    ///
    /// # Errors
    /// What the server says.
    pub async fn task(&self, ask: &Ask) -> anyhow::Result<Watch> {
        let task: Task = self.client.create(&ask.spec()).await?;
        Ok(Watch::new(self.client.clone(), task.task_id))
    }

    /// A client that holds the token.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Where it serves.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its bearer token.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Its data directory.
    #[must_use]
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// All that it has logged, over every restart on this data directory.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn log(&self) -> anyhow::Result<String> {
        Ok(fs::read_to_string(log_of(&self.data))?)
    }

    /// The `paddock` program, to be run against this server.
    ///
    /// # Errors
    /// When it is not built.
    pub fn cli(&self) -> anyhow::Result<Command> {
        let mut paddock = Command::new(programs::paddock()?);
        paddock
            .env("PADDOCK_URL", &self.url)
            .env("PADDOCK_TOKEN", &self.token);
        Ok(paddock)
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        end_relays(&self.data);
        remove_containers(&self.data);
    }
}

/// The last lines of a log, where the reason stands.
fn end_of(log: &str) -> String {
    const LINES: usize = 12;
    let lines: Vec<_> = log.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

fn log_of(data: &Path) -> PathBuf {
    data.join("serve.log")
}

/// What a server has of the environment of the tests: where programs are, and how npm trusts its registry.
const INHERITED: [&str; 7] = [
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "USER",
    "DOCKER_HOST",
    "NODE_EXTRA_CA_CERTS",
];

fn command(data: &Path, options: &ServeOptions) -> anyhow::Result<Command> {
    let mut paddock = Command::new(programs::paddock()?);
    paddock
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| INHERITED.iter().any(|it| name == it)))
        .env("PADDOCK_CONFIG", data.join("paddock.toml"))
        .env("PADDOCK_RELAY", programs::relay()?)
        .env("PADDOCK_SCRIPTED_AGENT", programs::scripted_agent()?)
        .env("PADDOCK_TOOLBOX_DIR", programs::toolbox())
        .env("PADDOCK_BOX_IMAGE", "paddock-test:tiny")
        .env("PADDOCK_LOG", "debug")
        .env("PADDOCK_SESSIONS_HOME", data.join("user"))
        .env("GIT_CONFIG_GLOBAL", data.join("gitconfig"))
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .envs(options.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null());
    fs::write(data.join("gitconfig"), USER)?;
    let config = data.join("paddock.toml");
    if !config.exists() {
        fs::write(config, "")?;
    }
    Ok(paddock)
}

/// The line that says where it serves; a thread reads it, so that a silent server is given up on.
fn first_line(child: &mut Child) -> anyhow::Result<ServeLine> {
    let stdout = child.stdout.take().context("no stdout")?;
    let (told, line) = mpsc::channel();
    std::thread::spawn(move || {
        let mut lines = BufReader::new(stdout).lines();
        let _ = told.send(lines.next());
        // Keeps reading: a server that finds its stdout closed must not die of it here.
        lines.for_each(drop);
    });
    let line = line.recv_timeout(START_MAX).context("it does not serve")?;
    let line = line.context("it ended without a word")??;
    serde_json::from_str(&line).with_context(|| format!("it said `{line}`"))
}

/// Ends what is left in worktree boxes of `data`: every process whose command line names it.
fn end_relays(data: &Path) {
    let Some(name) = data.to_str() else { return };
    let Ok(processes) = fs::read_dir("/proc") else {
        return;
    };
    for process in processes.flatten() {
        let Some(pid) = process
            .file_name()
            .to_str()
            .and_then(|pid| pid.parse().ok())
        else {
            continue;
        };
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let ours = String::from_utf8_lossy(&line).contains(name);
        if ours && let Some(pid) = rustix::process::Pid::from_raw(pid) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

/// Removes the containers that are left of boxes of `data`: a test that failed purged nothing.
fn remove_containers(data: &Path) {
    let Ok(boxes) = fs::read_dir(data.join("boxes")) else {
        return;
    };
    for left in boxes.flatten() {
        // A box without a record has no container yet.
        let record = fs::read(left.path().join("box.json")).unwrap_or_default();
        let record: Value = serde_json::from_slice(&record).unwrap_or_default();
        if record["kind"] == "container"
            && let Some(name) = record["name"].as_str()
        {
            // It may never have been made, and here nobody is left to be told.
            let _ = Command::new("docker")
                .args(["rm", "--force", name])
                .output();
        }
    }
}
