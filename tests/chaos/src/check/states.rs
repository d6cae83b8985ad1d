//! States are truthful: a task that is called alive has its agent, one that is not has nothing running.

use std::path::Path;

use super::Violation;
use crate::processes;

/// What is wrong with the processes of a task that rests in `state`.
pub(crate) fn processes_of_rest(task: &str, dir: &Path, state: &str) -> Vec<Violation> {
    let there = processes::of_box(task, dir);
    let agents = there.iter().filter(|process| process.is_agent()).count();
    let relays = there.iter().filter(|process| process.is_relay()).count();
    let mut found = Vec::new();
    match state {
        "waiting" | "asking" | "has_plan" | "running" if agents != 1 || relays != 1 => {
            let how = format!("{state}, with {agents} agents and {relays} relays");
            found.push(Violation::of("a state is true", how));
        }
        "stopped" | "crashed" | "failed" | "purged" => {
            let stray = there.iter().filter(|process| process.of_run);
            found.extend(stray.map(|process| {
                let how = format!("{state}, and there runs {}", process.describe());
                Violation::of("nothing outlives its run", how)
            }));
        }
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use paddock_relay_protocol::RUN_MARKER;

    use super::*;

    #[test]
    fn a_stopped_task_has_nothing_running_and_a_waiting_one_has_its_agent() {
        let task = format!("states-{}", std::process::id());
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(processes_of_rest(&task, dir.path(), "stopped"), []);
        assert_eq!(processes_of_rest(&task, dir.path(), "waiting").len(), 1);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "echo; read end"])
            .env("PADDOCK_TASK", &task);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut left = shell.env(RUN_MARKER, "1").spawn().unwrap();
        // A program that has said something is there whole.
        let said = &mut [0];
        left.stdout.as_mut().unwrap().read_exact(said).unwrap();
        let found = processes_of_rest(&task, dir.path(), "stopped");
        left.kill().unwrap();
        left.wait().unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
