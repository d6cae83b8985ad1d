//! The nouns of Paddock, pure: no IO, no async, no clock, and nothing here can panic.
//!
//! A task is the fold of its journal. [`Event`]s say what happened, [`TaskState::apply`] is the total
//! state machine that they drive, [`Task::record`] folds both into the task that everyone sees, and
//! [`TaskState::allowed`] says what a user may do with it now.
//!
//! Start at [`Task`].

mod account;
mod action;
mod attachment;
mod attention;
mod command;
mod conversation;
mod delta;
mod disk;
mod event;
mod follow_up;
mod group;
mod handing;
mod id;
mod journal;
mod line;
mod link;
mod offers;
mod origin;
mod past;
mod price;
mod program;
mod purge;
mod rate_limit;
mod relink;
mod retry;
mod review;
mod rule;
#[cfg(test)]
mod sample;
mod search;
mod spec;
mod standing;
mod state;
mod statistics;
mod task;
mod template;
mod terminal;
mod time;
mod trash;
mod work;
mod zero;

pub use account::Account;
pub use action::Action;
pub use attachment::Attachment;
pub use command::{
    CommitPreview, CommitRequest, Message, RepositoryFinding, SquashPreview, SyncReport,
    SyncRequest, SyncTarget, SyncedRepository,
};
pub use conversation::{
    Answer, Approval, ApprovalScope, Choice, Decision, Plan, PlanDecision, Question, TodoItem,
    TodoStatus, ToolKind,
};
pub use delta::{Delta, DeltaKind};
pub use disk::{Disk, DiskState};
pub use event::{
    ArtifactRef, Block, BlockKind, Body, CondensePolicy, Condensing, ErrorClass, Event,
    NoticeLevel, Phase, RunExit, Source, ToolCallFinished, ToolCallStarted, TurnOutcome,
};
pub use follow_up::{FollowUp, FollowUpHold, FollowUpQueue, QueueFull};
pub use group::{CheckResult, Contender, PickRequest, TaskGroup};
pub use handing::{ForkRequest, HandOffRequest};
pub use id::{
    AccountName, ApprovalId, EventId, GroupId, HarnessName, HostName, InputId, InvalidId, PlanId,
    QuestionId, RequestKey, RuleId, RunId, TaskId, TemplateName, TerminalName, TurnId,
};
pub use journal::{
    Expired, ExpiredKind, JournalCheck, JournalFault, JournalFile, JournalFinding, JournalForm,
    JournalRepair,
};
pub use line::LineEnd;
pub use link::{Link, LinkData, LinkState};
pub use offers::{OfferedCommand, OfferedModel, Offers};
pub use origin::{Origin, OriginFiles, OriginKind, OriginSession};
pub use past::{PastMessage, PastSession, Speaker};
pub use price::{ModelPrice, Price};
pub use program::{Program, ProgramRecipe};
pub use purge::{PurgePreview, PurgeRequest, PurgedProcess, PurgedRepository};
pub use rate_limit::RateLimit;
pub use relink::RelinkRequest;
pub use retry::{Retry, RetryUnderWay};
pub use review::{
    BranchKind, BranchName, BranchNames, CommitView, DiffRequest, DiffWhat, RepositoryCommits,
    TaskCommits,
};
pub use rule::{KeepRule, Rule, RuleOffer, RuleReach, RuleSubject, RuleVerdict};
pub use search::SearchKind;
pub use spec::{BoxKind, BoxSpec, InvalidSpec, Network, PermissionMode, RepositorySpec, TaskSpec};
pub use standing::UsageLimit;
pub use state::{Back, Kept, Need, Rejected, StateName, TaskState, Transition};
pub use statistics::{BoxLimits, BoxProcess, DiskUse, Flow, ProcessSignal, Statistics};
pub use task::{Failure, OpenTurn, RepositoryView, RunView, Task};
pub use template::{TaskTemplate, Unfilled};
pub use terminal::{Terminal, TerminalKind, TerminalRequest, TerminalSize};
pub use time::Timestamp;
pub use trash::{
    IgnoredFiles, KeptRef, TrashDetail, TrashDropped, TrashEntry, TrashList, TrashReason,
    TrashRestoreRequest, TrashRestored, UnreadableTrash,
};
pub use work::{Cost, CostSource, DiffStat, FileStat, Usage};
