//! What clients ask of the trash, and of what is to be reviewed.

use paddock_domain::TaskId;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// Chooses entries of the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TrashQuery {
    /// Absolute path of a repository, whether a task has used it or not; every one that a task has used
    /// when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Those of this task, whether it is known or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub task_id: Option<TaskId>,
}

/// Says more about one entry of the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TrashEntryQuery {
    /// Its repository's path; needed where two have an entry of that number, or no task has used it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The file whose changes are shown; all when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// Chooses one repository of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RepositoryQuery {
    /// Its path; all of the task's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
}

/// Chooses names that a task can start from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BranchQuery {
    /// Absolute path of a checkout.
    pub path: String,
    /// What the name, or a part of it after a `/`, begins with, in any case; anything when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// Most names; 50 when absent, at most 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}
