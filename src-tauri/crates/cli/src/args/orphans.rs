//! What `paddock orphans` takes.

use clap::Subcommand;

pub(crate) const ORPHANS_EXAMPLES: &str = "\
Examples:
  paddock orphans                           boxes that belong to no task
  paddock orphans adopt 7f3k                make a task of one again
  paddock orphans remove 7f3k               remove one; its work goes into the trash first
  paddock orphans remove --force 7f3k       also what cannot be looked into any more

A box has no task when its journal is lost. It is never removed by itself.";

#[derive(Debug, clap::Args)]
pub(crate) struct OrphansArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<OrphansVerb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OrphansVerb {
    /// List boxes that belong to no task
    #[command(after_help = "Example:\n  paddock orphans ls --json")]
    Ls,
    /// Make a task of a box without one
    #[command(after_help = "Example:\n  paddock orphans adopt 7f3k")]
    Adopt {
        /// The task that the box names, or the beginning or end of its id
        task: String,
    },
    /// Remove a box without a task
    #[command(
        after_help = "Examples:\n  paddock orphans remove 7f3k\n  paddock orphans remove --force 7f3k"
    )]
    Remove {
        /// The task that the box names, or the beginning or end of its id
        task: String,
        /// Remove it even where nothing of its work can be kept
        #[arg(long)]
        force: bool,
    },
}
