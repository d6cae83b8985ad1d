//! What users wished of an agent's context and model: kept when it was acknowledged, and said, or told as failed.
//!
//! That none is said twice is held by [`super::inputs`], as of everything that is given to an agent.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::{Case, Violation};
use crate::account::What;
use crate::journal::{kind, text};

const KEPT: &str = "an acknowledged wish is in the journal, once";
const SAID: &str = "a wish reaches its agent, or is told as failed";

pub(super) fn check(case: &Case) -> Vec<Violation> {
    let mut found = kept(case);
    found.extend(said(case));
    found
}

fn kept(case: &Case) -> Vec<Violation> {
    let mut found = Vec::new();
    let events = case.events();
    let ours = case.ledger.wishes.iter();
    for wish in ours.clone().map(|wished| &wished.wish) {
        let made: Vec<_> = ours.clone().filter(|other| other.wish == *wish).collect();
        let acknowledged = made.iter().filter(|wished| wished.acknowledged).count();
        let there = events.iter().filter(|event| wish.is(event)).count();
        if !(acknowledged..=made.len()).contains(&there) {
            let how = format!(
                "{wish:?} was wished {} times, {acknowledged} of them acknowledged; it is there {there} times",
                made.len()
            );
            found.push(Violation::of(KEPT, how));
        }
    }
    found.dedup();
    found
}

/// A choice that its run ended before is what the next run begins with; of a context that is gone with its run the
/// user is told.
fn said(case: &Case) -> Vec<Violation> {
    let mut found = Vec::new();
    let events = case.events();
    let named = |name: &'static str, field: &'static str| -> Vec<String> {
        let of = events.iter().filter(|event| kind(event) == name);
        of.map(|event| text(event, field).to_owned()).collect()
    };
    let failed = named("wish_failed", "wish");
    let ended: BTreeSet<String> = named("run_ended", "run_id").into_iter().collect();
    let lines = case.account.runs.iter().flat_map(|run| &run.lines);
    let given: BTreeSet<&str> = lines
        .filter_map(|line| match &line.what {
            What::In { id, .. } => Some(id.as_str()),
            What::Out(_) | What::Undelivered(_) | What::Else => None,
        })
        .collect();
    for event in events.iter().filter(|event| is_wish(event)) {
        let id = text(event, "event_id");
        let times = failed.iter().filter(|failed| *failed == id).count();
        let is_chosen_anyway =
            kind(event) == "agent_tuned" && ended.contains(text(event, "run_id"));
        let is_known = given.contains(id) || times == 1 || is_chosen_anyway;
        if times > 1 || !is_known {
            let how = format!(
                "{} {id} was {} and told as failed {times} times",
                kind(event),
                match given.contains(id) {
                    true => "given to an agent",
                    false => "given to no agent",
                }
            );
            found.push(Violation::of(SAID, how));
        }
    }
    found
}

/// Whether it is a wish for a run.
fn is_wish(event: &Arc<Value>) -> bool {
    let wishes = ["condensing_wished", "agent_tuned"];
    wishes.contains(&kind(event)) && !text(event, "run_id").is_empty()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sample::{broken, case};
    use super::*;
    use crate::account::{Line, RunLog};
    use crate::plan::Wish;
    use crate::user::Wished;

    fn wished(seq: u64, what: &str) -> Value {
        json!({"type": "condensing_wished", "seq": seq, "event_id": format!("e{seq}"), "run_id": "r", "what": what})
    }

    fn tuned(seq: u64, model: &str) -> Value {
        json!({"type": "agent_tuned", "seq": seq, "event_id": format!("e{seq}"), "run_id": "r", "model": model})
    }

    fn failed(seq: u64, wish: &str) -> Value {
        json!({"type": "wish_failed", "seq": seq, "wish": wish})
    }

    fn of(events: &[Value], given: &[&str]) -> Case {
        let mut case = case(events);
        let line = |id: &&str| Line {
            offset: 0,
            what: What::In {
                id: (*id).to_owned(),
                bytes: Vec::new(),
            },
        };
        case.account.runs.push(RunLog {
            lines: given.iter().map(line).collect(),
            ..RunLog::default()
        });
        case
    }

    fn with(mut case: Case, wish: Wish, acknowledged: bool) -> Case {
        case.ledger.wishes.push(Wished { wish, acknowledged });
        case
    }

    #[test]
    fn a_wish_that_was_kept_and_said_is_fine() {
        let case = of(&[wished(1, "clear"), tuned(2, "m")], &["e1", "e2"]);
        let case = with(case, Wish::Clear, true);
        assert_eq!(check(&with(case, Wish::Model("m".to_owned()), false)), []);
    }

    #[test]
    fn an_acknowledged_wish_that_is_not_there_and_one_that_nobody_made_twice_are_seen() {
        let lost = with(of(&[], &[]), Wish::Compact, true);
        assert_eq!(broken(&check(&lost)), [KEPT]);
        let unknown = with(of(&[], &[]), Wish::Compact, false);
        assert_eq!(check(&unknown), []);
        let twice = of(&[wished(1, "clear"), wished(2, "clear")], &["e1", "e2"]);
        assert_eq!(broken(&check(&with(twice, Wish::Clear, true))), [KEPT]);
    }

    #[test]
    fn a_wish_that_no_agent_got_and_nobody_was_told_of_is_seen() {
        assert_eq!(broken(&check(&of(&[wished(1, "clear")], &[]))), [SAID]);
        let told = [wished(1, "clear"), failed(2, "e1")];
        assert_eq!(check(&of(&told, &[])), []);
        let twice = [wished(1, "clear"), failed(2, "e1"), failed(3, "e1")];
        assert_eq!(broken(&check(&of(&twice, &[]))), [SAID]);
    }

    #[test]
    fn a_choice_may_come_with_the_next_run() {
        let ended = json!({"type": "run_ended", "seq": 2, "run_id": "r"});
        assert_eq!(broken(&check(&of(&[tuned(1, "m")], &[]))), [SAID]);
        assert_eq!(check(&of(&[tuned(1, "m"), ended.clone()], &[])), []);
        let condensing = [wished(1, "compact"), ended];
        assert_eq!(broken(&check(&of(&condensing, &[]))), [SAID]);
    }
}
