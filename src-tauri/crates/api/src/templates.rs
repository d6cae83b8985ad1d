//! Templates: tasks with gaps.

use std::collections::BTreeMap;

use paddock_domain::{TaskSpec, TaskTemplate};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A template and its gaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TemplateView {
    /// The template.
    #[serde(flatten)]
    pub template: TaskTemplate,
    /// Names of its gaps, `{{name}}` in its prompt and title, as they come.
    pub variables: Vec<String>,
}

/// Saves a template, in place of what was there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TemplateRequest {
    /// What the task is to be. Files, the request's key and where it came from are left out.
    pub spec: TaskSpec,
}

/// Fills the gaps of a template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FillRequest {
    /// What goes into each gap, by name.
    pub values: BTreeMap<String, String>,
}

impl From<TaskTemplate> for TemplateView {
    fn from(template: TaskTemplate) -> Self {
        Self {
            variables: template.variables(),
            template,
        }
    }
}
