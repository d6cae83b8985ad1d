//! The built `scripted` program, spoken to as a harness speaks to it.

#![allow(clippy::unwrap_used, reason = "a test")]

#[path = "protocol/life.rs"]
mod life;
#[path = "protocol/scripted.rs"]
mod scripted;

use std::fs;
use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};
use tempfile::TempDir;

use scripted::{Scripted, of_type};

#[test]
fn a_turn_says_what_it_does_and_does_it() {
    let mut agent = Scripted::start();
    agent.git("init -q -b main");
    agent.prompt("m1", "write a/b.txt one\\ntwo\nedit a/b.txt two => 2\nread a/b.txt\nbash echo no >&2; exit 3\ncommit it's done");
    let said = agent.turn();
    let finished = of_type(&said, "tool_finished");
    let outcomes: Vec<_> = finished
        .iter()
        .map(|t| (&t["kind"], &t["ok"], &t["exit"]))
        .collect();
    let (yes, no, none) = (json!(true), json!(false), Value::Null);
    let expected = [
        (&json!("write"), &yes, &none),
        (&json!("edit"), &yes, &none),
        (&json!("read"), &yes, &none),
        (&json!("bash"), &no, &json!(3)),
        (&json!("bash"), &yes, &json!(0)),
    ];
    assert_eq!(outcomes, expected);
    assert_eq!(finished[2]["output"], "one\n2\n");
    assert_eq!(finished[3]["output"], "no\n");
    assert_eq!(agent.git("log --format=%s"), "it's done\n");
    assert_eq!(said.last().unwrap()["outcome"], "completed");
    assert!(agent.end().success());
}

#[test]
fn every_started_tool_finishes_under_its_own_id() {
    let mut agent = Scripted::start();
    agent.prompt(
        "m1",
        "bash true\nbash false\nread /does/not/exist\nedit /does/not/exist a => b",
    );
    let said = agent.turn();
    let calls = |kind| {
        of_type(&said, kind)
            .iter()
            .map(|t| t["call"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(calls("tool_started"), calls("tool_finished"));
    assert_eq!(calls("tool_started"), ["c1.1", "c1.2", "c1.3", "c1.4"]);
}

#[test]
fn a_question_waits_for_its_answer_and_for_no_other() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "ask Which colour?|Red|Blue");
    let question = agent.until("question");
    assert_eq!(question["options"][1]["label"], "Blue");
    agent.send(&json!({"type": "answer", "id": "m2", "question": "q9.9", "answers": ["Red"]}));
    assert_eq!(agent.until("error")["fatal"], false);
    agent.send(&json!({"type": "answer", "id": "m3", "question": question["question"], "answers": ["Blue"]}));
    assert_eq!(agent.until("text")["text"], "You answered: Blue");
    assert_eq!(agent.until("turn_finished")["outcome"], "completed");
}

#[test]
fn questions_that_are_asked_at_once_are_answered_in_any_order() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "ask-all Colour?|Red|Blue || many Size?|S|M|L");
    let asked = [0; 2].map(|_| agent.until("question"));
    assert_eq!(
        [&asked[0]["multiple"], &asked[1]["multiple"]],
        [false, true]
    );
    for (nth, answers) in [(1, json!(["S", "L"])), (0, json!(["Blue"]))] {
        agent.send(&json!({"type": "answer", "id": format!("a{nth}"), "question": asked[nth]["question"], "answers": answers}));
    }
    assert_eq!(agent.until("text")["text"], "You answered: Blue; S, L");
    assert_eq!(agent.until("turn_finished")["outcome"], "completed");

    agent.prompt("m2", "ask-all Colour?|Red || Size?|S");
    let asked = [0; 2].map(|_| agent.until("question"));
    agent.send(&json!({"type": "answer", "id": "a2", "question": asked[0]["question"], "answers": ["Red"]}));
    agent.send(&json!({"type": "interrupt", "id": "i1"}));
    assert_eq!(agent.until("withdrawn")["id"], asked[1]["question"]);
    assert_eq!(agent.until("turn_finished")["outcome"], "interrupted");
}

#[test]
fn an_edited_command_runs_instead_of_the_one_that_was_asked_for() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "approve touch first");
    let approval = agent.until("approval");
    agent.send(&json!({"type": "approval", "id": "m2", "approval": approval["approval"], "decision": "allow", "command": "touch second"}));
    assert_eq!(
        agent.until("tool_started")["input"]["command"],
        "touch second"
    );
    agent.until("turn_finished");
    assert!(agent.path("second").exists() && !agent.path("first").exists());
}

#[test]
fn an_approved_command_runs_and_a_denied_one_does_not() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "approve touch yes\napprove touch no");
    for (decision, next) in [("allow", "tool_finished"), ("deny", "text")] {
        let approval = agent.until("approval");
        let id = &approval["approval"];
        agent.send(&json!({"type": "approval", "id": "m2", "approval": id, "decision": decision, "message": "not that"}));
        let next = agent.until(next);
        assert!(
            next["call"] == approval["call"] || next["text"] == "Denied: not that",
            "{next}"
        );
    }
    agent.until("turn_finished");
    assert!(agent.path("yes").exists() && !agent.path("no").exists());
}

#[test]
fn a_rejected_plan_skips_the_rest_of_the_prompt() {
    let mut agent = Scripted::start();
    for (decision, made) in [("reject", false), ("accept", true)] {
        agent.prompt("m1", "plan # Plan\\n\\n1. touch\nbash touch planned");
        let plan = agent.until("plan");
        agent
            .send(&json!({"type": "plan", "id": "m2", "plan": plan["plan"], "decision": decision}));
        assert_eq!(agent.until("turn_finished")["outcome"], "completed");
        assert_eq!(agent.path("planned").exists(), made);
    }
}

