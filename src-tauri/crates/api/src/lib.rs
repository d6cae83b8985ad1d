//! The wire: paths, requests, views, error codes, pages and stream events. Pure data, one JSON shape a
//! type, shared by the server and every client that is written in Rust.
//!
//! The OpenAPI document is made from these types and the server's handlers, and committed as
//! `docs/openapi.json`; other languages generate their clients from it.
//!
//! Start at [`paths`], then [`ErrorCode`], then [`TaskSummary`].

mod auth;
mod error;
mod page;
pub mod paths;
mod place;
mod request;
mod stream;
mod system;
mod task;

pub use auth::{ExchangeRequest, PairingCode};
pub use error::{ErrorBody, ErrorCode, ErrorDetail};
pub use page::{Cursor, InvalidCursor, PAGE_DEFAULT, PAGE_MAX, Page};
pub use place::{SERVE_FILE, ServeLine, ServeRecord, TOKEN_FILE, TOKEN_VARIABLE, URL_VARIABLE};
pub use request::{
    Accepted, AnswerRequest, ApprovalRequest, CommitPreviewQuery, EventsQuery, InspectQuery,
    InstallRequest, PlanRequest, Sent, TaskQuery,
};
pub use stream::{
    CursorData, DeltaData, InstallFailed, InstallProgress, ResetData, ResetReason, names,
};
pub use system::{
    Abilities, Check, CommitMade, CommitPreviewList, HarnessView, Health, HostView,
    KnownRepository, ModelChoice, OrphanBox, RepositoryInfo, SettingsView, SquashList, VersionInfo,
};
pub use task::{RepositorySummary, TaskSummary};
