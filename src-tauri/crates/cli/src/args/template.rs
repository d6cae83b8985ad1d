//! What the verbs about templates and settings take.

use clap::Subcommand;
use paddock_domain::TaskSpec;

use super::{RunArgs, pair};

pub(crate) const TEMPLATE_EXAMPLES: &str = "\
Examples:
  paddock template save bump --harness claude \"bump {{crate}} to {{version}}\"
  paddock template ls
  paddock template show bump
  paddock template use bump --var crate=serde --var version=2
  paddock template rm bump

A gap is {{name}} in the prompt or the title. What is filled in is text and opens no gap of its own.";

pub(crate) const SETTINGS_EXAMPLES: &str = "\
Examples:
  paddock settings show
  paddock settings show limits.parallel_tasks
  paddock settings set limits.parallel_tasks=4 task.harness=codex
  paddock settings unset task.harness

What is set here stands in the data directory; it goes before the file that `paddock config` names, and the
environment and flags go before it.";

#[derive(Debug, clap::Args)]
pub(crate) struct TemplateArgs {
    #[command(subcommand)]
    pub(crate) verb: TemplateVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TemplateVerb {
    /// List templates
    #[command(after_help = "Example:\n  paddock template ls")]
    Ls,
    /// Show a template
    #[command(after_help = "Example:\n  paddock template show bump")]
    Show {
        /// Its name
        name: String,
    },
    /// Save a template; takes what `paddock run` takes
    #[command(
        after_help = "Example:\n  paddock template save bump --harness claude \"bump {{crate}} to {{version}}\""
    )]
    Save {
        /// Its name: small letters, digits, `-`, `_` and `.`
        name: String,
        #[command(flatten)]
        run: Box<RunArgs>,
    },
    /// Give an agent the task of a template and follow it
    #[command(
        after_help = "Example:\n  paddock template use bump --var crate=serde --var version=2"
    )]
    Use {
        /// Its name
        name: String,
        /// What goes into a gap
        #[arg(long = "var", value_name = "NAME=TEXT", value_parser = pair)]
        values: Vec<(String, String)>,
        /// Work on these repositories in place of the template's
        #[arg(long, value_name = "PATH")]
        repo: Vec<std::path::PathBuf>,
        /// Do not follow the task
        #[arg(long, short)]
        detach: bool,
        /// Print the task as it would be, and create nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Remove a template
    #[command(after_help = "Example:\n  paddock template rm bump")]
    Rm {
        /// Its name
        name: String,
    },
}

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

/// A template's task, its repositories replaced where others are named.
pub(crate) fn on(spec: TaskSpec, paths: Vec<String>) -> TaskSpec {
    if paths.is_empty() {
        return spec;
    }
    let repositories = paths
        .into_iter()
        .map(|path| paddock_domain::RepositorySpec {
            path,
            base: None,
            branch: None,
        });
    TaskSpec {
        repositories: repositories.collect(),
        ..spec
    }
}
