//! What the verb about settings takes.

use clap::Subcommand;

use super::pair;

pub(crate) const SETTINGS_EXAMPLES: &str = "\
Examples:
  paddock settings show
  paddock settings show limits.parallel_tasks
  paddock settings set limits.parallel_tasks=4 task.harness=codex
  paddock settings unset task.harness

What is set here stands in the data directory; it goes before the file that `paddock config` names, and the
environment and flags go before it.";

#[derive(Debug, clap::Args)]
pub(crate) struct SettingsArgs {
    #[command(subcommand)]
    pub(crate) verb: SettingsVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SettingsVerb {
    /// Show the settings that hold, and what waits for the next start
    #[command(
        after_help = "Examples:\n  paddock settings show\n  paddock settings show purge.window_s"
    )]
    Show {
        /// One setting
        key: Option<String>,
    },
    /// Set some, all or none
    #[command(
        after_help = "Example:\n  paddock settings set limits.parallel_tasks=4 task.harness=codex"
    )]
    Set {
        /// What to set
        #[arg(required = true, value_name = "KEY=VALUE", value_parser = pair)]
        values: Vec<(String, String)>,
    },
    /// Go back to what holds without it
    #[command(after_help = "Example:\n  paddock settings unset task.harness")]
    Unset {
        /// Settings
        #[arg(required = true)]
        keys: Vec<String>,
    },
}
