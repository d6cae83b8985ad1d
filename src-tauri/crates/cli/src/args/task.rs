//! What the verbs about tasks take.

use std::path::PathBuf;

use clap::ValueEnum;
use paddock_domain::{
    AccountName, ApprovalScope, BoxKind, Network, PermissionMode, RuleVerdict, StateName,
    SyncTarget,
};

pub(crate) const RUN_EXAMPLES: &str = "\
Examples:
  paddock run \"fix the failing test\"
  paddock run --repo ~/src/api --harness codex --box worktree \"bump the dependencies\"
  paddock run --json --repo . --harness claude --box container - < prompt.md
  paddock run --detach \"write the docs\"
  paddock run --adopt claude:0b8e2a52 \"now add the tests\"
  paddock run --file shot.png --file spec.pdf \"make it look like this\"
  paddock run --also codex --also claude:opus --check \"cargo test\" \"fix the failing test\"

Ctrl-C ends the turn and lets you say something else; a second Ctrl-C leaves the task running.
Without a server for the data directory one is started in the background; with PADDOCK_URL never.";

pub(crate) const ANSWER_EXAMPLES: &str = "\
Examples:
  paddock answer 7f3k \"use the second one\"
  paddock answer 7f3k --choose JWT
  paddock answer 7f3k --approve --scope task
  paddock answer 7f3k --approve --scope repository --rule 'cargo test *'
  paddock answer 7f3k --deny --because \"not on this machine\"
  paddock answer 7f3k --plan approve
  paddock answer 7f3k --plan reject --because \"keep the old API\"";

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// What the agent is to do; `-` reads it from standard input
    pub(crate) prompt: String,
    /// A repository to work on; the one around the current directory when absent
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: Vec<PathBuf>,
    /// Work on no repository
    #[arg(long, conflicts_with_all = ["repo", "base", "branch"])]
    pub(crate) no_repo: bool,
    /// Branch, tag or commit to start from; the current branch when absent
    #[arg(long)]
    pub(crate) base: Option<String>,
    /// An existing branch to work on in place of a new one
    #[arg(long)]
    pub(crate) branch: Option<String>,
    /// The agent program; the setting `task.harness` when absent
    #[arg(long)]
    pub(crate) harness: Option<String>,
    /// Its version; the newest installed when absent
    #[arg(long, value_name = "VERSION")]
    pub(crate) harness_version: Option<String>,
    /// The model, in the harness's words
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// How hard the model thinks, in the harness's words
    #[arg(long)]
    pub(crate) effort: Option<String>,
    /// The account to work with; the harness's default one when absent
    #[arg(long)]
    pub(crate) account: Option<AccountName>,
    /// Go on by itself when a usage limit is lifted
    #[arg(long)]
    pub(crate) resume_on_limit: bool,
    /// Go on with a session that you had outside Paddock, as `paddock sessions` lists it
    #[arg(long, value_name = "HARNESS:ID", conflicts_with_all = ["harness", "also"])]
    pub(crate) adopt: Option<String>,
    /// What the agent may do without asking; the setting `task.permission_mode` when absent
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArg>,
    /// What the box is made of; a container where there is an engine when absent
    #[arg(long = "box", value_enum, value_name = "KIND")]
    pub(crate) kind: Option<BoxArg>,
    /// The container's image
    #[arg(long)]
    pub(crate) image: Option<String>,
    /// What of the network a container reaches
    #[arg(long, value_enum)]
    pub(crate) network: Option<NetworkArg>,
    /// Most memory, in MiB
    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<u64>,
    /// Most processors
    #[arg(long)]
    pub(crate) cpus: Option<f64>,
    /// A title of your own
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Do not follow the task
    #[arg(long, short)]
    pub(crate) detach: bool,
    #[command(flatten)]
    pub(crate) files: super::FilesArgs,
    /// Run the same on another agent too, `HARNESS` or `HARNESS:MODEL`; may be given several times
    #[arg(long, value_name = "AGENT")]
    pub(crate) also: Vec<String>,
    /// A command that tells good work from bad by its exit code, for `paddock compare`
    #[arg(long, value_name = "COMMAND", requires = "also")]
    pub(crate) check: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LsArgs {
    /// Only tasks in this state
    #[arg(long, value_parser = state)]
    pub(crate) state: Option<StateName>,
    /// Only tasks of this repository
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: Option<PathBuf>,
    /// Only tasks of this harness
    #[arg(long)]
    pub(crate) harness: Option<String>,
    /// Only tasks that wait for you
    #[arg(long)]
    pub(crate) needs_me: bool,
    /// Only tasks with these words in their title
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// Only tasks in the archive
    #[arg(long, conflicts_with = "older")]
    pub(crate) archived: bool,
    /// Tasks that were purged long ago, in place of all others
    #[arg(long)]
    pub(crate) older: bool,
    /// Most tasks to list
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,
}

