//! What the verb about terminals takes.

use clap::Subcommand;
use paddock_domain::TerminalName;

pub(crate) const TERMINAL_EXAMPLES: &str = "\
Examples:
  paddock terminal 7f3k                     a shell in the box: the one that is open, else a new one
  paddock terminal 7f3k --name build        the terminal of this name, opened when it is not there
  paddock terminal 7f3k --agent             the agent's own program, while the task is stopped
  paddock terminal ls 7f3k --json
  paddock terminal close 7f3k build
  echo 'cargo test; exit' | paddock terminal 7f3k --new

Ctrl-] leaves the terminal, which goes on: with its box, without this program, the server and the network.
Where standard input is no terminal, it is typed and then ended with Ctrl-D.";

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct TerminalArgs {
    /// The task's id, or the beginning or end of it
    #[arg(required = true)]
    pub(crate) task: Option<String>,
    /// A shell, as when nothing is said
    #[arg(long, conflicts_with = "agent")]
    pub(crate) shell: bool,
    /// The agent's own program, with the task's session
    #[arg(long)]
    pub(crate) agent: bool,
    /// Which terminal, by its name
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<TerminalName>,
    /// A new one, also when one is open
    #[arg(long)]
    pub(crate) new: bool,
    #[command(subcommand)]
    pub(crate) verb: Option<TerminalVerb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TerminalVerb {
    /// List the terminals in a task's box
    #[command(after_help = "Example:\n  paddock terminal ls 7f3k --json")]
    Ls {
        /// The task's id, or the beginning or end of it
        task: String,
    },
    /// End a terminal with everything that was started on it
    #[command(after_help = "Example:\n  paddock terminal close 7f3k shell-1")]
    Close {
        /// The task's id, or the beginning or end of it
        task: String,
        /// Its name
        name: TerminalName,
    },
}
