//! What the verbs about journals as files take.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

pub(crate) const JOURNAL_EXAMPLES: &str = "\
Examples:
  paddock journal ls                        every journal on the disk
  paddock journal verify --all              read them all and say what is wrong
  paddock journal verify 7f3k --json
  paddock journal repair 7f3k --dry-run     what a repair would do
  paddock journal repair 7f3k               mend it; the original is kept beside it

Works through the server that has the data directory, and on the directory itself when none runs.";

pub(crate) const EXPORT_EXAMPLES: &str = "\
Examples:
  paddock export 7f3k                       into ./<task-id>/
  paddock export 7f3k 9a2m -o ~/records
  paddock export --all -o tasks.tar
  paddock export 7f3k --format md

Writes task.json, journal.jsonl, transcript.md, artifacts/ and a .diff a repository.";

pub(crate) const RETENTION_EXAMPLES: &str = "\
Examples:
  paddock retention                         what is kept longer than the settings want
  paddock retention --unreferenced          large outputs that no journal refers to as well
  paddock retention --apply                 remove it

Nothing is ever removed unless `journal.keep_days` or `journal.keep_artifacts_days` is set, and of tasks
that are purged alone.";

#[derive(Debug, clap::Args)]
pub(crate) struct JournalArgs {
    #[command(subcommand)]
    pub(crate) verb: JournalVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JournalVerb {
    /// List journals: their form, length, and what is kept beside them
    #[command(after_help = "Example:\n  paddock journal ls")]
    Ls,
    /// Read journals from their first line to their last and say what is wrong; ends with 1 when something is
    #[command(
        after_help = "Examples:\n  paddock journal verify 7f3k\n  paddock journal verify --all --json"
    )]
    Verify {
        /// The tasks, by their ids, or the beginning or end of them
        #[arg(required_unless_present = "all")]
        tasks: Vec<String>,
        /// All there are
        #[arg(long, conflicts_with = "tasks")]
        all: bool,
    },
    /// Mend a journal that cannot be read to its end; the original is kept
    #[command(
        after_help = "Examples:\n  paddock journal repair 7f3k --dry-run\n  paddock journal repair 7f3k"
    )]
    Repair {
        /// The task's id, or the beginning or end of it
        task: String,
        /// Only say what would be done
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// The tasks, by their ids, or the beginning or end of them
    #[arg(required_unless_present = "all")]
    pub(crate) tasks: Vec<String>,
    /// All there are, with those that are no longer listed
    #[arg(long, conflicts_with = "tasks")]
    pub(crate) all: bool,
    /// A directory, or a file that ends with `.tar`
    #[arg(long, short, default_value = ".", value_name = "DIR|FILE.tar")]
    pub(crate) output: PathBuf,
    /// Only one form of what happened; both when absent
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExportFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The journal, one event a line
    Jsonl,
    /// A transcript for people
    Md,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RetentionArgs {
    /// Remove it
    #[arg(long)]
    pub(crate) apply: bool,
    /// Look for large outputs that no journal refers to as well; journals are read for them
    #[arg(long)]
    pub(crate) unreferenced: bool,
}
