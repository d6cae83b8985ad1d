//! What the verbs about boxes take.

use paddock_domain::ProcessSignal;

pub(crate) const STATS_EXAMPLES: &str = "\
Examples:
  paddock stats
  paddock stats 7f3k
  paddock stats --follow
  paddock stats 7f3k --json";

#[derive(Debug, clap::Args)]
pub(crate) struct StatsArgs {
    /// Tasks by their id, or the beginning or end of it; all whose box runs when absent
    pub(crate) tasks: Vec<String>,
    /// Go on with what comes, every five seconds
    #[arg(long, short)]
    pub(crate) follow: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReviveArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// Most memory of its container from now on, in MiB; as before when absent
    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<u64>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RelinkArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// Where the repository is now
    pub(crate) path: std::path::PathBuf,
    /// Which repository of the task, by the path as the task knows it; the one that is missing when absent
    #[arg(long, value_name = "OLD")]
    pub(crate) repo: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct KillArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// The process's id in the box, as `paddock ps` lists it
    pub(crate) pid: u32,
    /// The signal: hup, int, quit, kill, usr1, usr2, term, cont or stop
    #[arg(long, short, default_value = "term")]
    pub(crate) signal: ProcessSignal,
}
