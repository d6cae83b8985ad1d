//! What the agent said: agent's record → relay's log → journal, nothing lost and nothing twice.
//!
//! The agent writes a line down before it says it. So the relay's log must be a beginning of the record:
//! all of it while the agent lives and when it ended by itself; all but the line under way when it was
//! killed; all but what was still in the pipe when its relay was killed. And what the log holds, the
//! journal must hold, decoded here by a reading of our own.

use std::collections::BTreeSet;
use std::sync::Arc;

use paddock_relay_protocol::Ending;
use serde_json::Value;

use super::{Case, Violation};
use crate::account::{Account, Life, RunLog, What};
use crate::journal::{kind, said, text};

/// Most that can be on its way from an agent to the log when the relay is killed: a full pipe, and what
/// the relay has read of it, and the line under way.
const IN_FLIGHT: u64 = (64 << 10) * 3;

const LOST: &str = "what an agent said is in its run's log";
/// What follows from the figures of a line and of those before it, in runs before it too; whether it is told once
/// and in its place is not read here.
const FOLLOWS: &str = "context_measured";

const JOURNALLED: &str = "what the log has is in the journal, once and in order";

pub(super) fn check(case: &Case) -> Vec<Violation> {
    let mut found = logged(&case.account);
    let events = case.events();
    for run in &case.account.runs {
        found.extend(journalled(run, &events));
    }
    found
}

/// Whether the logs have what the agents said, run by run, life by life. A relay that was killed between the
/// birth of an agent and the first record of its run has no more than the end of that run.
fn logged(account: &Account) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut lives = account.lives.iter().peekable();
    let is_named = |life: &Life| account.runs.iter().any(|run| run.pid == Some(life.pid));
    for run in &account.runs {
        let was_cut_off = run.pid.is_none() && run.ending == Some(Ending::Lost);
        match lives.next_if(|life| match run.pid {
            Some(pid) => life.pid == pid,
            None => was_cut_off && !is_named(life),
        }) {
            Some(life) => found.extend(heard_whole(life, run)),
            None if run.outs().next().is_some() => {
                let how = format!("run {} has output that no agent said", run.run);
                found.push(Violation::of(LOST, how));
            }
            None => {}
        }
    }
    for life in lives {
        let how = format!(
            "an agent with pid {} said {} lines that no run has",
            life.pid,
            life.said().len()
        );
        found.push(Violation::of(LOST, how));
    }
    found
}

/// Whether the log of `run` has all that `life` said, as far as it can.
fn heard_whole(life: &Life, run: &RunLog) -> Option<Violation> {
    let said = life.said();
    let outs: Vec<&[u8]> = run.outs().collect();
    let differs = outs.iter().zip(&said).position(|(out, page)| !page.is(out));
    if let Some(n) = differs {
        let out = String::from_utf8_lossy(outs[n]);
        let how = format!(
            "line {} of run {} is {out:?}, said was {:?}",
            n + 1,
            run.run,
            said[n]
        );
        return Some(Violation::of(LOST, how));
    }
    if outs.len() > said.len() {
        let how = format!(
            "run {} has {} lines more than were said",
            run.run,
            outs.len() - said.len()
        );
        return Some(Violation::of(LOST, how));
    }
    let missing = &said[outs.len()..];
    let bytes: u64 = missing.iter().map(|page| page.len()).sum();
    let last = missing.last().map_or(0, |page| page.len());
    let fine = match run.ending {
        None | Some(Ending::Exited { .. } | Ending::NotStarted { .. }) => missing.is_empty(),
        Some(Ending::Signalled { .. }) => missing.len() <= 1,
        Some(Ending::Lost) => bytes - last <= IN_FLIGHT,
    };
    let how = || {
        format!(
            "of run {} ({:?}) the last {} of {} lines ({bytes} bytes) are missing, from {:?}",
            run.run,
            run.ending,
            missing.len(),
            said.len(),
            missing.first()
        )
    };
    (!fine).then(|| Violation::of(LOST, how()))
}

