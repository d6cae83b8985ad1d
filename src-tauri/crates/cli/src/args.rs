//! What can be typed.

mod account;
mod boxes;
mod hand;
mod journal;
mod offers;
mod orphans;
mod queue;
mod rules;
mod search;
mod secret;
mod sessions;
mod settings;
mod task;
mod template;
mod terminal;
mod trash;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub(crate) use account::{AccountArgs, AccountVerb};
pub(crate) use boxes::{KillArgs, RelinkArgs, ReviveArgs, StatsArgs};
pub(crate) use hand::{CompareArgs, FilesArgs, ForkArgs, HandOffArgs};
pub(crate) use journal::{ExportArgs, ExportFormat, JournalArgs, JournalVerb, RetentionArgs};
pub(crate) use offers::OffersArgs;
pub(crate) use orphans::{OrphansArgs, OrphansVerb};
pub(crate) use queue::{PlacesArgs, QueueArgs, QueueVerb};
pub(crate) use rules::{
    CompactArgs, LimitArgs, RuleArgs, RulesArgs, RulesVerb, SubjectArgs, TestArgs, TuneArgs,
    WhereArgs,
};
pub(crate) use search::SearchArgs;
pub(crate) use secret::{SecretArgs, SecretVerb};
pub(crate) use sessions::{SessionListArgs, SessionsArgs, SessionsVerb};
pub(crate) use settings::{SettingsArgs, SettingsVerb};
pub(crate) use task::{
    AnswerArgs, ArchiveArgs, AsideArgs, CommitArgs, DiffArgs, LogsArgs, LsArgs, PlanVerdict,
    PurgeArgs, RunArgs, SendArgs, SyncArgs,
};
pub(crate) use template::{TemplateArgs, TemplateVerb};
pub(crate) use terminal::{TerminalArgs, TerminalVerb};
pub(crate) use trash::{CommitsArgs, EntryArgs, TrashArgs, TrashVerb, WhatArg};

use crate::exit::HELP;

