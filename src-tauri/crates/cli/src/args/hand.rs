//! What the verbs take that let a task go on otherwise, and files that go with words.

use std::path::PathBuf;

use paddock_domain::HarnessName;

pub(crate) const FORK_EXAMPLES: &str = "\
Examples:
  paddock fork 7f3k \"try it with a queue instead\"
  paddock fork 7f3k --uncommitted --with codex \"finish this\"";

pub(crate) const HAND_OFF_EXAMPLES: &str = "\
Examples:
  paddock handoff 7f3k codex
  paddock handoff 7f3k claude --model opus --say \"go on with the tests\" --follow";

pub(crate) const COMPARE_EXAMPLES: &str = "\
Examples:
  paddock compare
  paddock compare 01jc
  paddock compare 01jc --check \"cargo test\"
  paddock compare 01jc --pick 7f3k --purge-others";

/// Files that go with a message.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct FilesArgs {
    /// A file for the agent, put into its box; an image is shown to agents that take images. May be given
    /// several times
    #[arg(long = "file", visible_alias = "picture", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ForkArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// What the agent of the fork is to do; `-` reads it from standard input
    pub(crate) prompt: String,
    /// Take files along that no commit holds
    #[arg(long)]
    pub(crate) uncommitted: bool,
    /// Another agent for the fork, `HARNESS` or `HARNESS:MODEL`
    #[arg(long, value_name = "AGENT")]
    pub(crate) with: Option<String>,
    /// A title of your own
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Do not follow the fork
    #[arg(long, short)]
    pub(crate) detach: bool,
    #[command(flatten)]
    pub(crate) files: FilesArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct HandOffArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// The harness that takes over
    pub(crate) harness: HarnessName,
    /// The model, in the harness's words
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// How hard the model thinks, in the harness's words
    #[arg(long)]
    pub(crate) effort: Option<String>,
    /// Its version; the newest installed when absent
    #[arg(long, value_name = "VERSION")]
    pub(crate) harness_version: Option<String>,
    /// Why, for the conversation
    #[arg(long, value_name = "TEXT")]
    pub(crate) because: Option<String>,
    /// What to say to it at once
    #[arg(long, value_name = "TEXT")]
    pub(crate) say: Option<String>,
    /// Follow the task to the end of its turn
    #[arg(long, short, requires = "say")]
    pub(crate) follow: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    /// The group's id, or the beginning or end of it; lists all groups when absent
    pub(crate) group: Option<String>,
    /// Run this command in every box, or the group's own check when no command is given
    #[arg(long, value_name = "COMMAND", num_args = 0..=1, requires = "group")]
    pub(crate) check: Option<Option<String>>,
    /// The task to keep, by its id or the beginning or end of it
    #[arg(long, value_name = "TASK", requires = "group")]
    pub(crate) pick: Option<String>,
    /// Purge the others; what they hold goes into the trash
    #[arg(long, requires = "pick")]
    pub(crate) purge_others: bool,
    /// Go on although work of the others would be lost; a snapshot is kept all the same
    #[arg(long, requires = "purge_others")]
    pub(crate) force: bool,
}
