//! A run as its log tells it: from where on its agent is at work.

use paddock_domain::PermissionMode;
use paddock_harness::{CodecSetup, Tallied};
use paddock_relay_client::protocol::encode;

use super::*;

/// A log as the relay writes it, its entries from the first offset on.
#[derive(Default)]
struct Log {
    entries: Vec<LogEntry>,
    end: u64,
}

impl Log {
    fn out(self, line: &str) -> Self {
        self.record(|out| encode::line(out, LineKind::Out, 1, line.as_bytes()))
    }

    fn input(self, id: &str) -> Self {
        let id = protocol::InputId::parse(id).unwrap();
        self.record(|out| encode::input(out, 1, &id, "test", b"{}"))
    }

    fn record(mut self, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut line = Vec::new();
        write(&mut line);
        let (offset, end) = (self.end, self.end + line.len() as u64);
        self.entries.push(LogEntry {
            offset,
            end,
            line: line.into(),
        });
        self.end = end;
        self
    }
}

const SESSION: &str =
    r#"{"type":"session","protocol":1,"id":"s1","resumed":false,"model":"m","turns":0}"#;
const WORD: &str = r#"{"type":"text","message":"t1.1","text":"hello"}"#;

/// A run of the scripted agent that was joined at the start of its log, with one message in line.
fn joined() -> LiveRun {
    let harness = paddock_harness::find("scripted").unwrap();
    let setup = CodecSetup {
        model: None,
        effort: None,
        permission_mode: PermissionMode::default(),
        work_dir: "/work".to_owned(),
        resume: None,
        fork: false,
        usage_before: Default::default(),
    };
    let codec = Tallied::new(harness, setup, Default::default());
    let mut run = LiveRun::over(RunId::parse("r1").unwrap(), "/work".to_owned(), codec, None);
    run.replay_until = 0;
    run.awaited = Some(vec![InputId::parse("i1").unwrap()]);
    run
}

fn heard(batch: &Batch) -> Vec<&'static str> {
    let event = |(_, heard): &(_, Heard)| match heard {
        Heard::Event(body) => Some(body.type_name()),
        Heard::Delta(_) | Heard::Send(_) | Heard::TurnBegan => None,
    };
    batch.heard.iter().filter_map(event).collect()
}

#[test]
fn an_agent_is_at_work_from_the_record_that_its_message_reached_it() {
    let log = Log::default().out(SESSION).input("i1").out(WORD);
    let mut run = joined();
    let batch = run.take_all(&log.entries);
    let at = batch.at_work_from.expect("it works");
    let before = heard(&batch).len() - 1;
    assert_eq!(at, before, "{:?}", heard(&batch));
    assert_eq!(heard(&batch).last(), Some(&"assistant_message"));
}

#[test]
fn an_agent_that_has_its_message_is_at_work_from_its_first_line() {
    let log = Log::default().input("i1").out(SESSION).out(WORD);
    let batch = joined().take_all(&log.entries);
    assert_eq!(batch.at_work_from, Some(0), "{:?}", heard(&batch));
}

#[test]
fn the_place_is_the_same_however_the_log_comes() {
    let log = Log::default().out(SESSION).input("i1").out(WORD);
    let mut run = joined();
    let places: Vec<_> = log
        .entries
        .iter()
        .map(|entry| run.take_all(std::slice::from_ref(entry)).at_work_from)
        .collect();
    assert_eq!(places, [None, Some(0), Some(0)]);
}

#[test]
fn an_agent_is_not_at_work_before_its_message_reached_it_or_before_the_run_has_caught_up() {
    let log = Log::default().out(SESSION).out(WORD);
    assert_eq!(joined().take_all(&log.entries).at_work_from, None);
    let log = Log::default().out(SESSION).input("i1").out(WORD);
    let mut replayed = joined();
    replayed.awaited = None;
    assert_eq!(replayed.take_all(&log.entries).at_work_from, None);
}

fn line(id: &str) -> Outgoing {
    Outgoing {
        id: InputId::parse(id).unwrap(),
        bytes: b"{}\n".to_vec(),
    }
}

#[test]
fn who_interrupts_is_told_when_that_message_is_delivered_and_no_other() {
    let mut run = joined();
    assert!(run.say(vec![line("a"), line("b")]));
    let mut told = run.interrupted_by(InputId::parse("b").unwrap());
    run.delivered();
    assert!(told.try_recv().is_err(), "another one was delivered");
    run.delivered();
    assert_eq!(told.try_recv(), Ok(()));
}

#[test]
fn who_interrupts_is_told_when_the_turn_ends_without_it() {
    let mut run = joined();
    let mut told = run.interrupted_by(InputId::parse("a").unwrap());
    run.turn_ended();
    assert_eq!(told.try_recv(), Ok(()));
}

#[test]
fn who_interrupts_is_told_when_the_run_is_let_go_of() {
    let mut run = joined();
    assert!(run.say(vec![line("a")]));
    let mut told = run.interrupted_by(InputId::parse("a").unwrap());
    drop(run);
    assert_eq!(told.try_recv(), Err(oneshot::error::TryRecvError::Closed));
}
