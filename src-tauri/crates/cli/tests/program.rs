//! The program as a shell sees it: what it prints where, and how it ends.
#![allow(clippy::unwrap_used)] // a test may panic

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// The program with nothing of this machine's configuration.
fn paddock(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_paddock"));
    for name in [
        "PADDOCK_URL",
        "PADDOCK_TOKEN",
        "PADDOCK_CONFIG",
        "PADDOCK_RELAY",
    ] {
        command.env_remove(name);
    }
    command
        .env("HOME", data)
        .env("XDG_CONFIG_HOME", data)
        .arg("--data")
        .arg(data);
    command.env(
        "PADDOCK_ENGINE_SOCKET",
        format!("unix://{}", data.join("no-engine").display()),
    );
    command.stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

/// A server that ends with the test.
struct Server {
    child: Child,
    url: String,
    token_file: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        let agent = data.join("agent");
        std::fs::write(&agent, "#!/bin/sh\necho scripted 0.1.0\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut command = paddock(data);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--relay"])
            .arg(data.join("no-relay"));
        command.arg("--scripted-agent").arg(&agent);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let said: serde_json::Value = serde_json::from_str(&line).unwrap_or_else(|error| {
            let mut log = String::new();
            child
                .stderr
                .take()
                .unwrap()
                .read_to_string(&mut log)
                .unwrap();
            panic!("{error}: {line:?}\n{log}")
        });
        let text = |name: &str| said[name].as_str().unwrap().to_owned();
        Self {
            child,
            url: text("url"),
            token_file: text("token_file"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_says_in_one_line_where_it_serves_and_clients_find_it() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let (code, out, _) = run(paddock(data.path()).args(["ls", "--json"]));
    assert_eq!((code, out.as_str()), (0, "[]\n"));
    let token = std::fs::read_to_string(&server.token_file).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let named = |token: &str| {
        let mut command = paddock(elsewhere.path());
        command
            .env("PADDOCK_URL", &server.url)
            .env("PADDOCK_TOKEN", token)
            .args(["ls", "--json"]);
        run(&mut command)
    };
    assert_eq!(named(token.trim()).0, 0);
    let (code, _, said) = named("wrong");
    assert_eq!(code, 9, "{said}");
}

#[test]
fn a_second_server_on_the_same_data_is_refused_with_a_word_on_the_first() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let (code, out, said) = run(paddock(data.path()).args(["serve", "--listen", "127.0.0.1:0"]));
    assert_eq!((code, out.as_str()), (11, ""));
    assert!(said.contains(&server.child.id().to_string()), "{said}");
}

#[test]
fn without_a_server_verbs_say_so_and_one_that_was_named_is_not_started() {
    let data = tempfile::tempdir().unwrap();
    let (code, out, said) = run(paddock(data.path()).arg("ls"));
    assert_eq!((code, out.as_str()), (7, ""), "{said}");
    assert!(said.contains("paddock serve"), "{said}");
    let url = "http://127.0.0.1:9";
    let mut named = paddock(data.path());
    let (code, _, _) = run(named
        .env("PADDOCK_URL", url)
        .args(["run", "--no-repo", "x"]));
    assert_eq!(code, 7);
    assert!(!data.path().join("serve.log").exists());
    let (code, _, _) = run(paddock(data.path()).args(["--url", "ftp://x", "ls"]));
    assert_eq!(code, 2);
}

#[test]
fn a_server_for_other_machines_has_to_be_asked_for() {
    let data = tempfile::tempdir().unwrap();
    let (code, _, said) = run(paddock(data.path()).args(["serve", "--listen", "0.0.0.0:0"]));
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--allow-remote"), "{said}");
}

#[test]
fn a_task_that_cannot_be_set_up_ends_the_run_with_its_code_and_its_events() {
    let data = tempfile::tempdir().unwrap();
    let _server = Server::start(data.path());
    let verb = |args: &[&str]| run(paddock(data.path()).args(args));
    let (code, _, said) = verb(&["run", "--no-repo", "--harness", "nobody", "x"]);
    assert_eq!(code, 10, "{said}");
    assert_eq!(verb(&["run", "--no-repo", " "]).0, 2);
    let (code, out, said) = verb(&["harness", "install", "scripted", "--json"]);
    assert_eq!(code, 0, "{out}{said}");
    let task = [
        "run",
        "--json",
        "--no-repo",
        "--harness",
        "scripted",
        "--box",
        "worktree",
        "say x",
    ];
    let (code, out, said) = verb(&task);
    assert_eq!(code, 6, "{said}");
    let types = out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].clone());
    let types: Vec<_> = types.collect();
    assert_eq!(types.first(), Some(&"session_started".into()));
    assert_eq!(types.last(), Some(&"state_changed".into()), "{out}");
    let (_, out, _) = verb(&["ls", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&out).unwrap();
    let id = list[0]["task_id"].as_str().unwrap();
    let (code, out, _) = verb(&["show", &id[id.len() - 6..]]);
    assert_eq!(code, 0);
    assert!(out.contains(id) && out.contains("failed"), "{out}");
    let (code, out, _) = verb(&["logs", "--json", id]);
    assert_eq!((code, out.lines().count()), (0, types.len()));
    assert_eq!(verb(&["send", id, "x"]).0, 8);
    assert_eq!(verb(&["show", "nowhere"]).0, 10);
}

