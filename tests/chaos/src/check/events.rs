//! The journal itself: no gap, nothing twice, nothing told otherwise than before.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Case, Violation};
use crate::journal::{kind, text};

pub(super) fn check(case: &Case) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut ids = BTreeSet::new();
    let mut sources = BTreeSet::new();
    let mut last: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (n, told) in case.history.iter().enumerate() {
        let event = &told.event;
        if event["seq"].as_u64() != u64::try_from(n + 1).ok() {
            let how = format!("event {} has seq {}", n + 1, event["seq"]);
            found.push(Violation::of("the journal has no gap", how));
        }
        if !ids.insert(text(event, "event_id").to_owned()) {
            let how = format!("{} comes twice", event["event_id"]);
            found.push(Violation::of("each event is there once", how));
        }
        let Some((run, place)) = source(event) else {
            continue;
        };
        if !sources.insert((run.clone(), place)) {
            let how = format!("{} comes twice", event["source"]);
            found.push(Violation::of("each output is there once", how));
        }
        if last.get(&run).is_some_and(|before| *before > place) {
            let how = format!("{} comes after what was said later", event["source"]);
            found.push(Violation::of("output keeps its order", how));
        }
        last.insert(run, place);
    }
    found.extend(told_otherwise(case));
    found.extend(file(case));
    found.extend(turns(case));
    found
}

fn source(event: &Value) -> Option<(String, (u64, u64))> {
    let source = event.get("source")?;
    let number = |field: &str| source[field].as_u64().unwrap_or_default();
    let place = (number("offset"), number("index"));
    Some((text(source, "run_id").to_owned(), place))
}

/// What was told while everything broke is what the journal has, byte for byte.
fn told_otherwise(case: &Case) -> Option<Violation> {
    let promise = "what was told once stays as it was told";
    let (told, history) = (&case.told, &case.history);
    if told.len() > history.len() {
        let how = format!(
            "{} events were told, {} are there",
            told.len(),
            history.len()
        );
        return Some(Violation::of(promise, how));
    }
    let mut pairs = told.iter().zip(history);
    let (told, there) = pairs.find(|(told, there)| told.json != there.json)?;
    let how = format!("told {}, there is {}", told.json, there.json);
    Some(Violation::of(promise, how))
}

/// The file on the disk holds the very lines that are served.
fn file(case: &Case) -> Option<Violation> {
    let promise = "the file is what is served";
    let file = match &case.file {
        Ok(file) => file,
        Err(why) => return Some(Violation::of(promise, why.clone())),
    };
    let lines: Vec<&str> = file.lines().collect();
    if lines.len() < case.history.len() {
        let how = format!("{} lines, {} events", lines.len(), case.history.len());
        return Some(Violation::of(promise, how));
    }
    let mut pairs = lines.iter().zip(&case.history);
    let (line, served) = pairs.find(|(line, served)| **line != served.json)?;
    let how = format!("line {line}, served {}", served.json);
    Some(Violation::of(promise, how))
}

/// Every prompt ends: a turn that began is finished once, and before the next.
fn turns(case: &Case) -> Vec<Violation> {
    let promise = "every turn ends once, before the next";
    let mut found = Vec::new();
    let mut finished = BTreeSet::new();
    let mut open: Option<&str> = None;
    for told in &case.history {
        let turn = text(&told.event, "turn_id");
        if turn.is_empty() {
            continue;
        }
        if finished.contains(turn) {
            let how = format!("{turn} has ended, and there is {}", told.json);
            found.push(Violation::of(promise, how));
            continue;
        }
        if let Some(before) = open.replace(turn).filter(|before| *before != turn) {
            let how = format!("{turn} begins before the end of {before}");
            found.push(Violation::of(promise, how));
        }
        if kind(&told.event) == "turn_finished" {
            finished.insert(turn);
            open = None;
        }
    }
    found.extend(open.map(|turn| Violation::of(promise, format!("{turn} never ends"))));
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sample::{broken, case};
    use super::*;

    fn event(seq: u64, more: Value) -> Value {
        let mut event = json!({"seq": seq, "event_id": format!("e{seq}"), "type": "notice"});
        if let (Some(event), Value::Object(more)) = (event.as_object_mut(), more) {
            event.extend(more);
        }
        event
    }

    fn said(seq: u64, offset: u64) -> Value {
        event(
            seq,
            json!({"source": {"run_id": "r", "offset": offset, "index": 0}}),
        )
    }

    fn turn(seq: u64, kind: &str, turn: &str) -> Value {
        event(seq, json!({"type": kind, "turn_id": turn}))
    }

    #[test]
    fn a_gap_and_a_double_are_seen() {
        assert!(check(&case(&[said(1, 0), said(2, 9)])).is_empty());
        assert_eq!(
            broken(&check(&case(&[said(1, 0), said(3, 9)]))),
            ["the journal has no gap"]
        );
        let again = event(2, json!({"event_id": "e1"}));
        assert_eq!(
            broken(&check(&case(&[event(1, json!({})), again]))),
            ["each event is there once"]
        );
    }

    #[test]
    fn output_that_comes_twice_or_out_of_order_is_seen() {
        assert_eq!(
            broken(&check(&case(&[said(1, 5), said(2, 5)]))),
            ["each output is there once"]
        );
        assert_eq!(
            broken(&check(&case(&[said(1, 9), said(2, 5)]))),
            ["output keeps its order"]
        );
    }

    #[test]
    fn a_turn_that_never_ends_or_goes_on_after_its_end_or_overlaps_is_seen() {
        let (begin, end) = ("user_message", "turn_finished");
        let fine = [
            turn(1, begin, "a"),
            turn(2, end, "a"),
            turn(3, begin, "b"),
            turn(4, end, "b"),
        ];
        assert!(turns(&case(&fine)).is_empty());
        assert_eq!(turns(&case(&fine[..3])).len(), 1);
        assert_eq!(
            turns(&case(&[turn(1, end, "a"), turn(2, end, "a")])).len(),
            1
        );
        let overlapping = [turn(1, begin, "a"), turn(2, begin, "b"), turn(3, end, "b")];
        assert_eq!(turns(&case(&overlapping)).len(), 1);
    }

    #[test]
    fn what_is_told_or_written_otherwise_is_seen() {
        let fine = case(&[said(1, 0), said(2, 9)]);
        assert_eq!((told_otherwise(&fine), file(&fine)), (None, None));
        let mut other = case(&[said(1, 0), said(2, 9)]);
        other.told[1].json.push(' ');
        assert!(told_otherwise(&other).is_some());
        let mut more = case(&[said(1, 0)]);
        more.told = case(&[said(1, 0), said(2, 9)]).told;
        assert!(told_otherwise(&more).is_some());
        let mut short = case(&[said(1, 0), said(2, 9)]);
        short.file = Ok(short.history[0].json.clone());
        assert!(file(&short).is_some());
        short.file = Err("gone".to_owned());
        assert!(file(&short).is_some());
    }
}
