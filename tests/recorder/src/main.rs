//! The recorder: a real agent program, a scripted model, our own codec, and a file of what was said.
//!
//! It remakes the fixtures in `tests/fixtures/transcripts`, so that drift of an agent is seen by running
//! it: `git diff` says what changed. No box and no orchestrator are in the way: what it shows is the
//! program and its codec. Start at [`main`], then [`session`].

#![allow(clippy::wildcard_enum_match_arm)] // of forty kinds of events it answers five

mod act;
mod fixture;
mod session;

use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use paddock_boxes::Toolbox;
use paddock_scripted_model::ScriptedModel;

use crate::act::{Story, stories};

/// Play stories with a real agent program and write down what was said.
#[derive(Parser)]
struct Options {
    /// Which harness.
    harness: String,
    /// Which version of its program; the newest that Paddock was tested with where none is named.
    #[arg(long)]
    version: Option<String>,
    /// Which stories; all of them where none is named.
    #[arg(long = "story")]
    stories: Vec<String>,
    /// The directory of agent programs.
    #[arg(long)]
    toolbox: PathBuf,
    /// Where the folder of the harness is made; nothing is written without it.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Show each line that is said, both ways.
    #[arg(long)]
    lines: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let harness = paddock_harness::find(&options.harness)
        .with_context(|| format!("there is no harness `{}`", options.harness))?;
    let newest = harness.versions().last().copied().unwrap_or_default();
    let version = options.version.clone().unwrap_or_else(|| newest.to_owned());
    let dir = std::path::absolute(&options.toolbox)?;
    let toolbox = Toolbox::new(dir.clone());
    let told = |step| println!("  {step}");
    let program = toolbox
        .install(&harness.recipe(&version), None, &told)
        .await?;
    let node = program.node.as_ref().map(|node| dir.join(node));
    let model = ScriptedModel::start("127.0.0.1:0".parse()?)?;
    let mut failed = Vec::new();
    let modes = harness.abilities().permission_modes;
    for story in chosen(&options.stories)? {
        if !modes.contains(&story.mode) {
            continue;
        }
        println!("{} {version}: {}", options.harness, story.name);
        let world = session::World::new(harness, &program, node.as_deref(), &dir, &model)?;
        let played = session::play(&world, &story, options.lines).await;
        let (recording, error) = match played {
            Ok(recording) => (Some(recording), None),
            Err((recording, error)) => (Some(recording), Some(error)),
        };
        if let Some(recording) = &recording {
            println!("  {}", recording.told.join(" "));
        }
        if let Some(error) = error {
            println!("  FAILED: {error:#}");
            failed.push(story.name);
        } else if let (Some(out), Some(recording)) = (&options.out, recording) {
            let folder = out.join(format!("{}-{version}", options.harness));
            fixture::write(&folder, story.name, &recording, &world.hidden())?;
        }
    }
    anyhow::ensure!(
        failed.is_empty(),
        "these stories failed: {}",
        failed.join(", ")
    );
    Ok(())
}

fn chosen(names: &[String]) -> anyhow::Result<Vec<Story>> {
    let all = stories();
    let known = |name: &&String| !all.iter().any(|story| story.name == name.as_str());
    if let Some(unknown) = names.iter().find(known) {
        let names: Vec<_> = all.iter().map(|story| story.name).collect();
        anyhow::bail!(
            "there is no story `{unknown}`; there are {}",
            names.join(", ")
        );
    }
    let wanted = |story: &Story| names.is_empty() || names.iter().any(|name| name == story.name);
    Ok(all.into_iter().filter(wanted).collect())
}
