//! Search in the history of all tasks.

use paddock_domain::{HarnessName, SearchKind, StateName, TaskId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Cursor;

/// Asks for what was said and done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SearchRequest {
    /// Words match what begins with them, `"words in quotes"` stand together, `-word` must not be there;
    /// `task:ID` `repo:PATH` `harness:NAME` `kind:KIND` `after:DAY` `before:DAY` narrow it down. At most
    /// 500 characters and 32 words.
    pub q: String,
    /// Where the page begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub cursor: Option<Cursor>,
    /// Most hits of the page; 50 when absent, at most 200.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// What a search found, best first; of equal ones the newest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchPage {
    /// The hits.
    pub items: Vec<SearchHit>,
    /// Where the next page begins; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
    /// How many were found and ranked, at most 5,000: the newest of those that match.
    pub ranked: u64,
    /// Whether older ones match that were not ranked.
    pub more: bool,
    /// Journals that are still being read for the first time: what they say is not found yet.
    pub unread: u64,
}

/// An event that matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchHit {
    /// Its task.
    pub task_id: TaskId,
    /// The task's title.
    pub title: String,
    /// The task's harness.
    pub harness: HarnessName,
    /// The task's state; absent for one that is in no list any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<StateName>,
    /// The event's number in the task's journal.
    pub seq: u64,
    /// When it happened.
    pub happened_at: Timestamp,
    /// What kind of words it has.
    pub kind: SearchKind,
    /// The words around what matches.
    pub snippet: String,
    /// What matches in it: from and to, counted in characters (code points), ascending.
    pub marks: Vec<SearchMark>,
}

/// A stretch of a snippet that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchMark {
    /// Its first character.
    pub from: u32,
    /// The character after its last.
    pub to: u32,
}
