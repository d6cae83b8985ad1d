//! The chaos bench as a program: one JSON object says what to run; `cargo xtask chaos` writes it.
//!
//! Exit code 0: no violation. 1: violations, each told with what reproduces it. 2: it could not run.

use std::process::ExitCode;

use anyhow::Context;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("chaos: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> anyhow::Result<bool> {
    let asked = std::env::args()
        .nth(1)
        .context("say what to run, or use `cargo xtask chaos`")?;
    let options = serde_json::from_str(&asked).context("cannot read what to run")?;
    paddock_chaos::run(&options)
}
