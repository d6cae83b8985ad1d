//! Builds Paddock and opens its window; without a display, or when told so, it serves to a browser.

use clap::Args;

use crate::checkout::Checkout;
use crate::{say, setup, step, ui, window};

/// Where it is shown.
#[derive(Args)]
pub(crate) struct Options {
    /// Serve to a browser, also where there is a display
    #[arg(long)]
    browser: bool,
    /// Handed on to `paddock-desktop`, or to `paddock serve`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds and shows.
pub(crate) fn run(checkout: &Checkout, options: &Options) -> anyhow::Result<()> {
    setup::build(checkout)?;
    let built = ui::build(checkout)?;
    if !built {
        say::lack(
            "there is no user interface to show",
            "the API and the `paddock` program work all the same",
        );
    }
    let shows = built && !options.browser;
    if shows && !window::has_display() {
        say::lack(
            "there is no display to open a window on",
            "open the address below in a browser",
        );
    } else if shows && window::library(checkout) {
        return open(checkout, options);
    }
    serve(checkout, options, built)
}

fn open(checkout: &Checkout, options: &Options) -> anyhow::Result<()> {
    window::build(checkout)?;
    let mut program = window::program(checkout);
    program.args(&options.rest);
    step::shown(
        "the window opens; closing it ends no agent, Ctrl-C or Quit in the tray ends Paddock",
        &mut program,
    )
}

fn serve(checkout: &Checkout, options: &Options, has_ui: bool) -> anyhow::Result<()> {
    let mut paddock = checkout.command(checkout.program("paddock"));
    paddock.arg("serve");
    if has_ui {
        paddock.arg("--ui").arg(ui::dist(checkout));
    }
    paddock.args(&options.rest);
    say::good("`paddock pair` gives a link that opens a browser, also for a phone");
    step::shown("serve; Ctrl-C ends it, tasks go on", &mut paddock)
}
