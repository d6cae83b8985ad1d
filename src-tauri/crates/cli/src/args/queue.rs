//! What the verbs about waiting take: messages for after a turn, tasks for a place.

use clap::Subcommand;

pub(crate) const QUEUE_EXAMPLES: &str = "\
Examples:
  paddock queue 7f3k                        what waits to be said
  paddock queue 7f3k add \"then write tests\"
  paddock queue 7f3k edit ID \"write tests first\"
  paddock queue 7f3k move ID --to 1
  paddock queue 7f3k rm ID
  paddock queue 7f3k go                     say the next one now, and go on behind it

The next message is sent when the turn under way has ended plainly. After a turn that failed, was
interrupted or lost its agent, the queue waits until you say something, or `go`. IDs may be shortened.";

pub(crate) const PLACES_EXAMPLES: &str = "\
Examples:
  paddock places                            who works, who waits, and why
  paddock places --front 7f3k               serve this task next
  paddock places --limit 4                  so many tasks at once, until the server ends";

#[derive(Debug, clap::Args)]
pub(crate) struct QueueArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    #[command(subcommand)]
    pub(crate) verb: Option<QueueVerb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum QueueVerb {
    /// List what waits to be said
    #[command(after_help = "Example:\n  paddock queue 7f3k ls")]
    Ls,
    /// Queue a message
    #[command(after_help = "Example:\n  paddock queue 7f3k add \"then write tests\"")]
    Add {
        /// What to say; `-` reads it from standard input
        text: String,
    },
    /// Change a message
    #[command(after_help = "Example:\n  paddock queue 7f3k edit 01k3 \"write tests first\"")]
    Edit {
        /// The message's id, or the beginning or end of it
        message: String,
        /// What to say in its place; `-` reads it from standard input
        text: String,
    },
    /// Move a message
    #[command(after_help = "Example:\n  paddock queue 7f3k move 01k3 --to 1")]
    Move {
        /// The message's id, or the beginning or end of it
        message: String,
        /// Its new place, from 1
        #[arg(long, value_name = "PLACE")]
        to: usize,
    },
    /// Remove a message
    #[command(after_help = "Example:\n  paddock queue 7f3k rm 01k3")]
    Rm {
        /// The message's id, or the beginning or end of it
        message: String,
    },
    /// Say a message now; the first when none is named
    #[command(after_help = "Example:\n  paddock queue 7f3k go")]
    Go {
        /// The message's id, or the beginning or end of it
        message: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct PlacesArgs {
    /// Serve this task next
    #[arg(long, value_name = "TASK", conflicts_with_all = ["back", "limit"])]
    pub(crate) front: Option<String>,
    /// Serve this task last
    #[arg(long, value_name = "TASK", conflicts_with = "limit")]
    pub(crate) back: Option<String>,
    /// Let so many tasks work at once, until the server ends
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// The host that `--limit` is for
    #[arg(long, default_value = "local", value_name = "HOST", requires = "limit")]
    pub(crate) host: String,
}
