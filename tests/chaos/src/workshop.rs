//! The programs of a bench, and what its lanes start from.
//!
//! Invariant: programs are copied once. A build that goes on beside the bench changes nothing in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, bail};
use paddock_kit::Repository;
use paddock_scripted_model::ScriptedModel;

use crate::Options;

/// What a clock that jumps is made of.
const CLOCK_SOURCE: &str = include_str!("../clock.c");

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct Workshop {
    /// All of the bench: lanes, programs, what is kept.
    pub(crate) root: PathBuf,
    pub(crate) paddock: PathBuf,
    pub(crate) relay: PathBuf,
    pub(crate) scripted: PathBuf,
    pub(crate) toolbox: PathBuf,
    pub(crate) engine_scripts: PathBuf,
    /// Preloaded into a server whose clock is to jump; none without a C compiler.
    pub(crate) clock: Option<PathBuf>,
    /// What the real Claude Code asks; none where it is not installed.
    pub(crate) model: Option<ScriptedModel>,
    template: PathBuf,
}

impl Workshop {
    /// Copies programs and makes the sample repository below `root`.
    pub(crate) fn furnish(root: &Path, options: &Options) -> anyhow::Result<Self> {
        let bin = root.join("bin");
        fs::create_dir_all(&bin)?;
        let copy = |from: &Path, name: &str| {
            let to = bin.join(name);
            fs::copy(from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
            anyhow::Ok(to)
        };
        let toolbox = root.join("toolbox");
        fs::create_dir_all(&toolbox)?;
        let claude = options.toolbox.join("claude");
        let has_claude = claude.is_dir() && link(&claude, &toolbox).is_ok();
        let model = has_claude
            .then(|| ScriptedModel::start(([127, 0, 0, 1], 0).into()))
            .transpose()?;
        let workshop = Self {
            paddock: copy(&options.paddock, "paddock")?,
            relay: copy(&options.relay, "paddock-relay")?,
            scripted: copy(&options.scripted, "scripted")?,
            clock: clock(&bin),
            toolbox,
            engine_scripts: options.engine_scripts.clone(),
            model,
            template: root.join("template"),
            root: root.to_owned(),
        };
        let sample = Repository::sample(&workshop.template.join("repository"))?;
        sample.with_remote(&workshop.template.join("remote.git"))?;
        Ok(workshop)
    }

    /// A repository of its own in `dir`, with a remote beside it.
    pub(crate) fn repository(&self, dir: &Path) -> anyhow::Result<(Repository, Repository)> {
        fs::create_dir_all(dir)?;
        run(Command::new("cp")
            .arg("-a")
            .arg(self.template.join("."))
            .arg(dir))?;
        let (here, there) = (dir.join("repository"), dir.join("remote.git"));
        let config = here.join(".git/config");
        let old = self.template.join("remote.git");
        let text = fs::read_to_string(&config)?;
        let text = text.replace(&*old.to_string_lossy(), &there.to_string_lossy());
        fs::write(config, text)?;
        Ok((Repository { path: here }, Repository { path: there }))
    }
}

/// Hard links of all of `from` below `to`: an agent has hundreds of megabytes.
fn link(from: &Path, to: &Path) -> anyhow::Result<()> {
    let linked = run(Command::new("cp").arg("-al").arg(from).arg(to));
    let copied = linked.or_else(|_| run(Command::new("cp").arg("-a").arg(from).arg(to)));
    copied.map(drop)
}

/// The clock that can jump, where there is a C compiler.
fn clock(bin: &Path) -> Option<PathBuf> {
    let (source, built) = (bin.join("clock.c"), bin.join("clock.so"));
    fs::write(&source, CLOCK_SOURCE).ok()?;
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&built)
        .arg(&source);
    run(&mut cc).ok()?;
    Some(built)
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output();
    said(command, output)
}

/// Runs a command to its end while everything else goes on.
pub(crate) async fn run_beside(command: Command) -> anyhow::Result<String> {
    let mut command = tokio::process::Command::from(command);
    let output = command.output().await;
    said(command.as_std(), output)
}

fn said(command: &Command, output: io::Result<Output>) -> anyhow::Result<String> {
    let output =
        output.with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].concat();
        bail!(
            "{} ended with {}: {}",
            command.get_program().display(),
            output.status,
            String::from_utf8_lossy(&said).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
