//! What is said again when a run is joined again, and what is told of wishes that cannot be.

use paddock_domain::Condensing;
use paddock_harness::{CodecSetup, Tallied};
use paddock_relay_client::LogEntry;
use paddock_relay_client::protocol::{self, LineKind, encode};
use serde_json::{Value, json};

use super::super::run::LiveRun;
use super::*;

/// One event of the journal, in the run `r1`.
fn event(seq: u64, body: &Value) -> Event {
    let mut event = json!({
        "event_id": format!("01j00000000000000000000{seq:03}"), "ts": "2026-11-22T12:00:00.000Z", "seq": seq,
        "task_id": "t1", "run_id": "r1",
    });
    let (all, body) = (event.as_object_mut().unwrap(), body.as_object().unwrap());
    all.extend(body.clone());
    serde_json::from_value(event).unwrap()
}

fn wished(seq: u64, what: &str) -> Event {
    event(seq, &json!({"type": "condensing_wished", "what": what}))
}

fn said(events: impl IntoIterator<Item = Event>) -> Said {
    let run = RunId::parse("r1").unwrap();
    let mut said = Said::default();
    for event in events {
        said.take(event, &run);
    }
    said
}

/// A run of the scripted agent that has heard these lines of its log.
fn joined(lines: &[&str]) -> LiveRun {
    let harness = paddock_harness::find("scripted").unwrap();
    let codec = Tallied::new(harness, CodecSetup::default(), Default::default());
    let run_id = RunId::parse("r1").unwrap();
    let mut run = LiveRun::over(run_id, "/work".to_owned(), codec, None);
    let mut end = 0;
    let entries = lines.iter().map(|line| {
        let mut record = Vec::new();
        match line.strip_prefix("in:") {
            Some(id) => {
                let id = protocol::InputId::parse(id).unwrap();
                encode::input(&mut record, 1, &id, "test", b"{}");
            }
            None => encode::line(&mut record, LineKind::Out, 1, line.as_bytes()),
        }
        let offset = end;
        end += record.len() as u64;
        LogEntry {
            offset,
            end,
            line: record.into(),
        }
    });
    let entries: Vec<_> = entries.collect();
    run.take_all(&entries);
    run
}

const SESSION: &str = r#"{"type":"session","id":"s1","model":"m"}"#;
const TURN: &str = r#"{"type":"turn_started","turn":1,"prompt":"p"}"#;

/// The types of what stands in line for the agent, with their ids.
fn in_line(run: &LiveRun) -> Vec<(String, String)> {
    let told = run.in_line().map(|message| {
        let line: Value = serde_json::from_slice(&message.bytes).unwrap();
        let kind = line["type"].as_str().unwrap().to_owned();
        (kind, message.id.to_string())
    });
    told.collect()
}

#[test]
fn a_wish_that_the_log_does_not_show_is_said_again_under_its_id() {
    let said = said([wished(7, "compact"), wished(8, "clear")]);
    let mut run = joined(&[SESSION]);
    assert_eq!(run.caught_up(&said.words), []);
    let ids = said.words.iter().map(|word| word.id.to_string());
    let expected: Vec<_> = ["compact", "clear"]
        .map(str::to_owned)
        .into_iter()
        .zip(ids)
        .collect();
    assert_eq!(in_line(&run), expected);
    assert!(run.may_owe());
}

#[test]
fn however_much_was_acknowledged_all_of_it_is_said() {
    const MANY: u64 = 400;
    let message = |n: u64| {
        event(
            n,
            &json!({"type": "user_message", "input_id": format!("i{n}"), "content": "x"}),
        )
    };
    let mut run = joined(&[SESSION]);
    assert_eq!(run.caught_up(&said((0..MANY).map(message)).words), []);
    let told = in_line(&run);
    assert_eq!(told.len(), usize::try_from(MANY).unwrap());
    assert_eq!(told.last().unwrap().1, format!("i{}", MANY - 1));
    assert!(run.is_crowded(), "more is taken");
}

#[test]
fn a_wish_that_was_delivered_is_not_said_again() {
    let said = said([wished(7, "clear")]);
    let heard = format!("in:{}", said.words[0].id);
    let mut run = joined(&[SESSION, &heard]);
    assert_eq!(run.caught_up(&said.words), []);
    assert_eq!(in_line(&run), []);
    assert!(!run.may_owe());
}

#[test]
fn a_wish_that_finds_the_agent_busy_fails_and_is_told_once() {
    let wish = wished(7, "clear");
    let told = said([wish.clone()]);
    let mut run = joined(&[SESSION, TURN]);
    let failed = run.caught_up(&told.words);
    let [(id, why)] = &failed[..] else {
        panic!("{failed:?}");
    };
    assert!(why.contains("empty its context"), "{why}");
    assert_eq!(in_line(&run), []);

    let failed = event(8, &json!({"type": "wish_failed", "wish": id, "why": why}));
    assert!(said([wish, failed]).words.is_empty());
}

#[test]
fn a_choice_that_the_agent_cannot_be_told_any_more_fails() {
    let tuned = event(7, &json!({"type": "agent_tuned", "effort": "high"}));
    let failed = joined(&[SESSION]).caught_up(&said([tuned]).words);
    assert!(failed[0].1.contains("from its next run on"), "{failed:?}");
}

#[test]
fn a_wish_is_for_the_run_that_it_was_made_in() {
    let mut wish = wished(7, "clear");
    wish.run_id = RunId::parse("r0").ok();
    assert!(said([wish]).words.is_empty());
    let Body::CondensingWished { what, about } = wished(7, "clear").body else {
        panic!("another event");
    };
    assert_eq!((what, about), (Condensing::Clear, None));
}
