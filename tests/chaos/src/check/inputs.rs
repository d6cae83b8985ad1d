//! What users said and answered: kept when it was acknowledged, delivered once, answered once.

use std::collections::{BTreeMap, BTreeSet};

use paddock_relay_protocol::Ending;

use super::{Case, Violation};
use crate::journal::{kind, settled, text};

const KEPT: &str = "an acknowledged message is in the journal, once";
const DELIVERED: &str = "a message is delivered once";
const ANSWERED: &str = "a question is answered once";

pub(super) fn check(case: &Case) -> Vec<Violation> {
    let mut found = kept(case);
    found.extend(delivered(case));
    found.extend(answered(case));
    found
}

/// Ids of the user's messages in the journal, with their texts.
fn messages(case: &Case) -> Vec<(String, String)> {
    let events = case.events();
    let messages = events.iter().filter(|event| kind(event) == "user_message");
    let message = |event: &std::sync::Arc<serde_json::Value>| {
        let (id, content) = (text(event, "input_id"), text(event, "content"));
        (id.to_owned(), content.to_owned())
    };
    messages.map(message).collect()
}

fn kept(case: &Case) -> Vec<Violation> {
    let mut found = Vec::new();
    let messages = messages(case);
    for said in &case.ledger.said {
        let there: Vec<_> = messages.iter().filter(|(id, _)| *id == said.id).collect();
        let enough = !said.acknowledged || !there.is_empty();
        let right = there.iter().all(|(_, text)| *text == said.text);
        if there.len() > 1 || !enough || !right {
            let how = format!(
                "{} ({}) is there {} times",
                said.id,
                if said.acknowledged {
                    "acknowledged"
                } else {
                    "not acknowledged"
                },
                there.len()
            );
            found.push(Violation::of(KEPT, how));
        }
    }
    for (id, content) in messages.iter().skip(1) {
        if !case.ledger.said.iter().any(|said| said.id == *id) {
            found.push(Violation::of(
                KEPT,
                format!("nobody said {id}: {content:?}"),
            ));
        }
    }
    if messages
        .first()
        .is_none_or(|(_, prompt)| *prompt != case.prompt)
    {
        found.push(Violation::of(KEPT, "the prompt is not the first message"));
    }
    found
}

/// How often each id was given to an agent, and how often an agent heard it.
fn delivered(case: &Case) -> Vec<Violation> {
    let mut found = Vec::new();
    let account = &case.account;
    let mut given: BTreeMap<&str, Vec<bool>> = BTreeMap::new();
    let deaf = runs_without_their_session(case);
    for run in account.runs.iter().filter(|run| !deaf.contains(&run.run)) {
        // An agent that was killed, or that quit in the middle, may not have read what it was given.
        let reads_all = matches!(run.ending, None | Some(Ending::Exited { code: 0 }));
        for id in run.delivered() {
            given.entry(id).or_default().push(reads_all);
        }
    }
    let mut heard: BTreeMap<&str, usize> = BTreeMap::new();
    for id in account.lives.iter().flat_map(|life| life.heard()) {
        *heard.entry(id).or_default() += 1;
    }
    for (id, times) in &heard {
        if *times > 1 {
            found.push(Violation::of(
                DELIVERED,
                format!("an agent heard {id} {times} times"),
            ));
        }
    }
    for (id, runs) in &given {
        if runs.len() > 1 {
            let how = format!("{id} was given to an agent {} times", runs.len());
            found.push(Violation::of(DELIVERED, how));
        }
        if *id != "relay:interrupt" && runs.contains(&true) && !heard.contains_key(id) {
            let how = format!("{id} was given to an agent that never heard it");
            found.push(Violation::of(DELIVERED, how));
        }
    }
    for (id, content) in messages(case) {
        if !given.contains_key(id.as_str()) {
            let how = format!("{id} was given to no agent: {content:?}");
            found.push(Violation::of(DELIVERED, how));
        }
    }
    found
}

/// Runs that ended because their agent did not know its session any more: it took nothing in, and the next
/// run is told all of it. That it heard nothing is held by what agents say that they heard.
fn runs_without_their_session(case: &Case) -> BTreeSet<String> {
    let events = case.events();
    let lost = events
        .iter()
        .filter(|event| kind(event) == "error" && text(event, "class") == "session_lost");
    lost.map(|event| text(event, "run_id").to_owned()).collect()
}

fn answered(case: &Case) -> Vec<Violation> {
    let mut found = Vec::new();
    let events = case.events();
    for request in case.ledger.answers.iter().map(|answer| &answer.request) {
        // The same id is asked again where an agent lost its session with its run.
        let later = events
            .iter()
            .filter(|event| event["seq"].as_u64() > Some(request.seq));
        let until_asked_again = later
            .take_while(|event| kind(event) != request.asked_by || !is_named(event, &request.id));
        let settling: Vec<_> = until_asked_again
            .filter_map(|event| settled(event))
            .filter(|(id, _)| *id == request.id)
            .collect();
        let same = |answer: &&crate::user::Answer| answer.request == *request;
        let acknowledged = case
            .ledger
            .answers
            .iter()
            .filter(same)
            .filter(|answer| answer.acknowledged);
        let acknowledged = acknowledged.count();
        let by_users = settling.iter().filter(|(_, by_user)| *by_user).count();
        if settling.len() > 1 || acknowledged > 1 || acknowledged > by_users {
            let how = format!(
                "{} {} was settled {} times, {by_users} of them by us; acknowledged {acknowledged} times",
                request.asked_by,
                request.id,
                settling.len()
            );
            found.push(Violation::of(ANSWERED, how));
        }
    }
    found.dedup();
    found
}