pub(crate) const ASIDE_EXAMPLES: &str = "\
Examples:
  paddock aside 7f3k
  paddock aside 7f3k 0b8e
  paddock aside 7f3k --up-to 41
  paddock aside --undo 7f3k

A task that is put aside is not among those that need you until another turn ends or another question comes. It is put
aside as it is when the command reads it, or up to the event that --up-to names, such as the `last_seq` of
`paddock ls --json`: what comes after that still calls.";

pub(crate) const ARCHIVE_EXAMPLES: &str = "\
Examples:
  paddock archive 7f3k 0b8e
  paddock archive --undo 7f3k
  paddock ls --archived

Journal, branch and box stay as they are. A task with an agent is stopped first: `paddock stop`.";

#[derive(Debug, clap::Args)]
pub(crate) struct AsideArgs {
    /// The tasks' ids, or the beginnings or ends of them
    #[arg(required = true)]
    pub(crate) tasks: Vec<String>,
    /// Take them up again
    #[arg(long, conflicts_with = "up_to")]
    pub(crate) undo: bool,
    /// The last event that you know of
    #[arg(long, value_name = "SEQ")]
    pub(crate) up_to: Option<u64>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ArchiveArgs {
    /// The tasks' ids, or the beginnings or ends of them
    #[arg(required = true)]
    pub(crate) tasks: Vec<String>,
    /// Take them out
    #[arg(long)]
    pub(crate) undo: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LogsArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// Go on with what happens
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// Begin behind this event
    #[arg(long, default_value_t = 0, value_name = "SEQ")]
    pub(crate) since_seq: u64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SendArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// What to say; `-` reads it from standard input
    pub(crate) text: String,
    /// Say it after the turn: it waits in the queue (`paddock queue`)
    #[arg(long)]
    pub(crate) after: bool,
    /// An id for the message: a repeat with the same id is not delivered again
    #[arg(long, value_name = "ID")]
    pub(crate) input_id: Option<String>,
    /// Follow the task to the end of its turn
    #[arg(long, short)]
    pub(crate) follow: bool,
    #[command(flatten)]
    pub(crate) files: super::FilesArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AnswerArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// The answer in your own words
    #[arg(conflicts_with_all = ["approve", "deny", "plan"])]
    pub(crate) text: Option<String>,
    /// A choice of the question; may be given several times
    #[arg(long, value_name = "CHOICE", conflicts_with_all = ["approve", "deny", "plan"])]
    pub(crate) choose: Vec<String>,
    /// Let the agent go on with what it asked for
    #[arg(long, group = "verdict", conflicts_with_all = ["deny", "plan"])]
    pub(crate) approve: bool,
    /// Refuse what the agent asked for
    #[arg(long, group = "verdict", conflicts_with = "plan")]
    pub(crate) deny: bool,
    /// How far it reaches; beyond once it is kept as a rule
    #[arg(long, value_enum, default_value = "once", requires = "verdict")]
    pub(crate) scope: ScopeArg,
    /// The command rule to keep, in place of the one that is offered; may be given several times
    #[arg(long, value_name = "COMMAND", requires = "verdict")]
    pub(crate) rule: Vec<String>,
    /// The input to use in place of the agent's, as JSON
    #[arg(long, value_name = "JSON", requires = "approve", value_parser = as_json)]
    pub(crate) input: Option<serde_json::Value>,
    /// Decide on the plan
    #[arg(long, value_enum)]
    pub(crate) plan: Option<PlanVerdict>,
    /// The plan to carry out in place of the agent's
    #[arg(long, value_name = "TEXT", requires = "plan")]
    pub(crate) plan_text: Option<String>,
    /// End the turn too, when what it asked for is refused
    #[arg(long, requires = "deny")]
    pub(crate) interrupt: bool,
    /// Why not, for the agent
    #[arg(long, value_name = "TEXT")]
    pub(crate) because: Option<String>,
    /// Which question or permission; the only open one when absent
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct PurgeArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// Only show what would be lost
    #[arg(long, conflicts_with_all = ["force", "now", "without_snapshot"])]
    pub(crate) preview: bool,
    /// Go on although work would be lost; a snapshot is kept all the same
    #[arg(long)]
    pub(crate) force: bool,
    /// Do not wait for the recovery window
    #[arg(long)]
    pub(crate) now: bool,
    /// Go on although no snapshot can be taken: what no commit holds is lost
    #[arg(long)]
    pub(crate) without_snapshot: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// One file; all when absent
    pub(crate) path: Option<String>,
    /// The repository; the only one when absent
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: Option<PathBuf>,
    /// Only list files with the lines they gained and lost
    #[arg(long, conflicts_with = "path")]
    pub(crate) stat: bool,
    /// Which changes
    #[arg(long, value_enum, default_value = "all", conflicts_with = "stat")]
    pub(crate) what: super::WhatArg,
    /// What this one commit of the task did
    #[arg(long, value_name = "ID", conflicts_with_all = ["stat", "what"])]
    pub(crate) commit: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CommitArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// The commit's message
    #[arg(long, short, required_unless_present = "preview")]
    pub(crate) message: Option<String>,
    /// The repository; the only one with changes when absent
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: Option<PathBuf>,
    /// A file that goes in, as the preview names it; repeat it for more. All when absent
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Vec<String>,
    /// Only show what would be committed
    #[arg(long)]
    pub(crate) preview: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SyncArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// Where to push: the task's branch, one squashed commit on the default branch, or nowhere
    #[arg(long, value_enum, default_value = "branch")]
    pub(crate) to: TargetArg,
    /// The remote; the configured one when absent
    #[arg(long)]
    pub(crate) remote: Option<String>,
    /// A finding to let pass, by id or rule; may be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) allow: Vec<String>,
    /// The squashed commit's message
    #[arg(long, short)]
    pub(crate) message: Option<String>,
    /// Only show what a squash onto the default branch would meet
    #[arg(long)]
    pub(crate) preview: bool,
}

fn as_json(text: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"))
}

/// Mirrors of domain words for the command line.
macro_rules! words {
    ($($name:ident => $domain:ty { $($(#[$doc:meta])* $word:ident => $value:expr,)* })*) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(crate) enum $name { $($(#[$doc])* $word,)* }

        impl From<$name> for $domain {
            fn from(word: $name) -> Self {
                match word { $($name::$word => $value,)* }
            }
        }
    )*};
}

words! {
    BoxArg => BoxKind {
        /// A container on an engine
        Container => BoxKind::Container,
        /// A directory on the host, its writes confined where the kernel can
        Worktree => BoxKind::Worktree,
    }
    NetworkArg => Network {
        /// The internet
        Bridge => Network::Bridge,
        /// Nothing but what the relay carries
        None => Network::None,
    }
    ModeArg => PermissionMode {
        /// Everything: the box is the fence
        FullAuto => PermissionMode::FullAuto,
        /// Edits, but commands are asked for
        AcceptEdits => PermissionMode::AcceptEdits,
        /// Everything that changes something is asked for
        Ask => PermissionMode::Ask,
        /// A plan comes first and is decided on
        Plan => PermissionMode::Plan,
    }
    ScopeArg => ApprovalScope {
        /// This one call
        Once => ApprovalScope::Once,
        /// Calls like it for the rest of the task
        Task => ApprovalScope::Task,
        /// Calls like it in this repository from now on
        Repository => ApprovalScope::Repository,
        /// Calls like it in every task from now on
        Everywhere => ApprovalScope::Everywhere,
    }
    VerdictArg => RuleVerdict {
        /// Without asking
        Allow => RuleVerdict::Allow,
        /// Not at all
        Deny => RuleVerdict::Deny,
    }
    TargetArg => SyncTarget {
        /// The task's own branch on the remote
        Branch => SyncTarget::Branch,
        /// One squashed commit on the default branch
        Default => SyncTarget::Default,
        /// Nowhere: commits are only brought out
        Local => SyncTarget::Local,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanVerdict {
    /// Carry it out
    Approve,
    /// Think again
    Reject,
}

fn state(text: &str) -> Result<StateName, String> {
    let wanted = text.replace('-', "_");
    let found = StateName::ALL
        .iter()
        .find(|state| state.as_str() == wanted)
        .copied();
    found.ok_or_else(|| {
        let names: Vec<_> = StateName::ALL.iter().map(|state| state.as_str()).collect();
        format!("use one of {}", names.join(", "))
    })
}
