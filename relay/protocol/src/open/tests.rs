//! The bytes of every header, and what becomes of those that are none.

use proptest::prelude::*;

use super::*;
use crate::{
    Confine, DiffRepo, Ending, Exit, Reply, RunState, TerminalAttached, TerminalId, TerminalInfo,
    VersionRange,
};

fn run() -> RunId {
    RunId::parse("r1").unwrap()
}

fn terminal() -> TerminalId {
    TerminalId::parse("t 1").unwrap()
}

fn owner() -> ClientId {
    ClientId::parse("desk").unwrap()
}

fn confined() -> Launch {
    Launch {
        program: "claude".to_owned(),
        args: vec!["-p".to_owned()],
        env: [("HOME".to_owned(), "/h".to_owned())].into(),
        clear_env: true,
        cwd: Some("/w".to_owned()),
        confine: Some(Confine {
            write: vec!["/w".to_owned()],
            read: Some(vec!["/".to_owned()]),
        }),
    }
}

/// One of each kind, in the order of [`Open::KINDS`].
fn one_of_each() -> Vec<Open> {
    let size = PtySize { rows: 24, cols: 80 };
    let launch = Launch {
        program: "sh".to_owned(),
        ..Launch::default()
    };
    let repo = DiffRepo {
        name: "r".to_owned(),
        path: "/w/r".to_owned(),
        base: Some("HEAD~1".to_owned()),
    };
    vec![
        Open::Ping,
        Open::Runs,
        Open::Spawn(Spawn {
            run: run(),
            launch: confined(),
            stdio: Stdio::Pty(size),
            owner: Some(owner()),
        }),
        Open::Log(LogFrom {
            run: run(),
            from: 7,
            follow: true,
        }),
        Open::Input(Input {
            run: run(),
            id: InputId::parse("m1").unwrap(),
            owner: owner(),
        }),
        Open::Claim(Claim {
            run: run(),
            owner: owner(),
            take_over: true,
        }),
        Open::Resize(Resize { run: run(), size }),
        Open::Stop(Stop {
            run: run(),
            grace_ms: 5000,
            interrupt: Some("{}\n".to_owned()),
        }),
        Open::Signal(Signal {
            target: Target::Pid(7),
            signal: 15,
        }),
        Open::Exec(Exec {
            launch: launch.clone(),
        }),
        Open::Pty(ExecPty { launch, size }),
        Open::Upload(Upload {
            dir: "/w".to_owned(),
        }),
        Open::Download(Download {
            path: "/w/f".to_owned(),
        }),
        Open::Dial(Dial::Tcp {
            host: "localhost".to_owned(),
            port: 80,
        }),
        Open::Forward(Forward {
            name: "model".to_owned(),
            port: 0,
        }),
        Open::Forwarded(Forwarded {
            name: "model".to_owned(),
        }),
        Open::Diff(DiffRequest {
            repos: vec![repo],
            follow: true,
            confine: None,
        }),
        Open::Terminals,
        Open::TerminalOpen(TerminalOpen {
            terminal: terminal(),
            launch: Launch {
                program: "sh".to_owned(),
                ..Launch::default()
            },
            size,
            note: "mine".to_owned(),
        }),
        Open::TerminalAttach(TerminalAttach {
            terminal: terminal(),
            from: Some(7),
        }),
        Open::TerminalClose(TerminalClose {
            terminal: terminal(),
            grace_ms: 1,
        }),
        Open::Processes,
        Open::Shutdown(Shutdown { grace_ms: 1 }),
    ]
}

#[test]
fn every_header_keeps_its_bytes() {
    let lines: Vec<String> = one_of_each()
        .iter()
        .map(|open| serde_json::to_string(open).unwrap())
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"kind":"ping"}
    {"kind":"runs"}
    {"kind":"spawn","run":"r1","program":"claude","args":["-p"],"env":{"HOME":"/h"},"clear_env":true,"cwd":"/w","confine":{"write":["/w"],"read":["/"]},"stdio":{"pty":{"rows":24,"cols":80}},"owner":"desk"}
    {"kind":"log","run":"r1","from":7,"follow":true}
    {"kind":"input","run":"r1","id":"m1","owner":"desk"}
    {"kind":"claim","run":"r1","owner":"desk","take_over":true}
    {"kind":"resize","run":"r1","size":{"rows":24,"cols":80}}
    {"kind":"stop","run":"r1","grace_ms":5000,"interrupt":"{}\n"}
    {"kind":"signal","target":{"pid":7},"signal":15}
    {"kind":"exec","program":"sh"}
    {"kind":"pty","program":"sh","size":{"rows":24,"cols":80}}
    {"kind":"upload","dir":"/w"}
    {"kind":"download","path":"/w/f"}
    {"kind":"dial","tcp":{"host":"localhost","port":80}}
    {"kind":"forward","name":"model","port":0}
    {"kind":"forwarded","name":"model"}
    {"kind":"diff","repos":[{"name":"r","path":"/w/r","base":"HEAD~1"}],"follow":true}
    {"kind":"terminals"}
    {"kind":"terminal_open","terminal":"t 1","program":"sh","size":{"rows":24,"cols":80},"note":"mine"}
    {"kind":"terminal_attach","terminal":"t 1","from":7}
    {"kind":"terminal_close","terminal":"t 1","grace_ms":1}
    {"kind":"processes"}
    {"kind":"shutdown","grace_ms":1}
    "#);
}

