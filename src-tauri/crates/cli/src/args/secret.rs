//! What the verb about secrets takes.

use clap::Subcommand;

pub(crate) const SECRET_EXAMPLES: &str = "\
Examples:
  paddock secret ls
  paddock secret set ANTHROPIC_API_KEY
  pass show openai | paddock secret set provider.codex.OPENAI_API_KEY
  paddock secret rm ANTHROPIC_API_KEY

A value is typed unseen or read from standard input, never taken from the command line, and never shown again.";

#[derive(Debug, clap::Args)]
pub(crate) struct SecretArgs {
    #[command(subcommand)]
    pub(crate) verb: SecretVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SecretVerb {
    /// List the names of what is kept, and say where
    #[command(after_help = "Example:\n  paddock secret ls")]
    Ls,
    /// Keep a secret, in place of what was there
    #[command(
        after_help = "Examples:\n  paddock secret set ANTHROPIC_API_KEY\n  pass show openai | paddock secret set provider.codex.OPENAI_API_KEY"
    )]
    Set {
        /// A variable, or provider.<harness>.<VARIABLE> for one harness alone
        name: String,
    },
    /// Forget a secret
    #[command(after_help = "Example:\n  paddock secret rm ANTHROPIC_API_KEY")]
    Rm {
        /// Its name
        name: String,
    },
}
