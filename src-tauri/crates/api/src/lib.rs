//! The wire: paths, requests, views, error codes, pages and stream events. Pure data, one JSON shape a
//! type, shared by the server and every client that is written in Rust.
//!
//! The OpenAPI document is made from these types and the server's handlers, and committed as
//! `docs/openapi.json`; other languages generate their clients from it.
//!
//! Start at [`paths`], then [`ErrorCode`], then [`TaskSummary`].

mod accounts;
mod auth;
mod error;
mod group;
mod journal;
mod line;
mod link;
mod marks;
mod orphans;
mod page;
pub mod paths;
mod place;
mod queue;
mod request;
mod rules;
mod search;
mod secrets;
mod sessions;
mod settings;
mod statistics;
mod stream;
mod system;
mod task;
mod templates;
mod terminal;
mod trash;
mod tuning;

pub use accounts::{AccountRemoval, AccountRequest, AccountView};
pub use auth::{ExchangeRequest, PairingCode};
pub use error::{ErrorBody, ErrorCode, ErrorDetail};
pub use group::{
    CheckRequest, GroupCheck, GroupChecks, GroupMember, GroupRequest, GroupView, TaskRef,
    UploadQuery,
};
pub use journal::{ExpiredList, RepairRequest, RetentionRequest};
pub use line::{HostRequest, PlaceRequest, TaskName, TaskPlace};
pub use link::{BadLink, Link};
pub use marks::{ArchiveRequest, AsideRequest};
pub use orphans::{OrphanBox, PhaseState, Phases, RemoveOrphanRequest};
pub use page::{Cursor, InvalidCursor, PAGE_DEFAULT, PAGE_MAX, Page};
pub use place::{SERVE_FILE, ServeLine, ServeRecord, TOKEN_FILE, TOKEN_VARIABLE, URL_VARIABLE};
pub use queue::{FollowUpEdit, FollowUpOrder, SendRequest, SendWhen, Sent};
pub use request::{
    Accepted, AnswerRequest, ApprovalRequest, CommitPreviewQuery, EventsQuery, InspectQuery,
    InstallRequest, PlanRequest, ReviveRequest, TaskQuery,
};
pub use rules::{
    RuleAsked, RuleOutcome, RulePart, RuleQuery, RuleRequest, RuleTest, RuleVerdictView,
};
pub use search::{SearchHit, SearchMark, SearchPage, SearchRequest};
pub use secrets::{
    KeySource, KeyView, SecretList, SecretRequest, SecretView, VaultKind, VaultView,
};
pub use sessions::{AdoptRequest, SESSIONS_DEFAULT, SESSIONS_MAX, SessionQuery};
pub use settings::{SettingView, SettingsRequest, SettingsView};
pub use statistics::{ProcessList, SignalRequest, StatisticsData, TaskStatistics};
pub use stream::{
    CursorData, DeltaData, InstallFailed, InstallProgress, ResetData, ResetReason, names, pings,
};
pub use system::{
    Abilities, Check, CommitMade, CommitPreviewList, HarnessView, Health, HostView,
    KnownRepository, ModelChoice, RepositoryInfo, SquashList, VersionInfo,
};
pub use task::{RepositorySummary, TaskSummary, TaskView};
pub use templates::{FillRequest, TemplateRequest, TemplateView};
pub use terminal::{TerminalClosed, TerminalList, TerminalSay, TerminalTell};
pub use trash::{BranchQuery, RepositoryQuery, TrashEntryQuery, TrashQuery};
pub use tuning::{CompactRequest, LimitRequest, TuneRequest};