#[test]
fn every_header_comes_back_and_has_its_kind() {
    for (open, kind) in one_of_each().into_iter().zip(Open::KINDS) {
        let json = serde_json::to_vec(&open).unwrap();
        assert!(json.starts_with(format!(r#"{{"kind":"{kind}""#).as_bytes()));
        assert_eq!(Open::decode(&json), Ok(open));
    }
}

#[test]
fn every_answer_keeps_its_bytes() {
    let info = RunInfo {
        run: run(),
        state: RunState::Ended,
        program: "sh".to_owned(),
        pid: None,
        owner: Some(owner()),
        log_len: 9,
        exit: Some(Exit::plain(Ending::Exited { code: 0 })),
        torn: Some(3),
        trouble: None,
    };
    let lines = [
        serde_json::to_string(&Reply::Ok(Done {})),
        serde_json::to_string(&Reply::Ok(info)),
        serde_json::to_string(&Reply::Ok(LogOpened {
            len: 9,
            ended: false,
            relay: None,
        })),
        serde_json::to_string(&Reply::Ok(InputAck {
            delivered: Delivered::Queued,
        })),
        serde_json::to_string(&Reply::Ok(Claimed { before: None })),
        serde_json::to_string(&Reply::Ok(Uploaded { entries: 2 })),
        serde_json::to_string(&Reply::Ok(TerminalAttached {
            info: TerminalInfo {
                terminal: terminal(),
                note: String::new(),
                program: "sh".to_owned(),
                pid: Some(7),
                size: PtySize { rows: 24, cols: 80 },
                opened_ms: 5,
                shown: 9,
                exit: None,
            },
            from: 4,
            size: PtySize { rows: 1, cols: 2 },
        })),
        serde_json::to_string(&Reply::<Done>::Error(Refusal::new(
            RefusalCode::Busy,
            "later",
        ))),
        serde_json::to_string(&VersionRange::THIS_BUILD),
    ];
    let lines: Vec<String> = lines.into_iter().map(Result::unwrap).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"ok":{}}
    {"ok":{"run":"r1","state":"ended","program":"sh","owner":"desk","log_len":9,"exit":{"how":"exited","code":0},"torn":3}}
    {"ok":{"len":9,"ended":false}}
    {"ok":{"delivered":"queued"}}
    {"ok":{}}
    {"ok":{"entries":2}}
    {"ok":{"info":{"terminal":"t 1","program":"sh","pid":7,"size":{"rows":24,"cols":80},"opened_ms":5,"shown":9},"from":4,"size":{"rows":1,"cols":2}}}
    {"error":{"code":"busy","message":"later"}}
    {"min":1,"max":2}
    "#);
}

#[test]
fn a_newer_client_may_say_more_than_we_know() {
    let json = br#"{"kind":"log","run":"r1","from":0,"follow":false,"colour":"red"}"#;
    assert!(Open::decode(json).is_ok());
}

#[test]
fn a_newer_relay_may_refuse_for_a_reason_that_we_do_not_know() {
    let json = br#"{"error":{"code":"moonphase","message":"wait"}}"#;
    let reply: Reply<Done> = serde_json::from_slice(json).unwrap();
    assert_eq!(reply.into_result().unwrap_err().code, RefusalCode::Other);
}

#[test]
fn an_unknown_kind_is_named_and_cut() {
    let json = format!(r#"{{"kind":"{}"}}"#, "x".repeat(1000));
    let refusal = Open::decode(json.as_bytes()).unwrap_err();
    assert_eq!(refusal.code, RefusalCode::UnknownKind);
    assert!(refusal.message.contains("xxx") && refusal.message.len() < 200);
}

proptest! {
    #[test]
    fn no_bytes_make_decode_panic(bytes: Vec<u8>) {
        prop_assert!(Open::decode(&bytes).is_err());
    }

    #[test]
    fn no_kind_and_field_make_decode_panic(kind in 0..Open::KINDS.len(), run: String, from: u64) {
        let json = serde_json::json!({"kind": Open::KINDS[kind], "run": run, "from": from, "follow": true});
        let _ = Open::decode(&serde_json::to_vec(&json).unwrap());
    }
}
