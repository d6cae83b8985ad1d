//! The whole chain before your eyes: a sample repository, a real agent in a box, its events as they
//! come, and at the end the branch, its commits and the diff, with the checkout byte for byte as it was.
//!
//! Start at [`demo`].

mod picture;
mod sample;
mod stage;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::Value;

use crate::checkout::Checkout;
use crate::served::{Model, Served};
use crate::{say, setup, step};
pub(crate) use sample::Sample;
use stage::Stage;

/// How the demo is played.
#[derive(Args)]
pub(crate) struct Options {
    /// Ask the real model, with your own key from the environment
    #[arg(long)]
    real: bool,
    /// The agent program
    #[arg(long, default_value = "claude")]
    harness: String,
    /// What the box is made of; a container where an engine can be had
    #[arg(long = "box", value_name = "KIND", value_parser = ["container", "worktree"])]
    kind: Option<String>,
    /// Draw what the terminal showed into this file, as SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// What the agent is told; the marker picks the scripted model's story.
const PROMPT: &str = "Add a file hello.txt to this repository and commit it.";
const STORY: &str = "[[fake:tool file=hello.txt]]";

/// Plays it.
pub(crate) fn demo(checkout: &Checkout, options: &Options) -> anyhow::Result<()> {
    let kind = box_kind(checkout, options);
    setup::build(checkout)?;
    install(checkout, &options.harness)?;
    let dir = tempfile::Builder::new()
        .prefix("paddock-demo-")
        .tempdir()?
        .keep();
    let sample = Sample::make(&dir.join("repository"))?;
    let before = sample.fingerprint()?;
    let data = dir.join("data");
    std::fs::create_dir(&data)?;

    let model = if options.real {
        None
    } else {
        Some(Model::start(checkout)?)
    };
    let variables = model.as_ref().map(Model::variables).unwrap_or_default();
    let served = Served::start(checkout, &data, &variables)?;
    let mut stage = Stage::new();
    stage.title(&format!("{} in a {kind}", options.harness));
    let task = play(checkout, options, &served, &sample, kind, &mut stage)?;
    let branch = task.branch.context("the task has no branch")?;
    show_work(&sample, &branch, &mut stage)?;

    ensure!(
        sample.fingerprint()? == before,
        "the checkout in {} was touched",
        sample.path.display()
    );
    stage.good("the checkout is byte for byte as it was; the work is on its own branch");
    if let Err(error) = purge(checkout, &served, &task.id) {
        say::lack("the box is still there", &format!("{error:#}"));
    }
    if let Some(file) = &options.picture {
        std::fs::write(file, picture::draw(stage.lines()))?;
    }
    stage.plain(&format!("The repository: {}", sample.path.display()));
    Ok(())
}

/// A container where an engine can be had, unless a worktree is asked for.
fn box_kind(checkout: &Checkout, options: &Options) -> &'static str {
    match options.kind.as_deref() {
        Some("worktree") => "worktree",
        Some(_) | None if setup::engine(checkout) => "container",
        Some(_) | None => "worktree",
    }
}

fn install(checkout: &Checkout, harness: &str) -> anyhow::Result<()> {
    let known = setup::REAL_AGENTS.iter().position(|name| *name == harness);
    let Some(at) = known else {
        bail!("the demo plays with {}", setup::REAL_AGENTS.join(" or "));
    };
    let installed = setup::agents(checkout, &setup::REAL_AGENTS[at..=at])?;
    ensure!(!installed.is_empty(), "{harness} is not installed");
    Ok(())
}

/// What the demo needs to know of its task.
#[derive(Default)]
struct Seen {
    id: String,
    branch: Option<String>,
}

/// Runs the task and shows its events as they come.
fn play(
    checkout: &Checkout,
    options: &Options,
    served: &Served,
    sample: &Sample,
    kind: &str,
    stage: &mut Stage,
) -> anyhow::Result<Seen> {
    let prompt = if options.real {
        PROMPT.to_owned()
    } else {
        format!("{PROMPT} {STORY}")
    };
    stage.command(&format!(
        "paddock run --repo sample --harness {} --box {kind} {PROMPT:?}",
        options.harness
    ));
    let mut paddock = served.client(checkout);
    paddock.args([
        "run",
        "--json",
        "--harness",
        &options.harness,
        "--box",
        kind,
        "--repo",
    ]);
    paddock.arg(&sample.path);
    if kind == "container" {
        paddock.args(["--image", setup::TEST_IMAGE]);
    }
    let mut seen = Seen::default();
    let status = step::lines(paddock.arg(&prompt), |line| {
        let event: Value =
            serde_json::from_str(line).with_context(|| format!("not JSON: {line}"))?;
        note(&event, &mut seen);
        stage.event(&event);
        Ok(())
    })?;
    ensure!(
        status.success(),
        "the turn did not end well: `paddock run` ended with {status}"
    );
    Ok(seen)
}

fn note(event: &Value, seen: &mut Seen) {
    if let Some(id) = event["task_id"].as_str() {
        id.clone_into(&mut seen.id);
    }
    if event["type"] == "branch_claimed" {
        seen.branch = event["branch"].as_str().map(str::to_owned);
    }
}

/// How long a box may take to go, and how often it is looked for.
const PURGE_MAX: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Removes the box and waits until it is gone.
fn purge(checkout: &Checkout, served: &Served, task: &str) -> anyhow::Result<()> {
    let mut purge = served.client(checkout);
    step::quiet("purge", purge.args(["purge", "--force", "--now", task]))?;
    let deadline = Instant::now() + PURGE_MAX;
    loop {
        let shown = step::quiet(
            "show",
            served.client(checkout).args(["show", "--json", task]),
        )?;
        let shown: Value = serde_json::from_str(&shown)?;
        if shown["state"] == "purged" {
            return Ok(());
        }
        ensure!(Instant::now() < deadline, "it is {} still", shown["state"]);
        std::thread::sleep(LOOK_EVERY);
    }
}

/// The branch, its commits and the diff, as git itself shows them.
fn show_work(sample: &Sample, branch: &str, stage: &mut Stage) -> anyhow::Result<()> {
    let range = format!("main..{branch}");
    for args in [
        &["log", "--oneline", "--stat", &range][..],
        &["diff", &format!("main...{branch}")],
    ] {
        stage.command(&format!("git {}", args.join(" ")));
        let shown = sample.git(args)?;
        ensure!(!shown.trim().is_empty(), "{branch} holds no work");
        shown.lines().for_each(|line| stage.plain(line));
    }
    Ok(())
}

/// A bare command with an environment that is nobody's.
fn plain_git(path: &std::path::Path) -> Command {
    let mut git = Command::new("git");
    let nobody: BTreeMap<&str, &str> = [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ("GIT_PAGER", "cat"),
    ]
    .into();
    git.arg("-C").arg(path).envs(nobody);
    git
}
