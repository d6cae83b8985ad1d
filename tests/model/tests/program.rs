//! The `scripted-model` program as a test or a person starts it.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn it_prints_its_url_and_ends_when_stdin_closes() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_scripted-model"))
        .args(["--port", "0", "--until-eof"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let said: serde_json::Value = serde_json::from_str(&line).unwrap();
    let address = said["url"].as_str().unwrap().trim_start_matches("http://");
    std::net::TcpStream::connect(address).expect("it answers as soon as it has said so");
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}