fn is_named(event: &serde_json::Value, id: &str) -> bool {
    ["question_id", "approval_id", "plan_id"]
        .iter()
        .any(|field| text(event, field) == id)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::sample::{broken, case};
    use super::*;
    use crate::account::{Life, Line, Page, RunLog, What};
    use crate::journal::Request;
    use crate::user::{Answer, Said};

    fn message(seq: u64, id: &str) -> Value {
        json!({"type": "user_message", "seq": seq, "input_id": id, "content": id})
    }

    fn said(id: &str, acknowledged: bool) -> Said {
        Said {
            id: id.to_owned(),
            text: id.to_owned(),
            acknowledged,
        }
    }

    fn given(ids: &[&str], ending: Option<Ending>) -> RunLog {
        let line = |id: &&str| Line {
            offset: 0,
            what: What::In {
                id: (*id).to_owned(),
                bytes: Vec::new(),
            },
        };
        RunLog {
            lines: ids.iter().map(line).collect(),
            ending,
            ..RunLog::default()
        }
    }

    fn heard(ids: &[&str]) -> Life {
        Life {
            pid: 1,
            pages: ids.iter().map(|id| Page::Heard((*id).to_owned())).collect(),
        }
    }

    /// A task that was told a prompt and one message.
    fn told() -> Case {
        let mut case = case(&[message(1, "prompt"), message(2, "m")]);
        case.prompt = "prompt".to_owned();
        case.ledger.said.push(said("m", true));
        case.account.runs.push(given(&["prompt", "m"], None));
        case.account.lives.push(heard(&["prompt", "m"]));
        case
    }

    #[test]
    fn what_was_said_once_and_heard_once_is_fine() {
        assert_eq!(check(&told()), []);
    }

    #[test]
    fn an_acknowledged_message_that_is_not_there_is_seen_and_another_may_be_missing() {
        let mut case = told();
        case.ledger.said.push(said("lost", false));
        assert_eq!(check(&case), []);
        case.ledger.said.push(said("gone", true));
        assert_eq!(broken(&check(&case)), [KEPT]);
    }

    #[test]
    fn a_message_that_nobody_said_and_another_first_message_are_seen() {
        let mut case = told();
        case.ledger.said.clear();
        assert_eq!(broken(&check(&case)), [KEPT]);
        let mut case = told();
        case.prompt = "other".to_owned();
        assert_eq!(broken(&check(&case)), [KEPT]);
    }

    #[test]
    fn a_message_given_twice_or_never_or_heard_twice_is_seen() {
        let mut twice = told();
        twice.account.runs.push(given(&["m"], None));
        assert_eq!(broken(&check(&twice)), [DELIVERED]);
        let mut again = told();
        again.account.lives.push(heard(&["m"]));
        assert_eq!(broken(&check(&again)), [DELIVERED]);
        let mut never = told();
        never.account.runs = vec![given(&["prompt"], None)];
        assert_eq!(broken(&check(&never)), [DELIVERED]);
    }

    #[test]
    fn a_run_without_its_session_may_be_given_what_the_next_one_hears() {
        let mut case = told();
        let mut lost = given(&["prompt", "m"], Some(Ending::Exited { code: 1 }));
        lost.run = "lost".to_owned();
        case.account.runs.insert(0, lost);
        assert_eq!(broken(&check(&case)), [DELIVERED, DELIVERED]);
        let error = json!({"type": "error", "seq": 3, "class": "session_lost", "run_id": "lost"});
        case.history
            .extend(super::super::sample::case(&[error]).history);
        assert_eq!(check(&case), []);
    }

    #[test]
    fn only_an_agent_that_was_killed_may_not_have_heard_what_it_was_given() {
        let mut case = told();
        case.account.lives = vec![heard(&["prompt"])];
        assert_eq!(broken(&check(&case)), [DELIVERED]);
        case.account.runs = vec![given(
            &["prompt", "m"],
            Some(Ending::Signalled { signal: 9 }),
        )];
        assert_eq!(check(&case), []);
    }

    #[test]
    fn a_question_settled_twice_or_an_accepted_answer_that_does_not_count_is_seen() {
        let asked = json!({"type": "question_asked", "seq": 3, "question_id": "q"});
        let settled = |by: Value| json!({"type": "question_answered", "seq": 4, "question_id": "q", "answer": by});
        let case_of = |settling: &[Value]| {
            let mut all = vec![asked.clone()];
            all.extend_from_slice(settling);
            let mut case = case(&all);
            case.ledger.answers.push(Answer {
                request: Request {
                    asked_by: "question_asked",
                    id: "q".to_owned(),
                    seq: 3,
                },
                acknowledged: true,
            });
            case
        };
        assert_eq!(answered(&case_of(&[settled(json!("yes"))])), []);
        assert_eq!(answered(&case_of(&[settled(Value::Null)])).len(), 1);
        assert_eq!(answered(&case_of(&[])).len(), 1);
        let twice = [settled(json!("yes")), settled(json!("no"))];
        assert_eq!(answered(&case_of(&twice)).len(), 1);
    }
}
