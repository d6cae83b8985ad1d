//! The proof: every invariant, held against accounts that do not come from the server.
//!
//! Each module holds one kind of promise and gives what breaks it. Start at [`task`].

mod events;
mod git;
mod inputs;
mod left_over;
mod said;
mod states;
mod wishes;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::account::Account;
use crate::journal;
use crate::observer::Told;
use crate::user::{Ledger, User};

pub(crate) use git::{Checkout, Held};
pub(crate) use left_over::{Baseline, after_purge, open_files};
pub(crate) use states::processes_of_rest;

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Which.
    pub(crate) promise: &'static str,
    /// How.
    pub(crate) how: String,
}

impl Violation {
    pub(crate) fn of(promise: &'static str, how: impl Into<String>) -> Self {
        Self {
            promise,
            how: how.into(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.promise, self.how)
    }
}

/// All that is known of one task that has come to its end.
#[derive(Debug)]
pub(crate) struct Case {
    /// What was told while the round went on.
    pub(crate) told: Vec<Told>,
    /// What the server tells now, from the first event on.
    pub(crate) history: Vec<Told>,
    /// The journal's file; none, and why, when it cannot be read.
    pub(crate) file: Result<String, String>,
    pub(crate) account: Account,
    pub(crate) ledger: Ledger,
    pub(crate) prompt: String,
    /// Whether the agent speaks the protocol of the `scripted` one.
    pub(crate) scripted: bool,
}

impl Case {
    /// Gathers it. `history` was read anew.
    pub(crate) fn gather(user: &User, history: Vec<Told>, data: &Path) -> Self {
        let id = user.task().as_str();
        let file = data.join("tasks").join(id).join("journal.jsonl");
        let events: Vec<_> = history.iter().map(|told| told.event.clone()).collect();
        let runs = journal::runs(&events);
        Self {
            told: user.observer().told(),
            history,
            file: std::fs::read_to_string(file).map_err(|error| error.to_string()),
            account: Account::read(&data.join("boxes").join(id), &runs),
            ledger: user.ledger(),
            prompt: user.story().prompt.clone(),
            scripted: user.story().harness == "scripted",
        }
    }

    /// The events of its history.
    pub(crate) fn events(&self) -> Vec<Arc<Value>> {
        self.history.iter().map(|told| told.event.clone()).collect()
    }
}

/// Holds everything that can be told from the accounts of one task.
pub(crate) fn task(case: &Case, state: &str) -> Vec<Violation> {
    let mut found = events::check(case);
    let unreadable = case.account.unreadable.iter();
    found.extend(unreadable.map(|what| Violation::of("accounts can be read", what)));
    let failures = case.ledger.failures.iter();
    found.extend(
        failures.map(|what| Violation::of("what is asked for is not answered by a fault", what)),
    );
    if state == "failed" {
        // Its box is gone, and with it every account but the journal.
        return found;
    }
    if case.scripted {
        found.extend(said::check(case));
        found.extend(inputs::check(case));
        found.extend(wishes::check(case));
    } else {
        found.extend(said::check_sources(case));
    }
    found.extend(said::check_runs(case));
    found
}

/// Cases made by hand, for the tests of the checks.
#[cfg(test)]
mod sample {
    use super::*;

    /// A case whose history is `events`: told so, and on the disk so.
    pub(super) fn case(events: &[Value]) -> Case {
        let told = |event: &Value| Told {
            json: event.to_string(),
            event: Arc::new(event.clone()),
        };
        let history: Vec<Told> = events.iter().map(told).collect();
        let lines: String = history
            .iter()
            .map(|told| told.json.clone() + "\n")
            .collect();
        Case {
            told: history.clone(),
            history,
            file: Ok(lines),
            account: Account::default(),
            ledger: Ledger::default(),
            prompt: String::new(),
            scripted: true,
        }
    }

    /// The promises that were broken.
    pub(super) fn broken(found: &[Violation]) -> Vec<&'static str> {
        found.iter().map(|violation| violation.promise).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_told_of_a_failed_task_too() {
        let mut case = sample::case(&[]);
        assert!(task(&case, "failed").is_empty());
        case.ledger.failures.push("500".to_owned());
        case.account.unreadable.push("a line".to_owned());
        assert_eq!(task(&case, "failed").len(), 2);
    }
}
