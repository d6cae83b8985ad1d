//! Sessions that users had with agents outside Paddock: what clients ask.

use paddock_domain::{HarnessName, TaskSpec};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Sessions of one answer when the client does not say.
pub const SESSIONS_DEFAULT: usize = 50;
/// Most sessions of one answer.
pub const SESSIONS_MAX: usize = 500;

/// Which sessions are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SessionQuery {
    /// Only of this harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<HarnessName>,
    /// Only those that worked in this directory, or below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Only those whose title, directory or id holds this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// How many at most: 50 when absent, no more than 500.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// Creates a task that goes on with a session of the user's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdoptRequest {
    /// The agent's own id for it. Its harness is the task's.
    pub session_id: String,
    /// The task; its prompt is what is said next in the session.
    pub task: TaskSpec,
}
