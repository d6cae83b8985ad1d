//! A relay in the background in a directory of its own, and short words for talking to it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use paddock_relay_client::protocol::{
    Body, ClientId, Exit, Input, InputId, Launch, LineKind, RunId, RunInfo, Spawn, Stop,
};
use paddock_relay_client::{LogEntry, LogStream, RelayClient};
use tempfile::TempDir;

pub(super) const RELAY: &str = env!("CARGO_BIN_EXE_paddock-relay");

/// An agent that repeats what it is told, all of it, also when it is stopped meanwhile.
pub(super) const ECHO: &str = "trap '' INT; cat";

/// A relay, ended with this.
pub(super) struct Rig {
    dir: PathBuf,
    _temp: TempDir,
}

impl Rig {
    /// Starts a relay; it serves when this returns.
    pub(super) fn start() -> Self {
        Self::start_in("d")
    }

    /// Starts a relay in a directory of this name.
    pub(super) fn start_in(name: &str) -> Self {
        let rig = Self::at(name);
        rig.serve();
        rig
    }

    /// Starts a relay with these options.
    pub(super) fn start_with(options: &[&str]) -> Self {
        let rig = Self::at("d");
        rig.serve_with(options);
        rig
    }

    fn at(name: &str) -> Self {
        let temp = tempfile::tempdir().unwrap();
        Self {
            dir: temp.path().join(name),
            _temp: temp,
        }
    }

    /// Starts a relay in the same directory, after the one before has gone.
    pub(super) fn serve(&self) {
        self.serve_with(&[]);
    }

    /// The same, with these options.
    pub(super) fn serve_with(&self, options: &[&str]) {
        let served = Command::new(RELAY)
            .args(["serve", "--box", "b1", "--dir"])
            .arg(&self.dir)
            .args(options)
            .output();
        let served = served.unwrap();
        assert!(
            served.status.success(),
            "{}",
            String::from_utf8_lossy(&served.stderr)
        );
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(super) fn log_path(&self, run: &str) -> PathBuf {
        self.dir.join("runs").join(run).join("log.jsonl")
    }

    pub(super) async fn client(&self) -> RelayClient {
        RelayClient::connect_unix(&self.dir).await.unwrap()
    }

    /// The relay's process id.
    pub(super) fn pid(&self) -> String {
        std::fs::read_to_string(self.dir.join("lock"))
            .unwrap()
            .trim()
            .to_owned()
    }

    /// Sends the relay a signal.
    pub(super) fn signal(&self, signal: &str) {
        assert!(
            Command::new("kill")
                .args([signal, &self.pid()])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Waits until no relay holds the directory.
    pub(super) fn wait_until_gone(&self) {
        let lock = self.dir.join("lock");
        assert!(
            Command::new("flock")
                .arg(lock)
                .arg("true")
                .status()
                .unwrap()
                .success()
        );
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-TERM", &self.pid()]).output();
    }
}

/// Awaits `future`, which takes seconds at most.
pub(super) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future)
        .await
        .expect("it took too long")
}

pub(super) fn run_id(id: &str) -> RunId {
    RunId::parse(id).unwrap()
}

pub(super) fn launch(program: &str, args: &[&str]) -> Launch {
    let args = args.iter().map(|arg| (*arg).to_owned()).collect();
    Launch {
        program: program.to_owned(),
        args,
        ..Launch::default()
    }
}

pub(super) fn sh(script: &str) -> Launch {
    launch("sh", &["-c", script])
}

/// Starts a run of a shell script.
pub(super) async fn spawn(client: &RelayClient, run: &str, script: &str) -> RunInfo {
    soon(client.spawn(&spawn_of(run, sh(script))))
        .await
        .unwrap()
}

pub(super) fn spawn_of(run: &str, launch: Launch) -> Spawn {
    Spawn {
        run: run_id(run),
        launch,
        stdio: Default::default(),
        owner: None,
    }
}

pub(super) async fn stop(client: &RelayClient, run: &str, grace_ms: u64) -> Exit {
    let stop = Stop {
        run: run_id(run),
        grace_ms,
        interrupt: None,
    };
    soon(client.stop(&stop)).await.unwrap()
}

pub(super) fn input(run: &str, id: &str, owner: &str) -> Input {
    Input {
        run: run_id(run),
        id: InputId::parse(id).unwrap(),
        owner: ClientId::parse(owner).unwrap(),
    }
}

/// All entries of a log, to its end.
pub(super) async fn read_all(log: &mut LogStream) -> Vec<LogEntry> {
    let mut all = Vec::new();
    while let Some(entry) = soon(log.next()).await.unwrap() {
        all.push(entry);
    }
    all
}

/// The whole log of a run, when it has ended.
pub(super) async fn whole_log(client: &RelayClient, run: &str) -> Vec<LogEntry> {
    read_all(&mut client.log(&run_id(run), 0, true).await.unwrap()).await
}

/// Reads until a line of stdout satisfies `wanted`, and gives it.
pub(super) async fn line_where(log: &mut LogStream, wanted: impl Fn(&str) -> bool) -> String {
    loop {
        let entry = soon(log.next())
            .await
            .unwrap()
            .expect("the log ended before that line");
        if let Some(line) = out(&entry).filter(|line| wanted(line)) {
            return line;
        }
    }
}

/// What an entry says on stdout.
pub(super) fn out(entry: &LogEntry) -> Option<String> {
    text(entry, LineKind::Out)
}

/// What an entry says on a pipe.
pub(super) fn text(entry: &LogEntry, wanted: LineKind) -> Option<String> {
    let Body::Line { kind, line } = entry.record().unwrap().body else {
        return None;
    };
    (kind == wanted).then(|| String::from_utf8_lossy(line.content.as_bytes()).into_owned())
}

/// The lines of stdout among these.
pub(super) fn outs(entries: &[LogEntry]) -> Vec<String> {
    entries.iter().filter_map(out).collect()
}

/// The exit in the last of these.
pub(super) fn exit_of(entries: &[LogEntry]) -> Exit {
    let Body::Exit(exit) = entries.last().expect("an empty log").record().unwrap().body else {
        panic!("the last record is no exit");
    };
    exit
}

/// Whether a process is there and no zombie.
pub(super) fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with('Z'))
}
