//! Passes all tests: what `.ci/run` calls.
//!
//! What this machine cannot do is left out by name, and the closing line says so: a pass never means
//! less than it says. Start at [`test`].

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use crate::checkout::Checkout;
use crate::setup::{Found, REAL_AGENTS, TOOLBOX_VARIABLE, setup};
use crate::window::DESKTOP;
use crate::{chaos, relay, say, step, ui, window};

/// Tests with this in their names need a container engine.
const NEEDS_ENGINE: &str = "in_a_container";
/// Tests with this in their names need the real agent programs.
const NEEDS_AGENTS: &str = "real_";

/// Sets up, checks and tests everything.
pub(crate) fn test(checkout: &Checkout) -> anyhow::Result<()> {
    let began = Instant::now();
    formatting(checkout)?;
    let found = setup(checkout)?;
    // First: the desktop shell takes in what the build of the user interface gives.
    if found.ui {
        ui::test(checkout)?;
    }
    lints(checkout, &found)?;
    let mut left_out = rust(checkout, &found)?;
    left_out.extend(face(checkout, &found)?);
    found.tell();
    let passed = format!("all tests passed in {}", say::time(began.elapsed()));
    if left_out.is_empty() {
        say::good(&passed);
    } else {
        let remedy = "`cargo xtask setup` says how each is had";
        say::lack(
            &format!("{passed}; LEFT OUT: {}", left_out.join(", ")),
            remedy,
        );
    }
    Ok(())
}

/// What users see: the journeys in the browser and in the window, and the vault with a keychain; what was left
/// out.
fn face(checkout: &Checkout, found: &Found) -> anyhow::Result<Vec<String>> {
    let mut left_out = Vec::new();
    if found.browser {
        ui::journeys(checkout)?;
    } else {
        left_out.push("the journeys in a browser (no Chromium or no npm)".to_owned());
    }
    if found.stage {
        window::keychain(checkout)?;
        window::journeys(checkout)?;
    } else {
        left_out.push("the journeys in the window (no display to be had)".to_owned());
        left_out.push("the vault with a real keychain (no display to be had)".to_owned());
    }
    if !found.ui {
        left_out.push("the user interface (no npm)".to_owned());
    }
    Ok(left_out)
}

fn formatting(checkout: &Checkout) -> anyhow::Result<()> {
    step::shown(
        "look at the formatting",
        checkout.cargo().args(["fmt", "--all", "--check"]),
    )
}

fn lints(checkout: &Checkout, found: &Found) -> anyhow::Result<()> {
    let mut clippy = checkout.cargo();
    clippy.args(["clippy", "--quiet", "--all-targets"]);
    clippy.args(packages(found)).args(["--", "-D", "warnings"]);
    step::shown("look for lints", &mut clippy)
}

/// Every package that can be built here.
fn packages(found: &Found) -> Vec<&'static str> {
    let mut packages = vec!["--workspace"];
    if !found.desktop {
        packages.extend(["--exclude", DESKTOP]);
    }
    packages
}

/// Runs every Rust test that this machine can run; what was left out.
fn rust(checkout: &Checkout, found: &Found) -> anyhow::Result<Vec<String>> {
    let mut skipped = Vec::new();
    let mut left_out = Vec::new();
    if !found.engine {
        skipped.push(NEEDS_ENGINE);
        left_out.push("container boxes (no engine)".to_owned());
    }
    if found.agents.len() < REAL_AGENTS.len() {
        skipped.push(NEEDS_AGENTS);
        left_out.push("the real agents (not installed)".to_owned());
    }
    if !found.desktop {
        left_out.push("the desktop shell (no libraries)".to_owned());
    }
    let mut tests = runner(checkout, found, &skipped);
    tests.env(TOOLBOX_VARIABLE, checkout.toolbox());
    // Whoever sets RUST_BACKTRACE wants those of panics: an error says where it came from by its words.
    tests.env("RUST_LIB_BACKTRACE", "0");
    let passed = step::shown("run the tests", &mut tests);
    // A workspace build leaves its own dynamic relay where the static one was.
    relay::build(checkout)?;
    passed?;
    chaos::chaos(checkout, &chaos::Options::of_ci())?;
    let mut examples = checkout.cargo();
    examples
        .args(["test", "--quiet", "--doc"])
        .args(packages(found));
    step::shown("run the examples of the documentation", &mut examples)?;
    Ok(left_out)
}

/// The test runner: nextest, and cargo's own where it cannot be had.
fn runner(checkout: &Checkout, found: &Found, skipped: &[&str]) -> Command {
    let mut cargo = checkout.cargo();
    match nextest(checkout) {
        Some(program) => {
            cargo = checkout.command(program);
            cargo.args(["nextest", "run"]).args(packages(found));
            if !skipped.is_empty() {
                let any: Vec<String> = skipped.iter().map(|name| format!("test({name})")).collect();
                cargo.args(["-E", &format!("not ({})", any.join(" or "))]);
            }
        }
        None => {
            cargo.args(["test", "--quiet", "--all-targets", "--no-fail-fast"]);
            cargo.args(packages(found)).arg("--");
            cargo.args(skipped.iter().flat_map(|name| ["--skip", name]));
        }
    }
    cargo
}

/// The nextest program, installed below the build directory where there is none.
fn nextest(checkout: &Checkout) -> Option<PathBuf> {
    const NAME: &str = "cargo-nextest";
    let tools = checkout.target.join("tools");
    let own = tools.join("bin").join(NAME);
    for program in [PathBuf::from(NAME), own.clone()] {
        if step::succeeds(checkout.command(&program).args(["nextest", "--version"])) {
            return Some(program);
        }
    }
    let mut install = checkout.cargo();
    install
        .args(["install", NAME, "--locked", "--quiet", "--root"])
        .arg(&tools);
    match step::shown(
        "install the test runner (the first time takes minutes)",
        &mut install,
    ) {
        Ok(()) => Some(own),
        Err(error) => {
            say::lack(
                &format!("no nextest: {error:#}"),
                "cargo's own runner is used",
            );
            None
        }
    }
}
