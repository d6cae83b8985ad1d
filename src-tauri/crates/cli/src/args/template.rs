//! What the verb about templates takes.

use clap::Subcommand;

use super::{RunArgs, pair};

pub(crate) const TEMPLATE_EXAMPLES: &str = "\
Examples:
  paddock template save bump --harness claude \"bump {{crate}} to {{version}}\"
  paddock template ls
  paddock template show bump
  paddock template use bump --var crate=serde --var version=2
  paddock template rm bump

A gap is {{name}} in the prompt or the title. What is filled in is text and opens no gap of its own.";

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
