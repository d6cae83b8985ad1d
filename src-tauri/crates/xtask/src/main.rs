//! `cargo xtask`: the commands of the README and of CI. Nothing that can be had is asked for twice,
//! nothing is downloaded but by the ordinary clients of the package registries.
//!
//! Start at [`Verb`].

mod agents;
mod bench;
mod chaos;
mod checkout;
mod codegen;
mod demo;
mod fuzz;
mod packages;
mod record;
mod relay;
mod run;
mod say;
mod served;
mod setup;
mod step;
mod test;
mod ui;
mod window;

use clap::{Parser, Subcommand};

use crate::checkout::Checkout;

/// Set up, run and test Paddock.
#[derive(Parser)]
#[command(name = "cargo xtask", version)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Check what this machine has, and get what is missing.
    Setup,
    /// Build the static relay and the scripted agent, and put them beside the `paddock` program.
    Relay,
    /// Set up what is missing and pass all tests.
    Test,
    /// Play the whole chain: a real agent in a box, from a prompt to commits on a branch.
    Demo(demo::Options),
    /// Build Paddock and open its window; without a display, serve and print the address.
    Run(run::Options),
    /// Measure speed and size, and write docs/PERFORMANCE.md.
    Bench(bench::Options),
    /// Kill everything at any instant, and hold that nothing is lost, doubled or left over.
    Chaos(chaos::Options),
    /// Remake the fixtures of a codec with the real agent program; what changed is told by `git diff`.
    Record(record::Options),
    /// Let every agent keep its contract in both kinds of box, and make the table of docs/AGENTS.md of it.
    Agents(agents::Options),
    /// Feed every codec hostile lines: no panic, no lost line, bounded memory.
    Fuzz(fuzz::Options),
    /// Go through the journeys in the real window, on a display of their own.
    Window,
    /// Write what is generated: the API document, the state diagram, the UI's schema.
    Codegen,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let checkout = Checkout::find()?;
    match arguments.verb {
        Verb::Setup => setup::setup(&checkout).map(|found| found.tell()),
        Verb::Relay => relay::build(&checkout).map(drop),
        Verb::Test => test::test(&checkout),
        Verb::Demo(options) => demo::demo(&checkout, &options),
        Verb::Run(options) => run::run(&checkout, &options),
        Verb::Bench(options) => bench::bench(&checkout, &options),
        Verb::Chaos(options) => chaos::chaos(&checkout, &options),
        Verb::Record(options) => record::record(&checkout, &options),
        Verb::Agents(options) => agents::agents(&checkout, &options),
        Verb::Fuzz(options) => fuzz::fuzz(&checkout, &options),
        Verb::Window => window::window(&checkout),
        Verb::Codegen => codegen::codegen(&checkout),
    }
}
