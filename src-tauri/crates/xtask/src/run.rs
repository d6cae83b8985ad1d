//! Builds Paddock and serves it, until it is told to end.

use clap::Args;

use crate::checkout::Checkout;
use crate::{setup, step};

/// What `paddock serve` is told.
#[derive(Args)]
pub(crate) struct Options {
    /// Handed on to `paddock serve`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    serve: Vec<String>,
}

/// Builds and serves.
pub(crate) fn run(checkout: &Checkout, options: &Options) -> anyhow::Result<()> {
    setup::build(checkout)?;
    let mut paddock = checkout.command(checkout.program("paddock"));
    paddock.arg("serve").args(&options.serve);
    step::shown("serve; Ctrl-C ends it, tasks go on", &mut paddock)
}
