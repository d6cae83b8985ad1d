//! A disk that fails loses nothing that was acknowledged, and what is said again stands there once.

use std::collections::VecDeque;
use std::path::Path;

use paddock_domain::{
    Body, Event, EventId, InputId, NoticeLevel, RunId, Source, TaskId, TaskSpec, Timestamp,
};
use proptest::prelude::*;

use super::*;
use crate::disk::faults::Fault;
use crate::extent::Extent;
use crate::shelf::Shelf;

fn id() -> TaskId {
    TaskId::parse("t1").unwrap()
}

fn event(seq: u64, body: Body) -> Event {
    Event {
        event_id: EventId::new(1, u128::from(seq)),
        ts: Timestamp::from_unix_ms(1),
        seq,
        task_id: id(),
        run_id: None,
        turn_id: None,
        source: Some(Source {
            run_id: RunId::parse("r1").unwrap(),
            offset: seq,
            index: 0,
        }),
        body,
    }
}

fn first() -> Event {
    let json = serde_json::json!({ "prompt": "p", "harness": "scripted", "repositories": [] });
    let spec: TaskSpec = serde_json::from_value(json).unwrap();
    event(
        1,
        Body::SessionStarted {
            task_description: spec.title(),
            project_path: None,
            coding_provider: spec.harness.clone(),
            spec: Box::new(spec),
        },
    )
}

fn durable(text: &str) -> Body {
    Body::UserMessage {
        input_id: InputId::parse("i1").unwrap(),
        content: text.to_owned(),
        during_turn: false,
        attachments: Vec::new(),
    }
}

fn passing(text: &str) -> Body {
    Body::Notice {
        level: NoticeLevel::Info,
        phase: None,
        text: text.to_owned(),
    }
}

/// A journal with its first event.
fn ledger(data: &Path) -> Ledger {
    let layout = Layout::new(data);
    crate::open::make_folders(data, &layout).unwrap();
    let shelf = Arc::new(Shelf::new(id(), Extent::default(), false));
    let (_, ledger) = Ledger::create(&layout, shelf.claim().unwrap(), first()).unwrap();
    ledger
}

impl Ledger {
    fn fail(&mut self, writes: &[Fault], syncs: &[Fault], cuts: &[Fault]) {
        let Form::Plain(disk) = &mut self.form else {
            panic!("it is compressed");
        };
        disk.faults.writes = VecDeque::from(writes.to_vec());
        disk.faults.syncs = VecDeque::from(syncs.to_vec());
        disk.faults.cuts = VecDeque::from(cuts.to_vec());
    }
}

/// The texts of the events in the journal's file, in order, after it was opened again.
fn texts(data: &Path) -> Vec<String> {
    let folded = crate::recover::recover(&Layout::new(data), &id(), None)
        .unwrap()
        .folded;
    assert!(folded.extent.damage.is_none(), "{:?}", folded.extent.damage);
    let text = std::fs::read_to_string(Layout::new(data).journal(&id())).unwrap();
    let events = text
        .lines()
        .map(|line| serde_json::from_str::<Event>(line).unwrap());
    events
        .filter_map(|event| {
            if let Body::Notice { text, .. } = event.body {
                Some(text)
            } else if let Body::UserMessage { content, .. } = event.body {
                Some(content)
            } else {
                None
            }
        })
        .collect()
}

#[test]
fn a_write_that_is_cut_short_is_taken_back_and_works_once_there_is_room() {
    let data = tempfile::tempdir().unwrap();
    let mut ledger = ledger(data.path());
    ledger.fail(&[Fault::Full(17)], &[], &[Fault::Broken(0)]);
    let full = ledger.write(vec![event(2, durable("a"))]).unwrap_err();
    assert!(full.is_full(), "{full}");
    ledger.write(vec![event(2, durable("a"))]).unwrap();
    assert_eq!(texts(data.path()), ["a"]);
}

#[test]
fn what_could_not_be_made_durable_is_written_again_before_anything_else() {
    let data = tempfile::tempdir().unwrap();
    let mut ledger = ledger(data.path());
    ledger.write(vec![event(2, passing("streamed"))]).unwrap();
    ledger.fail(&[], &[Fault::Broken(0), Fault::Broken(0)], &[]);
    let refused = ledger.write(vec![event(3, durable("a"))]).unwrap_err();
    assert!(matches!(refused, StoreError::Io { .. }), "{refused}");
    assert_eq!(ledger.standing, Standing::InDoubt);
    ledger.fail(&[], &[Fault::Broken(0)], &[]);
    let doubt = ledger.write(vec![event(3, durable("a"))]).unwrap_err();
    assert!(matches!(doubt, StoreError::InDoubt { .. }), "{doubt}");
    ledger.fail(&[Fault::Full(3)], &[], &[]);
    let full = ledger.write(vec![event(3, durable("a"))]).unwrap_err();
    assert!(full.is_full(), "{full}");
    ledger.write(vec![event(3, durable("a"))]).unwrap();
    assert_eq!(ledger.standing, Standing::Whole);
    assert_eq!(texts(data.path()), ["streamed", "a"]);
}

#[test]
fn a_compressed_journal_is_read_as_before_and_opened_again_by_a_write() {
    let data = tempfile::tempdir().unwrap();
    let mut ledger = ledger(data.path());
    ledger.write(vec![event(2, durable("a"))]).unwrap();
    let before = std::fs::read(Layout::new(data.path()).journal(&id())).unwrap();
    ledger.pack().unwrap();
    ledger.pack().unwrap();
    let layout = Layout::new(data.path());
    assert!(!layout.journal(&id()).exists() && layout.packed(&id()).exists());
    ledger.write(vec![event(3, durable("b"))]).unwrap();
    assert!(layout.journal(&id()).exists() && !layout.packed(&id()).exists());
    let after = std::fs::read(layout.journal(&id())).unwrap();
    assert!(after.starts_with(&before));
    assert_eq!(texts(data.path()), ["a", "b"]);
}

fn any_fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        3 => Just(Fault::None),
        1 => (0..400_usize).prop_map(Fault::Full),
        1 => (0..400_usize).prop_map(Fault::Broken),
    ]
}

fn faults() -> impl Strategy<Value = Vec<Fault>> {
    prop::collection::vec(any_fault(), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn whatever_fails_nothing_acknowledged_is_lost_and_nothing_is_doubled(
        writes in faults(), syncs in faults(), cuts in faults(),
        lasting in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        let data = tempfile::tempdir().unwrap();
        let mut ledger = ledger(data.path());
        ledger.fail(&writes, &syncs, &cuts);
        let mut told = Vec::new();
        for (n, lasts) in lasting.into_iter().enumerate() {
            let (seq, text) = (told.len() as u64 + 2, format!("m{n}"));
            let body = if lasts { durable(&text) } else { passing(&text) };
            // A caller says it again until it is taken, or gives it up.
            for _ in 0..3 {
                if ledger.write(vec![event(seq, body.clone())]).is_ok() {
                    told.push(text);
                    break;
                }
            }
            prop_assert_eq!(ledger.claim.extent().last_seq, told.len() as u64 + 1);
        }
        ledger.fail(&[], &[], &[]);
        ledger.write(vec![event(told.len() as u64 + 2, durable("end"))]).unwrap();
        told.push("end".to_owned());
        drop(ledger);
        prop_assert_eq!(texts(data.path()), told);
    }
}
