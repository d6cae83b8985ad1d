//! What a bench is asked for; `cargo xtask chaos` hands it over as one JSON object.

use std::path::PathBuf;

use serde::Deserialize;

/// What to run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// All chance comes from it.
    pub seed: u64,
    /// The first round's number, from 1.
    pub first: u64,
    /// How many rounds.
    pub rounds: u64,
    /// Only rounds of this kind, by the name of a [`Kind`](crate::Kind).
    pub only: Option<String>,
    /// How many rounds may be under way at once.
    pub jobs: usize,
    /// Keep the directories of rounds that went well, too.
    pub keep: bool,
    /// Write the table of results into this file, between its marks.
    pub report: Option<PathBuf>,
    /// The `paddock` program; copied before it is run, so that a build beside us changes nothing.
    pub paddock: PathBuf,
    /// The static relay.
    pub relay: PathBuf,
    /// The static `scripted` agent.
    pub scripted: PathBuf,
    /// Agent programs that are installed.
    pub toolbox: PathBuf,
    /// Where `start-docker.sh` and `make-image.sh` are.
    pub engine_scripts: PathBuf,
}
