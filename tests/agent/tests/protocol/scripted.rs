//! A running `scripted` program and the words to speak with it.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A running agent in a folder that is its home and its work tree.
pub(crate) struct Scripted {
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) stdout: BufReader<ChildStdout>,
    pub(crate) session: Value,
    place: Option<TempDir>,
    unread: VecDeque<Value>,
}

impl Scripted {
    pub(crate) fn start() -> Self {
        Self::start_in(TempDir::new().unwrap(), &[])
    }

    pub(crate) fn start_in(place: TempDir, arguments: &[&str]) -> Self {
        Self::start_with(place, arguments, |_| {})
    }

    pub(crate) fn start_with(
        place: TempDir,
        arguments: &[&str],
        more: impl FnOnce(&mut Command),
    ) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scripted"));
        command
            .args(arguments)
            .current_dir(&place)
            .env("HOME", place.path())
            .envs([
                ("GIT_AUTHOR_NAME", "a"),
                ("GIT_AUTHOR_EMAIL", "a@example.invalid"),
            ])
            .envs([
                ("GIT_COMMITTER_NAME", "a"),
                ("GIT_COMMITTER_EMAIL", "a@example.invalid"),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        more(&mut command);
        let mut child = command.spawn().unwrap();
        let mut agent = Self {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().unwrap()),
            child,
            session: Value::Null,
            place: Some(place),
            unread: VecDeque::new(),
        };
        agent.session = agent.next();
        agent
    }

    pub(crate) fn prompt(&mut self, id: &str, text: &str) {
        self.send(&json!({"type": "prompt", "id": id, "text": text}));
    }

    pub(crate) fn send(&mut self, input: &Value) {
        writeln!(self.stdin.as_mut().unwrap(), "{input}").unwrap();
    }

    pub(crate) fn raw(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        self.stdout.read_until(b'\n', &mut line).unwrap();
        assert_eq!(line.pop(), Some(b'\n'), "the agent says no more");
        line
    }

    pub(crate) fn next(&mut self) -> Value {
        if let Some(line) = self.unread.pop_front() {
            return line;
        }
        serde_json::from_slice(&self.raw()).unwrap()
    }

    /// The next line of that type; others are passed over.
    pub(crate) fn until(&mut self, kind: &str) -> Value {
        loop {
            let line = self.next();
            if line["type"] == kind {
                return line;
            }
        }
    }

    /// All lines up to and with the end of the turn.
    pub(crate) fn turn(&mut self) -> Vec<Value> {
        let mut lines = vec![self.next()];
        while lines.last().unwrap()["type"] != "turn_finished" {
            lines.push(self.next());
        }
        lines
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.place.as_ref().unwrap().path().join(name)
    }

    pub(crate) fn git(&self, arguments: &str) -> String {
        let folder: &Path = self.place.as_ref().unwrap().path();
        let output = Command::new("git")
            .args(arguments.split(' '))
            .current_dir(folder)
            .env("HOME", folder)
            .output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    }

    pub(crate) fn end(mut self) -> ExitStatus {
        drop(self.stdin.take());
        self.child.wait().unwrap()
    }

    pub(crate) fn end_and_keep(mut self) -> TempDir {
        drop(self.stdin.take());
        self.child.wait().unwrap();
        self.place.take().unwrap()
    }

    /// Waits for the agent to die with `code` by itself, and returns its folder.
    pub(crate) fn die(mut self, code: i32) -> TempDir {
        assert_eq!(self.child.wait().unwrap().code(), Some(code));
        self.place.take().unwrap()
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        // It has ended already, most of the time.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of that type.
pub(crate) fn of_type<'a>(said: &'a [Value], kind: &str) -> Vec<&'a Value> {
    said.iter().filter(|line| line["type"] == kind).collect()
}
