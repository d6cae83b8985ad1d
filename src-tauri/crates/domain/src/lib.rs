//! The nouns of Paddock, pure: no IO, no async, no clock, and nothing here can panic.
//!
//! A task is the fold of its journal. [`Event`]s say what happened, [`TaskState::apply`] is the total
//! state machine that they drive, [`Task::record`] folds both into the task that everyone sees, and
//! [`TaskState::allowed`] says what a user may do with it now.
//!
//! Start at [`Task`].

mod action;
mod command;
mod conversation;
mod delta;
mod disk;
mod event;
mod follow_up;
mod id;
mod journal;
mod line;
mod link;
mod program;
mod purge;
mod review;
mod spec;
mod state;
mod statistics;
mod task;
mod time;
mod trash;
mod work;

pub use action::Action;
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
    ArtifactRef, Block, BlockKind, Body, CondensePolicy, ErrorClass, Event, NoticeLevel, Phase,
    RunExit, Source, ToolCallFinished, ToolCallStarted, TurnOutcome,
};
pub use follow_up::{FollowUp, FollowUpHold, FollowUpQueue, QueueFull};
pub use id::{
    ApprovalId, EventId, HarnessName, HostName, InputId, InvalidId, PlanId, QuestionId, RequestKey,
    RunId, TaskId, TurnId,
};
pub use journal::{
    Expired, ExpiredKind, JournalCheck, JournalFault, JournalFile, JournalFinding, JournalForm,
    JournalRepair,
};
pub use line::LineEnd;
pub use link::{Link, LinkData, LinkState};
pub use program::{Program, ProgramRecipe};
pub use purge::{PurgePreview, PurgeRequest, PurgedProcess, PurgedRepository};
pub use review::{
    BranchKind, BranchName, BranchNames, CommitView, DiffRequest, DiffWhat, RepositoryCommits,
    TaskCommits,
};
pub use spec::{BoxKind, BoxSpec, InvalidSpec, Network, PermissionMode, RepositorySpec, TaskSpec};
pub use state::{Back, Kept, Need, Rejected, StateName, TaskState, Transition};
pub use statistics::{BoxLimits, BoxProcess, DiskUse, Flow, ProcessSignal, Statistics};
pub use task::{Failure, OpenTurn, RepositoryView, RunView, Task};
pub use time::Timestamp;
pub use trash::{
    IgnoredFiles, KeptRef, TrashDetail, TrashDropped, TrashEntry, TrashList, TrashReason,
    TrashRestoreRequest, TrashRestored, UnreadableTrash,
};
pub use work::{Cost, CostSource, DiffStat, FileStat, RateLimit, Usage};
