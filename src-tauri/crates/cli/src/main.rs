//! `paddock`: verbs through the client; `paddock serve` runs the server headless.
//!
//! [`args`] says what can be typed, [`verb`] does it, [`render`] shows it, [`exit`] says how it ended. A
//! verb that needs a server finds it by [`reach`].

mod args;
mod exit;
mod keyboard;
mod reach;
mod render;
mod resolve;
mod verb;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;
use crate::exit::Exit;

fn main() -> ExitCode {
    let args = Args::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let outcome = match runtime {
        Ok(runtime) => {
            let outcome = runtime.block_on(verb::run(args));
            // A thread that waits for the keyboard would wait for ever.
            runtime.shutdown_background();
            outcome
        }
        Err(error) => Err(error.into()),
    };
    let exit = outcome.unwrap_or_else(|error| {
        let said = exit::tell(&error);
        let _ = writeln!(std::io::stderr(), "{said}");
        Exit::of(&error)
    });
    ExitCode::from(exit.code())
}
