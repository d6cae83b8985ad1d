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
