//! What a task has used and what it has changed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Tokens used by a task, and how full its context is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Usage {
    /// Tokens read that no cache held.
    pub input_tokens: u64,
    /// Tokens read from a cache.
    pub cached_tokens: u64,
    /// Tokens written to a cache.
    pub cache_write_tokens: u64,
    /// Tokens written, thinking included.
    pub output_tokens: u64,
    /// Of those, tokens of thinking.
    pub reasoning_tokens: u64,
    /// Tokens in the context window now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_used: Option<u64>,
    /// Tokens that fit the context window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_limit: Option<u64>,
    /// What it cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

impl Usage {
    /// Takes in how full the context is; a limit that is not told stays as it was.
    pub fn measure_context(&mut self, used: u64, limit: Option<u64>) {
        self.context_used = Some(used);
        self.context_limit = limit.or(self.context_limit);
    }
}

/// An amount of money and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Cost {
    /// US dollars.
    pub usd: f64,
    /// Where the figure comes from.
    pub source: CostSource,
    /// Some tokens of it have no price and are left out: it cost at least this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

impl Cost {
    /// What an agent program says that it cost, in US dollars.
    #[must_use]
    pub fn reported(usd: f64) -> Self {
        Self {
            usd,
            source: CostSource::Reported,
            partial: false,
        }
    }
}

/// Where a cost comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CostSource {
    /// The agent program said so.
    Reported,
    /// Reckoned from tokens and a price list.
    Estimated,
}

/// What changed in one repository since the task's base.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct DiffStat {
    /// Files that changed, at most a few thousand.
    pub files: Vec<FileStat>,
    /// Files beyond those listed.
    #[serde(skip_serializing_if = "crate::zero::is_zero")]
    pub more_files: u64,
    /// Lines added in all files.
    pub added: u64,
    /// Lines removed in all files.
    pub removed: u64,
    /// Commits that the branch has over its base.
    pub commits: u64,
    /// Files with changes that no commit holds.
    pub uncommitted: u64,
}

/// What changed in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct FileStat {
    /// Its path in the repository.
    pub path: String,
    /// Its path before it was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// Whether it has no lines to count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub binary: bool,
}