#[cfg(unix)]
#[test]
fn a_server_ends_well_when_it_is_told_to() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::start(data.path());
    assert!(data.path().join("serve.json").exists());
    let told = Command::new("kill")
        .arg(server.child.id().to_string())
        .status()
        .unwrap();
    assert!(told.success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    assert!(!data.path().join("serve.json").exists());
    assert_eq!(run(paddock(data.path()).arg("ls")).0, 7);
}

#[cfg(unix)]
#[test]
fn run_starts_a_server_in_the_background_that_outlives_it() {
    let data = tempfile::tempdir().unwrap();
    let mut command = paddock(data.path());
    command
        .env("PADDOCK_LISTEN", "127.0.0.1:0")
        .args(["harness", "ls", "--json"]);
    let (code, out, said) = run(&mut command);
    assert_eq!(code, 0, "{said}");
    assert!(out.contains("\"claude\""), "{out}");
    assert!(said.contains("serve.log"), "{said}");
    assert_eq!(run(paddock(data.path()).args(["ls", "--json"])).0, 0);
    let record = std::fs::read_to_string(data.path().join("serve.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    let ended = Command::new("kill")
        .arg(record["pid"].to_string())
        .status()
        .unwrap();
    assert!(ended.success());
}

#[test]
fn a_recording_is_decoded_line_by_line() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("recorded.jsonl");
    std::fs::write(
        &file,
        "{\"type\":\"text\",\"message\":\"t1.1\",\"text\":\"hi\"}\nnot json\n",
    )
    .unwrap();
    let (code, out, said) = run(paddock(data.path())
        .args(["decode", "--harness", "scripted"])
        .arg(&file));
    assert_eq!(code, 0, "{said}");
    let events: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (&events[0]["type"], &events[0]["line"]),
        (&"assistant_message".into(), &1.into())
    );
    assert_eq!(
        (&events[1]["type"], &events[1]["line"]),
        (&"error".into(), &2.into())
    );
    let (code, _, said) = run(paddock(data.path())
        .args(["decode", "--harness", "nobody"])
        .arg(&file));
    assert_eq!(code, 10);
    assert!(said.contains("claude"), "{said}");
}

#[test]
fn a_recording_of_an_agent_that_the_configuration_adds_is_decoded_too() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(
        data.path().join("paddock.toml"),
        "[agent.gander]\nprogram = \"/opt/gander\"\n",
    )
    .unwrap();
    let file = data.path().join("recorded.jsonl");
    let line = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"ls","kind":"execute","status":"in_progress","rawInput":{"command":"ls"}}}}"#;
    std::fs::write(&file, line).unwrap();
    let decode = |harness: &str| {
        run(paddock(data.path())
            .env("PADDOCK_CONFIG", data.path().join("paddock.toml"))
            .args(["decode", "--harness", harness])
            .arg(&file))
    };
    let (code, out, said) = decode("gander");
    assert_eq!(code, 0, "{said}");
    let event: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(event["type"], "tool_call_started", "{out}");
    let (code, _, said) = decode("goose");
    assert_eq!(code, 10);
    assert!(said.contains("gander"), "{said}");
}

#[test]
fn settings_are_shown_with_where_they_come_from_and_without_secrets() {
    let data = tempfile::tempdir().unwrap();
    let mut command = paddock(data.path());
    command.env(
        "PADDOCK_PROVIDER_CLAUDE_ANTHROPIC_API_KEY",
        "sk-planted-secret",
    );
    let (code, out, said) = run(command.args(["config", "--json", "--set", "log=debug"]));
    assert_eq!(code, 0, "{said}");
    assert!(
        out.contains("debug") && !out.contains("sk-planted-secret"),
        "{out}"
    );
    let (code, _, said) = run(paddock(data.path()).args(["config", "--set", "lisen=x"]));
    assert_eq!(code, 2);
    assert!(said.contains("listen"), "{said}");
}
