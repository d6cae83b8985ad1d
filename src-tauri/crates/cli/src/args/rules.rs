//! What the verbs about rules and about how an agent works take.

use std::path::PathBuf;

use clap::Subcommand;
use paddock_domain::AccountName;

use super::task::{ModeArg, VerdictArg};

pub(crate) const RULES_EXAMPLES: &str = "\
Examples:
  paddock rules ls
  paddock rules add allow 'cargo test *' --repo .
  paddock rules add allow --edit 'docs/**' --everywhere
  paddock rules add deny 'git push *' --everywhere
  paddock rules test 'cargo test && rm -rf ~'
  paddock rules rm 01k…

A command rule covers one command with its arguments: `*` as the last word stands for any further words, within a
word for any of its characters. Of a command line everything must be allowed by itself; anything a shell would
change (expansions, substitutions, redirections to files, groups) is asked for. A rule that denies wins.";

pub(crate) const TUNE_EXAMPLES: &str = "\
Examples:
  paddock tune 7f3k --model opus
  paddock tune 7f3k --mode ask
  paddock tune 7f3k --effort high";

#[derive(Debug, clap::Args)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    pub(crate) verb: RulesVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesVerb {
    /// List rules
    #[command(after_help = "Examples:\n  paddock rules ls\n  paddock rules ls --task 7f3k")]
    Ls(WhereArgs),
    /// Make a rule
    #[command(
        after_help = "Examples:\n  paddock rules add allow 'cargo build *' --repo .\n  paddock rules add deny --web '*.example.com' --everywhere"
    )]
    Add(RuleArgs),
    /// Take a rule back
    #[command(after_help = "Example:\n  paddock rules rm 01k…")]
    Rm {
        /// The rule, or the beginning or end of its id
        rule: String,
    },
    /// Say what rules make of a command, without running it; exit code 0 only when it is allowed
    #[command(after_help = "Example:\n  paddock rules test 'cargo build && cargo test' --repo .")]
    Test(TestArgs),
}

/// Where a rule holds.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(crate) struct WhereArgs {
    /// In one task
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// In every task on the repository around this path
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: Option<PathBuf>,
    /// In every task
    #[arg(long)]
    pub(crate) everywhere: bool,
}

/// What a rule is about.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct SubjectArgs {
    /// A command with its arguments
    pub(crate) command: Option<String>,
    /// Files of the repository that are changed, such as src/**
    #[arg(long, value_name = "PATHS")]
    pub(crate) edit: Option<String>,
    /// Files of the repository that are read
    #[arg(long, value_name = "PATHS")]
    pub(crate) read: Option<String>,
    /// A host on the web, such as docs.rs or *.docs.rs
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) web: Option<String>,
    /// Another tool by its name, such as mcp__github__*
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RuleArgs {
    /// Whether it is done without asking, or not at all
    #[arg(value_enum)]
    pub(crate) verdict: VerdictArg,
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) reach: WhereArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// As this task would ask
    #[arg(long, value_name = "TASK", conflicts_with = "repo")]
    pub(crate) task: Option<String>,
    /// As a task on the repository around this path would ask
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[group(id = "tuning", required = true, multiple = true, args = ["model", "effort", "mode", "account"])]
pub(crate) struct TuneArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// Another model, in the harness's words
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Another effort, in the harness's words
    #[arg(long)]
    pub(crate) effort: Option<String>,
    /// What the agent may do without asking
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArg>,
    /// Another account of the harness; only while no agent runs
    #[arg(long, value_name = "NAME")]
    pub(crate) account: Option<AccountName>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompactArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// What the agent is to keep in mind
    pub(crate) about: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LimitArgs {
    /// The task's id, or the beginning or end of it
    pub(crate) task: String,
    /// Do not go on by itself
    #[arg(long)]
    pub(crate) cancel: bool,
}
