//! What the verb about offers takes.

pub(crate) const OFFERS_EXAMPLES: &str = "\
Examples:
  paddock offers 7f3k
  paddock offers 7f3k --models
  paddock send 7f3k '/review the last commit'
  paddock tune 7f3k --model opus

A command of the program's own is said to it like any message; a model is chosen with `paddock tune`.";

#[derive(Debug, clap::Args)]
pub(crate) struct OffersArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// Models alone
    #[arg(long, conflicts_with = "commands")]
    pub(crate) models: bool,
    /// Commands alone
    #[arg(long)]
    pub(crate) commands: bool,
}
