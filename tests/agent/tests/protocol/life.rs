//! How the program lives and dies: sessions, signals, stdin and stdout, the processes it leaves.

use std::fs;
use std::io::BufRead;
use std::os::unix::process::ExitStatusExt;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::json;
use tempfile::TempDir;

use crate::scripted::{Scripted, of_type};

#[test]
fn an_interrupt_kills_the_running_command_and_ends_the_turn() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "bash echo $$ > pid; mkfifo pipe; cat pipe\nsay never");
    agent.until("tool_started");
    let pid = agent.path("pid");
    while fs::read_to_string(&pid).is_ok_and(|text| !text.ends_with('\n')) || !pid.exists() {
        std::thread::yield_now();
    }
    agent.send(&json!({"type": "interrupt", "id": "m2"}));
    let rest = agent.turn();
    assert_eq!(of_type(&rest, "tool_finished")[0]["exit"], 128 + 9);
    assert!(of_type(&rest, "text").is_empty());
    assert_eq!(rest.last().unwrap()["outcome"], "interrupted");
    let pid: i32 = fs::read_to_string(pid).unwrap().trim().parse().unwrap();
    assert!(!lives(pid));
    agent.prompt("m3", "say still here");
    assert_eq!(agent.until("text")["text"], "still here");
}

#[test]
fn a_resumed_session_goes_on_where_it_was() {
    let mut agent = Scripted::start();
    let id = agent.session["id"].as_str().unwrap().to_owned();
    agent.prompt("m1", "remember the blue one");
    agent.until("turn_finished");
    agent.send(&json!({"type": "set_model", "id": "m2", "model": "scripted-2"}));
    agent.until("model");
    agent.prompt("m3", "crash 9");
    let place = agent.die(9);

    let mut agent = Scripted::start_in(place, &["--resume", &id]);
    let expected = json!({"type": "session", "protocol": 1, "id": id, "resumed": true, "model": "scripted-2", "turns": 2});
    assert_eq!(agent.session, expected);
    agent.prompt("m4", "recall");
    assert_eq!(agent.until("turn_started")["turn"], 3);
    assert_eq!(agent.until("text")["text"], "Remembered: the blue one");
}

#[test]
fn an_unknown_session_is_a_fatal_error() {
    for id in ["s-0123", "../../etc/passwd", ""] {
        let mut agent = Scripted::start_in(TempDir::new().unwrap(), &["--resume", id]);
        assert_eq!(
            (&agent.session["type"], &agent.session["fatal"]),
            (&json!("error"), &json!(true))
        );
        assert_eq!(agent.child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn the_end_of_stdin_finishes_what_has_arrived() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "say one");
    agent.prompt("m2", "ask Anyone?|Yes\nsay never");
    agent.prompt("m3", "bash echo three");
    drop(agent.stdin.take());
    let outcomes = [0; 3].map(|_| agent.until("turn_finished")["outcome"].clone());
    assert_eq!(outcomes, ["completed", "interrupted", "completed"]);
    assert!(agent.child.wait().unwrap().success());
}

#[test]
fn signals_end_it_unless_the_prompt_says_otherwise() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "hang");
    agent.until("turn_started");
    drop(agent.stdin.take());
    agent.signal(Signal::TERM);
    assert_eq!(agent.child.wait().unwrap().signal(), Some(15));

    let mut agent = Scripted::start();
    agent.prompt("m1", "ignore-sigterm");
    agent.until("turn_finished");
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        agent.signal(signal);
    }
    agent.prompt("m2", "say alive");
    assert_eq!(agent.until("text")["text"], "alive");
    agent.signal(Signal::KILL);
    assert_eq!(agent.child.wait().unwrap().signal(), Some(9));
}

#[test]
fn an_orphan_outlives_the_agent_in_a_session_of_its_own() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "spawn-orphan 600\ncrash 0");
    let said = agent.until("text")["text"].clone();
    let pid: i32 = said
        .as_str()
        .unwrap()
        .trim_start_matches("orphan ")
        .parse()
        .unwrap();
    agent.die(0);
    while session_of(pid) != Some(pid) {
        std::thread::yield_now();
    }
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn a_command_runs_in_a_session_of_its_own() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "bash cut -d ' ' -f 1,6 /proc/$$/stat");
    let output = agent.until("tool_finished")["output"].clone();
    let (pid, session) = output.as_str().unwrap().trim().split_once(' ').unwrap();
    assert_eq!(pid, session);
}

#[test]
fn a_closed_stdout_ends_the_output_and_not_the_work() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "close-stdout\nbash touch made\nsay unheard");
    agent.until("turn_started");
    let mut rest = Vec::new();
    agent.stdout.read_until(0, &mut rest).unwrap();
    assert!(rest.is_empty());
    let place = agent.end_and_keep();
    assert!(place.path().join("made").exists());
}

fn lives(pid: i32) -> bool {
    test_kill_process(Pid::from_raw(pid).unwrap()).is_ok()
}

fn session_of(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, after) = stat.rsplit_once(')')?;
    after.split_whitespace().nth(3)?.parse().ok()
}
