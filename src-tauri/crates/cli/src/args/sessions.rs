//! What `paddock sessions` takes.

use std::path::PathBuf;

use clap::Subcommand;
use paddock_domain::HarnessName;

pub(crate) const SESSIONS_EXAMPLES: &str = "\
Examples:
  paddock sessions                          those of the repository here, of every agent
  paddock sessions ls --all --harness claude
  paddock sessions ls --words login --json
  paddock run --adopt claude:0b8e2a52 \"now add the tests\"
  paddock sessions of 7f3k                  those that the agent of a task has
  paddock sessions revive 7f3k 0b8e2a52     let it go on with another of them

The agents' own histories are read, in your home or where `sessions.home` says; a task works on a copy.";

#[derive(Debug, clap::Args)]
pub(crate) struct SessionsArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<SessionsVerb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsVerb {
    /// List sessions that you had with agents outside Paddock
    #[command(after_help = "Example:\n  paddock sessions ls --all --words login")]
    Ls(SessionListArgs),
    /// List the sessions that a task's agent has in its box
    #[command(after_help = "Example:\n  paddock sessions of 7f3k")]
    Of {
        /// The task's id, or the beginning or end of it
        task: String,
    },
    /// Start a stopped task's agent again with another of its sessions
    #[command(after_help = "Example:\n  paddock sessions revive 7f3k 0b8e2a52")]
    Revive {
        /// The task's id, or the beginning or end of it
        task: String,
        /// The session's id, or the beginning or end of it
        session: String,
    },
}

#[derive(Debug, Default, clap::Args)]
pub(crate) struct SessionListArgs {
    /// Only of this agent program
    #[arg(long)]
    pub(crate) harness: Option<HarnessName>,
    /// Only those that worked in this repository; the one around the current directory when absent
    #[arg(long, value_name = "PATH", conflicts_with = "all")]
    pub(crate) repo: Option<PathBuf>,
    /// Those of every directory
    #[arg(long)]
    pub(crate) all: bool,
    /// Only those whose title, directory or id holds this
    #[arg(long)]
    pub(crate) words: Option<String>,
    /// How many at most
    #[arg(long)]
    pub(crate) limit: Option<usize>,
}