#[test]
fn an_interrupt_withdraws_what_was_asked_and_means_nothing_while_idle() {
    let mut agent = Scripted::start();
    agent.send(&json!({"type": "interrupt", "id": "m1"}));
    agent.prompt("m2", "ask Really?|Yes");
    let question = agent.until("question");
    agent.send(&json!({"type": "interrupt", "id": "m3"}));
    let rest = agent.turn();
    assert_eq!(
        rest[0],
        json!({"type": "withdrawn", "id": question["question"]})
    );
    assert_eq!(rest.last().unwrap()["outcome"], "interrupted");
}

#[test]
fn prompts_that_come_during_a_turn_are_turns_of_their_own() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "ask Wait?|Yes");
    let question = agent.until("question");
    agent.prompt("m2", "say second");
    agent.prompt("m3", "say third");
    agent.send(
        &json!({"type": "answer", "id": "m4", "question": question["question"], "answers": ["Yes"]}),
    );
    let ends = [0; 3].map(|_| agent.until("turn_finished")["prompt"].clone());
    assert_eq!(ends, ["m1", "m2", "m3"]);
}

#[test]
fn too_many_waiting_prompts_are_refused_and_none_is_lost_unsaid() {
    let mut agent = Scripted::start();
    agent.prompt("m0", "ask Wait?|Yes");
    agent.until("question");
    for number in 1..=65 {
        agent.prompt(&format!("m{number}"), "say x");
    }
    assert!(
        agent.until("error")["message"]
            .as_str()
            .unwrap()
            .contains("wait already")
    );
    agent.send(&json!({"type": "interrupt", "id": "i"}));
    let ends = [0; 65].map(|_| agent.until("turn_finished")["prompt"].clone());
    assert_eq!(ends[64], "m64");
}

#[test]
fn useless_lines_are_answered_with_an_error_and_nothing_else() {
    let mut agent = Scripted::start();
    let long = format!(
        "{{\"type\":\"prompt\",\"id\":\"x\",\"text\":\"{}\"}}",
        "x".repeat(9 << 20)
    );
    let no_id = r#"{"type":"interrupt"}"#.to_owned();
    for line in [
        "not json",
        "[1]",
        r#"{"type":"dance","id":"x"}"#,
        &no_id,
        &long,
    ] {
        writeln!(agent.stdin.as_mut().unwrap(), "{line}").unwrap();
        let error = agent.next();
        assert_eq!(
            (&error["type"], &error["fatal"]),
            (&json!("error"), &json!(false))
        );
    }
    agent.prompt("m1", "say fine");
    assert_eq!(agent.until("text")["text"], "fine");
}

#[test]
fn a_flood_has_exactly_the_lines_and_bytes_that_were_asked_for() {
    let mut agent = Scripted::start();
    agent.prompt(
        "m1",
        "say 500 lines of 1000 bytes at 0 per second\ndelta 3 pieces of 30 bytes at 100 per second",
    );
    let said = agent.turn();
    let texts: Vec<&str> = of_type(&said, "text")
        .iter()
        .map(|t| t["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts.len(), 501);
    assert!(texts[..500].iter().all(|text| text.len() == 1000));
    assert!(texts[499].starts_with("line 00000499 "));
    let deltas: String = of_type(&said, "delta")
        .iter()
        .map(|d| d["text"].as_str().unwrap())
        .collect();
    assert_eq!((deltas.len(), deltas.as_str()), (90, texts[500]));
}

#[test]
fn garbage_is_what_it_says_and_the_turn_goes_on() {
    let mut agent = Scripted::start();
    agent.prompt("m1", "garbage bytes broken empty huge=100000\nsay after");
    agent.until("turn_started");
    let lines = [0; 4].map(|_| agent.raw());
    assert!(std::str::from_utf8(&lines[0]).is_err());
    assert!(serde_json::from_slice::<Value>(&lines[1]).is_err());
    assert_eq!((lines[2].len(), lines[3].len()), (0, 100_000));
    assert_eq!(agent.until("text")["text"], "after");
    agent.prompt("m2", "garbage");
    while !agent.raw().starts_with(b"{\"type\":\"turn_finished\"") {}
}

#[test]
fn the_record_holds_every_input_once_and_every_line_as_it_was_said() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("record");
    let mut agent = Scripted::start_with(place, &[], |command| {
        command.env("SCRIPTED_RECORD", &file);
    });
    agent.prompt("m1", "say one\ngarbage bytes");
    agent.prompt("m2", "say two");
    drop(agent.stdin.take());
    let mut said = vec![agent.session.to_string()];
    let lines = BufReader::new(agent.stdout.get_mut())
        .split(b'\n')
        .map(Result::unwrap);
    said.extend(lines.map(|line| String::from_utf8(line).unwrap_or("(raw)".into())));
    let record = fs::read_to_string(&file).unwrap();
    let entries: Vec<Value> = record
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let inputs: Vec<&Value> = entries.iter().filter_map(|entry| entry.get("in")).collect();
    assert_eq!(inputs, ["m1", "m2"]);
    let recorded = entries.iter().filter(|entry| entry.get("in").is_none());
    let recorded: Vec<&str> = recorded
        .map(|e| e["out"].as_str().unwrap_or("(raw)"))
        .collect();
    assert_eq!(recorded[1..], said[1..]);
    let numbers: Vec<u64> = entries
        .iter()
        .filter_map(|entry| entry["n"].as_u64())
        .collect();
    assert_eq!(numbers, (1..=entries.len() as u64).collect::<Vec<_>>());
}
