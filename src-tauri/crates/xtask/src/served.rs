//! A `paddock serve` of our own, and the scripted model beside it: both end with the value that holds them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::Context;

use crate::checkout::Checkout;
use crate::setup::TOOLBOX_VARIABLE;
use crate::step;

/// Longest time until a program says that it serves.
const START_MAX: Duration = Duration::from_secs(60);

/// A server on a data directory of its own.
pub(crate) struct Served {
    child: Child,
    /// Where it serves.
    pub(crate) url: String,
    /// Its bearer token.
    pub(crate) token: String,
}

impl Served {
    /// Starts `paddock serve` on `data` with these variables on top of its environment.
    pub(crate) fn start(
        checkout: &Checkout,
        data: &Path,
        variables: &BTreeMap<String, String>,
    ) -> anyhow::Result<Self> {
        let log = std::fs::File::create(data.join("serve.log"))?;
        let mut paddock = checkout.command(checkout.program("paddock"));
        paddock
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .arg("--relay")
            .arg(checkout.program("paddock-relay"))
            .env(TOOLBOX_VARIABLE, checkout.toolbox())
            .env("PADDOCK_SCRIPTED_AGENT", checkout.program("scripted"))
            .env("PADDOCK_SESSIONS_HOME", data.join("user"))
            .envs(variables)
            .stdin(Stdio::null())
            .stderr(log)
            .stdout(Stdio::piped());
        let mut child = paddock.spawn().context("cannot start paddock")?;
        let line = first_line(&mut child).inspect_err(|_| {
            let _ = child.kill();
            eprintln!(
                "{}",
                std::fs::read_to_string(data.join("serve.log")).unwrap_or_default()
            );
        })?;
        let text = |name: &str| {
            line[name]
                .as_str()
                .map(str::to_owned)
                .context("it does not say where")
        };
        let token = std::fs::read_to_string(text("token_file")?)?
            .trim()
            .to_owned();
        Ok(Self {
            child,
            url: text("url")?,
            token,
        })
    }

    /// The `paddock` program, as a client of this server.
    pub(crate) fn client(&self, checkout: &Checkout) -> Command {
        let mut paddock = checkout.command(checkout.program("paddock"));
        paddock
            .env("PADDOCK_URL", &self.url)
            .env("PADDOCK_TOKEN", &self.token);
        paddock
    }

    /// Has it install the agent program of `harness`.
    pub(crate) fn install(&self, checkout: &Checkout, harness: &str) -> anyhow::Result<()> {
        let mut install = self.client(checkout);
        step::quiet("install", install.args(["harness", "install", harness])).map(drop)
    }

    /// Kills it as a power cut would; its agents go on.
    pub(crate) fn kill(mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        std::mem::forget(self); // the number may be another process's by now
        Ok(())
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Served {
    /// Asks it to end, as Ctrl-C would, and gives it time to.
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        if !step::succeeds(Command::new("kill").args(["-TERM", &pid])) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// The scripted model; it ends when its standard input closes.
pub(crate) struct Model {
    child: Child,
    stdin: Option<ChildStdin>,
    /// Where it answers.
    pub(crate) url: String,
}

impl Model {
    /// Starts one on a free port.
    pub(crate) fn start(checkout: &Checkout) -> anyhow::Result<Self> {
        let mut model = checkout.command(checkout.program("scripted-model"));
        model
            .args(["--port", "0", "--until-eof"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = model.spawn().context("cannot start the scripted model")?;
        let line = first_line(&mut child)?;
        let url = line["url"]
            .as_str()
            .context("the model does not say where it answers")?
            .to_owned();
        Ok(Self {
            stdin: child.stdin.take(),
            child,
            url,
        })
    }

    /// What the real agents need to reach it.
    pub(crate) fn variables(&self) -> BTreeMap<String, String> {
        let set = [
            ("ANTHROPIC_BASE_URL", self.url.clone()),
            ("ANTHROPIC_API_KEY", "scripted".to_owned()),
            ("OPENAI_BASE_URL", format!("{}/v1", self.url)),
            ("OPENAI_API_KEY", "scripted".to_owned()),
        ];
        set.into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}

/// The JSON line that a program prints once it serves.
fn first_line(child: &mut Child) -> anyhow::Result<serde_json::Value> {
    let stdout = child.stdout.take().context("no standard output")?;
    let (told, line) = mpsc::channel();
    std::thread::spawn(move || {
        let mut lines = BufReader::new(stdout).lines();
        let _ = told.send(lines.next());
        lines.for_each(drop);
    });
    let line = line
        .recv_timeout(START_MAX)
        .context("it does not say that it serves")?;
    Ok(serde_json::from_str(
        &line.context("it ended without a word")??,
    )?)
}
