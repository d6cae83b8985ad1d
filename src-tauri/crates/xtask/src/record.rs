//! `cargo xtask record`: plays stories with a real agent program and writes the fixtures of its codec anew.

use clap::Args;

use crate::checkout::Checkout;
use crate::step;

#[derive(Args)]
pub(crate) struct Options {
    /// Which harness.
    harness: String,
    /// Another version of its program than the one that Paddock was tested with.
    #[arg(long)]
    version: Option<String>,
    /// Only this story; may be given again.
    #[arg(long = "story")]
    stories: Vec<String>,
    /// Play, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn record(checkout: &Checkout, options: &Options) -> anyhow::Result<()> {
    let mut recorder = checkout.cargo();
    recorder.args([
        "run",
        "-q",
        "-p",
        "paddock-recorder",
        "--",
        &options.harness,
    ]);
    recorder.arg("--toolbox").arg(checkout.toolbox());
    if let Some(version) = &options.version {
        recorder.args(["--version", version]);
    }
    for story in &options.stories {
        recorder.args(["--story", story]);
    }
    if !options.dry_run {
        recorder.args(["--out", "tests/fixtures/transcripts"]);
    }
    step::shown(&format!("play with {}", options.harness), &mut recorder)
}