/// One event that a log stands for.
type Expected = (u64, u64, &'static str, String);

/// Whether the journal has what the log of `run` stands for.
fn journalled(run: &RunLog, events: &[Arc<Value>]) -> Option<Violation> {
    let expected = Reading::default().read(run);
    let of_run =
        |event: &&Arc<Value>| text(&event["source"], "run_id") == run.run && kind(event) != FOLLOWS;
    let there: Vec<(u64, u64, String, String)> = events
        .iter()
        .filter(of_run)
        .map(|event| found(event))
        .collect();
    let same = |(one, other): (&Expected, &(u64, u64, String, String))| {
        one.0 == other.0 && one.1 == other.1 && one.2 == other.2 && one.3 == other.3
    };
    let n = expected
        .iter()
        .zip(&there)
        .take_while(|pair| same((pair.0, pair.1)))
        .count();
    if n == expected.len() && n == there.len() {
        return None;
    }
    let how = format!(
        "run {}: the log stands for {} events, the journal has {}; number {} is to be {:?} and is {:?}",
        run.run,
        expected.len(),
        there.len(),
        n + 1,
        expected.get(n),
        there.get(n)
    );
    Some(Violation::of(JOURNALLED, how))
}

/// What a journal's event says of its origin, and of what tells it from others of its type.
fn found(event: &Value) -> (u64, u64, String, String) {
    let number = |field: &str| event["source"][field].as_u64().unwrap_or_default();
    let name = kind(event);
    let key = match name {
        "assistant_message" => said(event),
        "thinking" => text(event, "text").to_owned(),
        "tool_call_started" | "tool_call_finished" | "subagent_started" | "subagent_finished" => {
            text(event, "tool_call_id").to_owned()
        }
        "question_asked" | "question_answered" => text(event, "question_id").to_owned(),
        "approval_requested" | "approval_resolved" => text(event, "approval_id").to_owned(),
        "plan_proposed" | "plan_resolved" => text(event, "plan_id").to_owned(),
        "agent_session_named" => text(event, "session_id").to_owned(),
        "turn_finished" => text(event, "outcome").to_owned(),
        _ => String::new(),
    };
    (number("offset"), number("index"), name.to_owned(), key)
}

/// Our own reading of the protocol in `tests/agent/README.md`.
#[derive(Default)]
struct Reading {
    open: Vec<(String, &'static str)>,
    calls: Vec<String>,
    model: String,
    now: Vec<(&'static str, String)>,
}

impl Reading {
    fn read(mut self, run: &RunLog) -> Vec<Expected> {
        let mut expected = Vec::new();
        for line in &run.lines {
            match &line.what {
                What::Out(bytes) => self.hear(bytes),
                What::In { bytes, .. } => self.told(bytes),
                What::Undelivered(_) => self.give("error", ""),
                What::Else => {}
            }
            let given = std::mem::take(&mut self.now).into_iter().zip(0..);
            expected.extend(given.map(|((name, key), index)| (line.offset, index, name, key)));
        }
        expected
    }

    fn give(&mut self, name: &'static str, key: &str) {
        self.now.push((name, key.to_owned()));
    }

    /// An answer settles what was asked.
    fn told(&mut self, bytes: &[u8]) {
        let Ok(said) = serde_json::from_slice::<Value>(bytes) else {
            return;
        };
        for field in ["question", "approval", "plan"] {
            self.open.retain(|(id, _)| id != text(&said, field));
        }
    }

    fn hear(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let Ok(line) = serde_json::from_slice::<Value>(line) else {
            return self.give("error", "");
        };
        match kind(&line) {
            "session" => {
                self.give("agent_session_named", text(&line, "id"));
                self.select(text(&line, "model"));
            }
            "model" => self.select(text(&line, "model")),
            "turn_started" | "delta" | "usage" => {}
            "text" => self.give("assistant_message", text(&line, "text")),
            "thinking" => self.give("thinking", text(&line, "text")),
            "tool_started" => {
                self.calls.push(text(&line, "call").to_owned());
                self.give("tool_call_started", text(&line, "call"));
            }
            "tool_finished" => {
                self.calls.retain(|call| call != text(&line, "call"));
                self.give("tool_call_finished", text(&line, "call"));
            }
            "todo" => self.give("todo_updated", ""),
            "subagent_started" => self.give("subagent_started", text(&line, "subagent")),
            "subagent_finished" => self.give("subagent_finished", text(&line, "subagent")),
            "compacted" => self.give("context_condensed", ""),
            "cleared" => {
                self.give("context_condensed", "");
                self.give("agent_session_named", text(&line, "id"));
            }
            "rate_limited" => self.give("rate_limited", ""),
            "question" => self.ask(
                "question_asked",
                "question_answered",
                text(&line, "question"),
            ),
            "approval" => self.ask(
                "approval_requested",
                "approval_resolved",
                text(&line, "approval"),
            ),
            "plan" => self.ask("plan_proposed", "plan_resolved", text(&line, "plan")),
            "withdrawn" => self.withdraw(text(&line, "id")),
            "turn_finished" => {
                self.open.clear();
                for call in std::mem::take(&mut self.calls) {
                    self.give("tool_call_finished", &call);
                }
                self.give("usage_updated", "");
                self.give("turn_finished", text(&line, "outcome"));
            }
            _ => self.give("error", ""),
        }
    }

    fn select(&mut self, model: &str) {
        if self.model != model {
            model.clone_into(&mut self.model);
            self.give("model_selected", "");
        }
    }

    fn ask(&mut self, name: &'static str, settled_by: &'static str, id: &str) {
        self.open.push((id.to_owned(), settled_by));
        self.give(name, id);
    }

    fn withdraw(&mut self, id: &str) {
        if let Some(n) = self.open.iter().position(|(open, _)| open == id) {
            let (id, settled_by) = self.open.remove(n);
            self.give(settled_by, &id);
        }
    }
}

/// Of an agent whose protocol is not read here: every event has its line, and no run is unknown.
pub(super) fn check_sources(case: &Case) -> Vec<Violation> {
    let mut found = Vec::new();
    for run in &case.account.runs {
        let lines: BTreeSet<u64> = run.lines.iter().map(|line| line.offset).collect();
        for event in case.events() {
            let source = &event["source"];
            let offset = source["offset"].as_u64().unwrap_or_default();
            if text(source, "run_id") == run.run && !lines.contains(&offset) {
                let how = format!("{source} is no line of its log");
                found.push(Violation::of(JOURNALLED, how));
            }
        }
    }
    found
}

/// Every run that a box has a log of is known to the journal, and every run of the journal has its log.
pub(super) fn check_runs(case: &Case) -> Vec<Violation> {
    let began: BTreeSet<String> = crate::journal::runs(&case.events()).into_iter().collect();
    let logged: BTreeSet<String> = case
        .account
        .runs
        .iter()
        .map(|run| run.run.clone())
        .collect();
    let unknown = logged.difference(&began);
    let mut found: Vec<_> = unknown
        .map(|run| Violation::of(JOURNALLED, format!("the journal knows no run {run}")))
        .collect();
    let events = case.events();
    let sources = events.iter().map(|event| text(&event["source"], "run_id"));
    let named: BTreeSet<&str> = sources.filter(|run| !run.is_empty()).collect();
    let without = named.iter().filter(|run| !logged.contains(**run));
    found.extend(without.map(|run| Violation::of(JOURNALLED, format!("run {run} has no log"))));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::{Line, Page};

    fn life(said: &[&str]) -> Life {
        let pages = said.iter().map(|text| Page::Said((*text).to_owned()));
        Life {
            pid: 1,
            pages: pages.collect(),
        }
    }

    fn log(outs: &[&str], ending: Option<Ending>) -> RunLog {
        let line = |(n, text): (usize, &&str)| Line {
            offset: n as u64,
            what: What::Out(text.as_bytes().to_vec()),
        };
        RunLog {
            lines: outs.iter().enumerate().map(line).collect(),
            ending,
            ..RunLog::default()
        }
    }

    #[test]
    fn a_live_agent_is_heard_whole() {
        assert_eq!(
            heard_whole(&life(&["a", "b"]), &log(&["a", "b"], None)),
            None
        );
        assert!(heard_whole(&life(&["a", "b"]), &log(&["a"], None)).is_some());
        assert!(heard_whole(&life(&["a"]), &log(&["a", "b"], None)).is_some());
        assert!(heard_whole(&life(&["a", "b"]), &log(&["b", "a"], None)).is_some());
    }

    #[test]
    fn a_killed_agent_may_owe_the_line_under_way_and_no_other() {
        let killed = || Some(Ending::Signalled { signal: 9 });
        assert_eq!(
            heard_whole(&life(&["a", "b"]), &log(&["a"], killed())),
            None
        );
        assert!(heard_whole(&life(&["a", "b", "c"]), &log(&["a"], killed())).is_some());
    }

    #[test]
    fn only_a_relay_killed_at_the_birth_of_an_agent_may_not_know_it() {
        let mut cut_off = log(&[], Some(Ending::Lost));
        let mut next = log(&["b"], None);
        next.pid = Some(2);
        let mut second = life(&["b"]);
        second.pid = 2;
        let account = |first: &RunLog| Account {
            lives: vec![life(&["a"]), second.clone()],
            runs: vec![first.clone(), next.clone()],
            unreadable: Vec::new(),
        };
        assert_eq!(logged(&account(&cut_off)), []);
        // The first life stands in the way of the second one.
        cut_off.ending = Some(Ending::Exited { code: 0 });
        assert_eq!(logged(&account(&cut_off)).len(), 3);
    }

    #[test]
    fn a_line_twice_in_the_journal_or_not_at_all_is_seen() {
        let line = r#"{"type":"thinking","text":"x"}"#;
        let mut run = log(&[line], None);
        run.run = "r".to_owned();
        let event = Arc::new(serde_json::json!({
            "type": "thinking", "text": "x", "source": {"run_id": "r", "offset": 0, "index": 0}
        }));
        assert_eq!(journalled(&run, std::slice::from_ref(&event)), None);
        assert!(journalled(&run, &[]).is_some());
        assert!(journalled(&run, &[event.clone(), event]).is_some());
    }

    #[test]
    fn a_run_that_the_journal_does_not_know_and_one_without_a_log_are_seen() {
        let started = serde_json::json!({"type": "run_started", "run_id": "r"});
        let said = serde_json::json!({"type": "thinking", "source": {"run_id": "r"}});
        let mut case = super::super::sample::case(&[started, said]);
        assert_eq!(check_runs(&case).len(), 1);
        case.account.runs.push(log(&[], None));
        case.account.runs[0].run = "r".to_owned();
        assert_eq!(check_runs(&case), []);
        case.account.runs.push(log(&[], None));
        assert_eq!(check_runs(&case).len(), 1);
    }
}
