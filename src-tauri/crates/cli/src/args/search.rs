//! What the verb `search` takes.

pub(crate) const SEARCH_EXAMPLES: &str = "\
Examples:
  paddock search token format
  paddock search '\"token format\"' --task 7f3k
  paddock search 'E0433 -flaky kind:output repo:api after:7d'

Words match what begins with them, \"words in quotes\" stand together, -word must not be there. Filters: task:ID
repo:PATH harness:NAME kind:KIND after:DAY before:DAY, where a kind is prompt, message, agent, thinking, tool,
output, question, plan, error, notice or branch, and a day is 2026-11-22, 7d or 12h.";

#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// What to look for
    #[arg(required = true)]
    pub(crate) words: Vec<String>,
    /// Only in this task: its id, or the beginning or end of it
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Most hits
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
}
