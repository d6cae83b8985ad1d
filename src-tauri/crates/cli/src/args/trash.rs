//! What the verbs about the trash and about commits take.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use paddock_domain::DiffWhat;

pub(crate) const TRASH_EXAMPLES: &str = "\
Examples:
  paddock trash ls
  paddock trash ls --repository ~/src/api
  paddock trash show 7f3k 2
  paddock trash restore 7f3k 2 --branch rescued
  paddock trash drop 7f3k 2

Everything that a purge removes is kept in the repository itself, as refs/paddock/trash/<task>/<number>:
it outlives Paddock's own data, and plain git finds it.";

#[derive(Debug, clap::Args)]
pub(crate) struct TrashArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<TrashVerb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrashVerb {
    /// List what was kept
    #[command(after_help = "Example:\n  paddock trash ls --repository ~/src/api")]
    Ls {
        /// Of this task: its id, or the beginning or end of it
        #[arg(long)]
        task: Option<String>,
        /// In this repository, whether a task has used it or not
        #[arg(long, value_name = "PATH")]
        repository: Option<PathBuf>,
    },
    /// Show what one entry holds
    #[command(after_help = "Example:\n  paddock trash show 7f3k 2 src/main.rs")]
    Show {
        #[command(flatten)]
        entry: EntryArgs,
        /// Only the changes of this file
        path: Option<String>,
    },
    /// Bring one entry back onto a new branch
    #[command(after_help = "Example:\n  paddock trash restore 7f3k 2 --branch rescued")]
    Restore {
        #[command(flatten)]
        entry: EntryArgs,
        /// The branch to make; named after the one that was checked out when absent
        #[arg(long)]
        branch: Option<String>,
        /// Make branches of its other branches, tags, stashes and ignored files too
        #[arg(long)]
        others: bool,
    },
    /// Let one entry go
    #[command(after_help = "Example:\n  paddock trash drop 7f3k 2")]
    Drop {
        #[command(flatten)]
        entry: EntryArgs,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}

/// Names one entry.
#[derive(Debug, clap::Args)]
pub(crate) struct EntryArgs {
    /// The task: its id, or the beginning or end of it
    pub(crate) task: String,
    /// The entry's number
    pub(crate) number: u64,
    /// The repository that holds it, where several could
    #[arg(long, value_name = "PATH")]
    pub(crate) repository: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CommitsArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// The repository; all of the task's when absent
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: Option<PathBuf>,
}

/// Which changes a diff shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhatArg {
    /// All since the base
    All,
    /// What commits hold
    Committed,
    /// What no commit holds
    Uncommitted,
}

impl From<WhatArg> for DiffWhat {
    fn from(what: WhatArg) -> Self {
        match what {
            WhatArg::All => Self::All,
            WhatArg::Committed => Self::Committed,
            WhatArg::Uncommitted => Self::Uncommitted,
        }
    }
}
