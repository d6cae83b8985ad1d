//! What the verb about accounts takes.

use clap::Subcommand;
use paddock_domain::{AccountName, HarnessName};

pub(crate) const ACCOUNT_EXAMPLES: &str = "\
Examples:
  paddock account ls
  paddock account add claude work --key ANTHROPIC_API_KEY
  pass show anthropic | paddock account add claude home --key CLAUDE_CODE_OAUTH_TOKEN
  paddock account use claude home
  paddock run --account work \"fix the failing test\"
  paddock account rm claude work

A value is typed unseen or read from standard input and kept in the vault. A task with an account gets its value and
no other key of the harness, wherever that is set.";

#[derive(Debug, clap::Args)]
pub(crate) struct AccountArgs {
    #[command(subcommand)]
    pub(crate) verb: AccountVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccountVerb {
    /// List accounts
    #[command(after_help = "Example:\n  paddock account ls")]
    Ls,
    /// Make an account, or give one a new value
    #[command(after_help = "Example:\n  paddock account add claude work --key ANTHROPIC_API_KEY")]
    Add {
        /// The harness that it is for
        harness: HarnessName,
        /// Its name
        name: AccountName,
        /// The variable that its value is for; the value comes from standard input
        #[arg(long, value_name = "VARIABLE")]
        key: String,
        /// Where the agent calls
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
        /// Have tasks use it that name none
        #[arg(long)]
        default: bool,
    },
    /// Forget an account and its value
    #[command(after_help = "Example:\n  paddock account rm claude work")]
    Rm {
        /// The harness
        harness: HarnessName,
        /// The account
        name: AccountName,
        /// Also when tasks work with it
        #[arg(long)]
        force: bool,
    },
    /// Have tasks use an account that name none
    #[command(after_help = "Example:\n  paddock account use claude home")]
    Use {
        /// The harness
        harness: HarnessName,
        /// The account
        name: AccountName,
    },
}
