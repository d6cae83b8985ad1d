//! What runs in a box, as `/proc` tells it: independent of what anybody believes.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use paddock_relay_protocol::RUN_MARKER;
use rustix::process::{Pid, Signal, kill_process};

/// One process of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) words: Vec<String>,
    /// Whether it descends from a run: the relay marks what it starts for an agent.
    pub(crate) of_run: bool,
}

impl Process {
    fn name(&self) -> &str {
        let program = self.words.first().map(String::as_str).unwrap_or_default();
        program.rsplit('/').next().unwrap_or(program)
    }

    /// Whether it is the relay.
    pub(crate) fn is_relay(&self) -> bool {
        self.name() == "paddock-relay" && self.words.get(1).is_some_and(|word| word == "serve")
    }

    /// Whether it is the agent, and none of its offspring.
    pub(crate) fn is_agent(&self) -> bool {
        let offspring = |word: &String| word == "--in-session" || word == "--linger";
        matches!(self.name(), "scripted" | "claude") && !self.words.iter().any(offspring)
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(pid) = Pid::from_raw(self.pid) {
            // One that has just ended is as good as told.
            let _ = kill_process(pid, signal);
        }
    }

    /// Short, for people.
    pub(crate) fn describe(&self) -> String {
        let line: String = self.words.join(" ").chars().take(160).collect();
        format!("{} `{line}`", self.pid)
    }
}

/// Every process of the box of `task` that lies in `dir`: those that carry its mark, name its
/// directory or stand in it. Those that are dead and not yet reaped are none.
pub(crate) fn of_box(task: &str, dir: &Path) -> Vec<Process> {
    let marks = [
        format!("PADDOCK_BOX={task}@"),
        format!("PADDOCK_TASK={task}"),
    ];
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    pids.filter(|pid| *pid != own)
        .filter_map(|pid| {
            let words = words(pid)?;
            let dir_name = dir.as_os_str().as_bytes();
            let named = words.iter().any(|word| contains(word.as_bytes(), dir_name));
            let ours = named || carries(pid, &marks) || stands_in(pid, dir);
            ours.then(|| Process {
                of_run: carries(pid, &[format!("{RUN_MARKER}=")]),
                pid,
                words,
            })
        })
        .collect()
}

/// The words of a command line; none when the process is gone or dead.
fn words(pid: i32) -> Option<Vec<String>> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    if line.is_empty() {
        return None;
    }
    let words = line.split(|byte| *byte == 0);
    let words = words.filter(|word| !word.is_empty());
    Some(
        words
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect(),
    )
}

fn carries(pid: i32, marks: &[String]) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment
        .split(|byte| *byte == 0)
        .any(|entry| marks.iter().any(|mark| entry.starts_with(mark.as_bytes())))
}

fn stands_in(pid: i32, dir: &Path) -> bool {
    fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd.starts_with(dir))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
