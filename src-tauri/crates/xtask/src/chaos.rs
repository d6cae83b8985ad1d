//! Builds the chaos bench and runs it: see `tests/chaos` and docs/RELIABILITY.md.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde_json::json;

use crate::checkout::Checkout;
use crate::{relay, say, step};

/// What the bench is asked for.
#[derive(Args)]
pub(crate) struct Options {
    /// All chance comes from it; the same seed plays the same rounds
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many rounds
    #[arg(long, default_value_t = 50)]
    rounds: u64,
    /// The first round's number
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    first: u64,
    /// Only rounds of this kind: worktree, container, engine, disk, clock, claude
    #[arg(long, value_name = "KIND")]
    only: Option<String>,
    /// How many rounds may be under way at once
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=16))]
    jobs: u8,
    /// Keep the directories of rounds that went well, too
    #[arg(long)]
    keep: bool,
    /// Write the table of results into this page, between its marks
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Kill the release build in place of the development build
    #[arg(long)]
    release: bool,
    /// Run with the programs that are there, however old
    #[arg(long)]
    as_built: bool,
}

impl Options {
    /// The rounds that CI plays.
    pub(crate) fn of_ci() -> Self {
        Self {
            seed: 20_261_122,
            rounds: 50,
            first: 1,
            only: None,
            jobs: 2,
            keep: false,
            report: None,
            release: false,
            as_built: true,
        }
    }
}

/// Runs the bench.
pub(crate) fn chaos(checkout: &Checkout, options: &Options) -> anyhow::Result<()> {
    let bench = checkout.program("chaos");
    let checkout = &if options.release {
        checkout.released()
    } else {
        checkout.clone()
    };
    if !options.as_built {
        build(checkout, options.release)?;
    }
    let asked = json!({
        "seed": options.seed,
        "first": options.first,
        "rounds": options.rounds,
        "only": options.only,
        "jobs": options.jobs,
        "keep": options.keep,
        "report": options.report,
        "paddock": checkout.program("paddock"),
        "relay": checkout.program("paddock-relay"),
        "scripted": checkout.program("scripted"),
        "toolbox": checkout.toolbox(),
        "engine_scripts": checkout.root.join("tests/engines/setup"),
    });
    say::begin(&format!(
        "chaos: {} rounds from seed {}",
        options.rounds, options.seed
    ));
    let status = checkout.command(bench).arg(asked.to_string()).status()?;
    match status.code() {
        Some(0) => Ok(()),
        Some(1) => bail!("promises were broken: see above for what and how to play it again"),
        _ => bail!("the chaos bench ended with {status}"),
    }
}

fn build(checkout: &Checkout, release: bool) -> anyhow::Result<()> {
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--quiet", "-p", "paddock-cli"]);
    if release {
        cargo.arg("--release");
    }
    step::shown("build the server", &mut cargo)?;
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--quiet", "-p", "paddock-chaos"]);
    step::shown("build the chaos bench", &mut cargo)?;
    relay::build(checkout).map(drop)
}
