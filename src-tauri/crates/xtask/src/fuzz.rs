//! `cargo xtask fuzz`: feeds every codec hostile lines, on the stable toolchain.
//!
//! The bodies are those of the targets in `src-tauri/crates/harness/fuzz`, which `cargo fuzz` runs where a
//! nightly toolchain is.

use clap::Args;

use crate::checkout::Checkout;
use crate::step;

#[derive(Args)]
pub(crate) struct Options {
    /// How many lines, over all codecs.
    #[arg(long, default_value_t = 1_000_000)]
    lines: u64,
    /// Another seed makes other lines.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this codec.
    #[arg(long)]
    harness: Option<String>,
}

pub(crate) fn fuzz(checkout: &Checkout, options: &Options) -> anyhow::Result<()> {
    let mut cargo = checkout.cargo();
    cargo.args(["run", "--quiet", "--release", "-p", "paddock-harness"]);
    cargo.args(["--example", "fuzz", "--"]);
    cargo.args([options.lines.to_string(), options.seed.to_string()]);
    cargo.args(&options.harness);
    step::shown("feed the codecs hostile lines", &mut cargo)
}
