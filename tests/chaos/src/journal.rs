//! What a journal's events say, read as plain JSON: nothing of the product's own reading is trusted.

use std::sync::Arc;

use serde_json::Value;

/// A text field.
pub(crate) fn text<'a>(event: &'a Value, field: &str) -> &'a str {
    event[field].as_str().unwrap_or_default()
}

/// An event's type.
pub(crate) fn kind(event: &Value) -> &str {
    text(event, "type")
}

/// The state that the last change led to.
pub(crate) fn state(events: &[Arc<Value>]) -> &str {
    let change = events
        .iter()
        .rev()
        .find(|event| kind(event) == "state_changed");
    change.map_or("pending", |change| text(change, "to"))
}

/// Whether a task in `state` goes nowhere by itself.
pub(crate) fn is_rest(state: &str) -> bool {
    matches!(
        state,
        "waiting" | "stopped" | "crashed" | "failed" | "purged"
    )
}

/// Whether the last run that began has not ended.
pub(crate) fn has_open_run(events: &[Arc<Value>]) -> bool {
    let mut last = events.iter().rev().map(|event| kind(event));
    last.find(|kind| matches!(*kind, "run_started" | "run_ended")) == Some("run_started")
}

/// What an agent asks for, and the event that settles it.
const REQUESTS: &[(&str, &str, &str)] = &[
    ("question_asked", "question_answered", "question_id"),
    ("approval_requested", "approval_resolved", "approval_id"),
    ("plan_proposed", "plan_resolved", "plan_id"),
];

/// Something that the agent waits for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Request {
    /// The type of the event that asked.
    pub(crate) asked_by: &'static str,
    /// Its id.
    pub(crate) id: String,
    /// The event that asked: an id comes again when a run is lost with its session.
    pub(crate) seq: u64,
}

/// Requests without an answer: a run's or turn's end closes those that it left.
pub(crate) fn open_requests(events: &[Arc<Value>]) -> Vec<Request> {
    let mut open: Vec<Request> = Vec::new();
    for event in events {
        let kind = kind(event);
        if matches!(kind, "run_ended" | "run_started" | "turn_finished") {
            open.clear();
        }
        for (asked_by, settled_by, field) in REQUESTS {
            if kind == *asked_by {
                open.push(Request {
                    asked_by,
                    id: text(event, field).to_owned(),
                    seq: event["seq"].as_u64().unwrap_or_default(),
                });
            } else if kind == *settled_by {
                open.retain(|request| request.id != text(event, field));
            }
        }
    }
    open
}

/// Whether an event settles a request, and by whom: its id, and whether a user did.
pub(crate) fn settled(event: &Value) -> Option<(&str, bool)> {
    let (_, _, field) = REQUESTS.iter().find(|(_, by, _)| *by == kind(event))?;
    let word = if kind(event) == "question_answered" {
        "answer"
    } else {
        "decision"
    };
    Some((text(event, field), !event[word].is_null()))
}

/// The text of an agent's message.
pub(crate) fn said(event: &Value) -> String {
    let blocks = event["blocks"].as_array().into_iter().flatten();
    blocks.map(|block| text(block, "content")).collect()
}

/// Ids of runs, in the order in which they began.
pub(crate) fn runs(events: &[Arc<Value>]) -> Vec<String> {
    let started = events.iter().filter(|event| kind(event) == "run_started");
    started
        .map(|event| text(event, "run_id").to_owned())
        .collect()
}