/// Runs AI coding agents, each in its own box.
#[derive(Debug, Parser)]
#[command(name = "paddock", version, after_help = HELP, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What every verb takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Global {
    /// Print JSON for programs in place of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The server to ask, such as http://127.0.0.1:7230; one that serves the data directory when absent
    #[arg(long, global = true, env = "PADDOCK_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The data directory; the user's own when absent
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The configuration file; `paddock.toml` in the user's configuration directory when absent
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Any setting, as `paddock config` names it
    #[arg(long = "set", global = true, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) set: Vec<(String, String)>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Serve until told to stop; agents go on without it
    ///
    /// Prints one JSON line {"url":"…","token_file":"…"} once it serves; logs go to standard error.
    #[command(
        after_help = "Examples:\n  paddock serve\n  paddock serve --data /srv/paddock --listen 127.0.0.1:0"
    )]
    Serve(ServeArgs),
    /// Give an agent a task and follow it to the end of its turn
    #[command(visible_alias = "new", after_help = task::RUN_EXAMPLES)]
    Run(Box<RunArgs>),
    /// List the sessions that you had with agents outside Paddock, to go on with one
    #[command(after_help = sessions::SESSIONS_EXAMPLES)]
    Sessions(SessionsArgs),
    /// Begin another task where one stands, with a branch and a box of its own
    #[command(after_help = hand::FORK_EXAMPLES)]
    Fork(Box<ForkArgs>),
    /// Let another agent go on with a task, in the same box
    #[command(name = "handoff", after_help = hand::HAND_OFF_EXAMPLES)]
    HandOff(Box<HandOffArgs>),
    /// Compare what several agents made of one prompt; check it, choose
    #[command(after_help = hand::COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// List tasks
    #[command(
        after_help = "Examples:\n  paddock ls\n  paddock ls --needs-me\n  paddock ls --state running --json"
    )]
    Ls(LsArgs),
    /// Show one task
    #[command(after_help = "Example:\n  paddock show 7f3k")]
    Show(TaskArgs),
    /// Show what happened to a task
    #[command(
        after_help = "Examples:\n  paddock logs 7f3k\n  paddock logs -f 7f3k\n  paddock logs --json --since-seq 120 7f3k"
    )]
    Logs(LogsArgs),
    /// Say something to a task's agent
    #[command(
        after_help = "Examples:\n  paddock send 7f3k \"now add tests\"\n  paddock send --after 7f3k \"then the docs\"\n  git log | paddock send 7f3k - --follow"
    )]
    Send(SendArgs),
    /// Show and change what waits to be said after a task's turn
    #[command(after_help = queue::QUEUE_EXAMPLES)]
    Queue(QueueArgs),
    /// Show who works and who waits for a place; change the order and the limit
    #[command(after_help = queue::PLACES_EXAMPLES)]
    Places(PlacesArgs),
    /// Answer a question, approve or deny what an agent asks for, decide on its plan
    #[command(after_help = task::ANSWER_EXAMPLES)]
    Answer(AnswerArgs),
    /// List, make, choose and forget accounts: logins and keys by name
    #[command(after_help = account::ACCOUNT_EXAMPLES)]
    Account(AccountArgs),
    /// List, make, remove and try rules: what agents may do without asking, and what not
    #[command(after_help = rules::RULES_EXAMPLES)]
    Rules(RulesArgs),
    /// Change model, effort or permission mode, in the run that lives and in later ones
    #[command(after_help = rules::TUNE_EXAMPLES)]
    Tune(TuneArgs),
    /// Show what the agent's program offers: its own commands, models to choose from
    #[command(after_help = offers::OFFERS_EXAMPLES)]
    Offers(OffersArgs),
    /// Have the agent shorten its context
    #[command(
        after_help = "Examples:\n  paddock compact 7f3k\n  paddock compact 7f3k \"keep the list of files\""
    )]
    Compact(CompactArgs),
    /// Have the agent forget the conversation; its work stays
    #[command(after_help = "Example:\n  paddock clear 7f3k")]
    Clear(TaskArgs),
    /// End the agent and start it again in its box, with its session
    #[command(after_help = "Example:\n  paddock restart 7f3k")]
    Restart(TaskArgs),
    /// Go on by itself when the usage limit that holds the task up is lifted
    #[command(after_help = "Examples:\n  paddock resume 7f3k\n  paddock resume 7f3k --cancel")]
    Resume(LimitArgs),
    /// End the turn; the agent waits for the next message
    #[command(after_help = "Example:\n  paddock interrupt 7f3k")]
    Interrupt(TaskArgs),
    /// End the agent and keep its box
    #[command(after_help = "Example:\n  paddock stop 7f3k")]
    Stop(TaskArgs),
    /// Start the agent again in its box, with its session
    #[command(after_help = "Examples:\n  paddock revive 7f3k\n  paddock revive 7f3k --memory 4096")]
    Revive(ReviveArgs),
    /// Tell a task where its repository is now that it was moved
    #[command(
        after_help = "Examples:\n  paddock relink 7f3k ~/src/api\n  paddock relink 7f3k ~/src/api --repo /home/me/old/api"
    )]
    Relink(RelinkArgs),
    /// Remove the box after its recovery window
    #[command(
        after_help = "Examples:\n  paddock purge --preview 7f3k\n  paddock purge 7f3k\n  paddock purge --force --now 7f3k"
    )]
    Purge(PurgeArgs),
    /// Put aside what a task calls for, until something new happens in it
    #[command(after_help = task::ASIDE_EXAMPLES)]
    Aside(AsideArgs),
    /// Put tasks that are done into the archive: in no list but `paddock ls --archived`
    #[command(after_help = task::ARCHIVE_EXAMPLES)]
    Archive(ArchiveArgs),
    /// Take a purge back
    #[command(after_help = "Example:\n  paddock restore 7f3k")]
    Restore(TaskArgs),
    /// Show, bring back and let go of what was kept before something destructive
    #[command(after_help = trash::TRASH_EXAMPLES)]
    Trash(TrashArgs),
    /// List the commits of a task
    #[command(after_help = "Examples:\n  paddock commits 7f3k\n  paddock diff 7f3k --commit 0123…")]
    Commits(CommitsArgs),
    /// Show what a task changed
    #[command(
        after_help = "Examples:\n  paddock diff 7f3k\n  paddock diff 7f3k --what uncommitted\n  paddock diff 7f3k src/main.rs\n  paddock diff --stat 7f3k"
    )]
    Diff(DiffArgs),
    /// Commit what an agent left uncommitted
    #[command(
        after_help = "Examples:\n  paddock commit --preview 7f3k\n  paddock commit 7f3k -m \"Fix the login\"\n  paddock commit 7f3k -m \"Fix the login\" --file src/login.rs --file tests/login.rs"
    )]
    Commit(CommitArgs),
    /// Bring commits out of the box and push them
    #[command(
        after_help = "Examples:\n  paddock sync 7f3k\n  paddock sync 7f3k --to local\n  paddock sync 7f3k --to default -m \"Fix the login\""
    )]
    Sync(SyncArgs),
    /// Show what boxes use: processor, memory, network, disk
    #[command(after_help = boxes::STATS_EXAMPLES)]
    Stats(StatsArgs),
    /// List what runs in a task's box
    #[command(after_help = "Example:\n  paddock ps 7f3k")]
    Ps(TaskArgs),
    /// Send a signal to a process in a task's box
    #[command(
        after_help = "Examples:\n  paddock kill 7f3k 4711\n  paddock kill 7f3k 4711 --signal kill"
    )]
    Kill(KillArgs),
    /// A terminal in a task's box: a shell, or the agent's own program
    #[command(after_help = terminal::TERMINAL_EXAMPLES)]
    Terminal(TerminalArgs),
    /// Boxes that belong to no task
    #[command(after_help = orphans::ORPHANS_EXAMPLES)]
    Orphans(OrphansArgs),
    /// Look after journals as files: list, verify, repair
    #[command(after_help = journal::JOURNAL_EXAMPLES)]
    Journal(JournalArgs),
    /// Write tasks as plain files: journal, transcript, large outputs, diffs
    #[command(after_help = journal::EXPORT_EXAMPLES)]
    Export(ExportArgs),
    /// Show what is kept longer than the settings want; remove it
    #[command(after_help = journal::RETENTION_EXAMPLES)]
    Retention(RetentionArgs),
    /// Agent programs
    Harness {
        #[command(subcommand)]
        verb: HarnessVerb,
    },
    /// Look at a repository as a task would start from it
    #[command(after_help = "Example:\n  paddock inspect .")]
    Inspect {
        /// The repository
        #[arg(default_value = ".")]
        path: PathBuf,
    },
    /// Say what is missing on this machine and how to get it
    #[command(after_help = "Examples:\n  paddock doctor\n  paddock doctor --json")]
    Doctor,
    /// Make a link that pairs a browser, once and within ten minutes
    #[command(after_help = "Example:\n  paddock pair")]
    Pair,
    /// Print the events that a recorded agent output yields, as JSON lines
    #[command(
        after_help = "Examples:\n  paddock decode --harness claude session.jsonl\n  zcat old.gz | paddock decode --harness codex -"
    )]
    Decode(DecodeArgs),
    /// Print the OpenAPI document
    #[command(after_help = "Example:\n  paddock openapi > docs/openapi.json")]
    Openapi,
    /// Keep tasks that are begun again and again, with gaps to fill
    #[command(after_help = template::TEMPLATE_EXAMPLES)]
    Template(TemplateArgs),
    /// Show and change settings
    #[command(after_help = settings::SETTINGS_EXAMPLES)]
    Settings(SettingsArgs),
    /// Search in what was said and done in all tasks
    #[command(after_help = search::SEARCH_EXAMPLES)]
    Search(SearchArgs),
    /// Keep keys and tokens in the vault
    #[command(after_help = secret::SECRET_EXAMPLES)]
    Secret(SecretArgs),
    /// Show the settings and where they come from
    #[command(after_help = "Examples:\n  paddock config\n  paddock config --docs")]
    Config {
        /// Explain every setting
        #[arg(long)]
        docs: bool,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct TaskArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// Listen also where other machines can reach it; the traffic is not encrypted
    #[arg(long)]
    pub(crate) allow_remote: bool,
    /// A host name beside loopback's by which clients may call
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// An origin whose pages may ask, such as https://pad.example
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// The built user interface; `ui` beside the program when absent
    #[arg(long, value_name = "DIR")]
    pub(crate) ui: Option<PathBuf>,
    /// The static relay program; `paddock-relay` beside this program when absent
    #[arg(long, value_name = "FILE", env = "PADDOCK_RELAY")]
    pub(crate) relay: Option<PathBuf>,
    /// The `scripted` agent program, for tests and rehearsal
    #[arg(long, value_name = "FILE", env = "PADDOCK_SCRIPTED_AGENT", hide = true)]
    pub(crate) scripted_agent: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HarnessVerb {
    /// List agent programs: what is installed, what they can, whose keys are set
    #[command(after_help = "Example:\n  paddock harness ls")]
    Ls,
    /// Install an agent program from its package
    #[command(
        after_help = "Examples:\n  paddock harness install claude\n  paddock harness install codex --version 0.169.0"
    )]
    Install {
        /// The harness
        harness: String,
        /// Its exact version; the newest that Paddock is tested with when absent
        #[arg(long, value_name = "VERSION")]
        version: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct DecodeArgs {
    /// Whose output it is
    #[arg(long)]
    pub(crate) harness: String,
    /// Print pieces of messages too
    #[arg(long)]
    pub(crate) deltas: bool,
    /// The recording; `-` for standard input
    pub(crate) file: PathBuf,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests;
