//! What runs in a box, and signals to it.
//!
//! The relay in the box is asked, over a connection of its own: nobody waits for the task's runner, and a
//! box that does not run is not started for it. What the relay says comes from a hostile place: it is
//! bounded, and control characters are shown and not passed on.

use paddock_boxes::{BoxError, LiveBox};
use paddock_domain::{BoxProcess, ProcessSignal, RunId, TaskId};
use paddock_relay_client::RelayError;
use paddock_relay_client::protocol::{ProcessInfo, RefusalCode, Signal, Target, limits};

use crate::rooms::Rooms;
use crate::{CommandError, Orchestrator};

/// Longest command line that is shown, in characters.
const COMMAND_MAX: usize = 256;

/// The processes of a box.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxProcesses {
    /// Parents before their children.
    pub processes: Vec<BoxProcess>,
    /// Whether there are more.
    pub more: bool,
}

impl Orchestrator {
    /// What runs in a task's box.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`], [`CommandError::Conflict`] when the box does not run.
    pub async fn processes(&self, id: &TaskId) -> Result<BoxProcesses, CommandError> {
        let live = self.live_box(id).await?;
        let listed = live.relay.processes().await.map_err(CommandError::failed)?;
        let more = listed.more || listed.processes.len() > limits::PROCESSES_LISTED;
        let processes = listed.processes.into_iter().take(limits::PROCESSES_LISTED);
        let mut processes: Vec<_> = processes.map(|process| shown(&process)).collect();
        processes.sort_by_key(|process| (process.start, process.pid));
        Ok(BoxProcesses { processes, more })
    }

    /// Sends a signal to the process `pid` of a task's box that started at `start`.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when there is no such process (any more), or the box does not run.
    pub async fn signal(
        &self,
        id: &TaskId,
        (pid, start): (u32, u64),
        signal: ProcessSignal,
    ) -> Result<(), CommandError> {
        if start == 0 {
            return Err(CommandError::bad(
                "the process cannot be told from a later one with its id: its box has an older relay. Stop and revive the task, then try again",
            ));
        }
        let live = self.live_box(id).await?;
        let signal = Signal {
            target: Target::Process { pid, start },
            signal: signal.number(),
        };
        match live.relay.signal(&signal).await {
            Ok(()) => {
                tracing::info!(task.id = %id, pid, signal = signal.signal, "a process was signalled");
                Ok(())
            }
            Err(RelayError::Refused(refusal)) if refusal.code == RefusalCode::NoSuchProcess => {
                Err(CommandError::conflict(refusal.message))
            }
            Err(error) => Err(CommandError::failed(error)),
        }
    }

    /// The task's box, when it runs.
    pub(crate) async fn live_box(&self, id: &TaskId) -> Result<LiveBox, CommandError> {
        self.task(id)?;
        live_box(&self.rooms, id).await
    }
}

/// The box of a task that there is, when it runs.
pub(crate) async fn live_box(rooms: &Rooms, id: &TaskId) -> Result<LiveBox, CommandError> {
    let not_running = |why: &dyn std::fmt::Display| {
        CommandError::conflict(format!(
            "the task's box does not run: {why}. Revive the task, or wait until it has started"
        ))
    };
    match rooms.boxes.find(id).await {
        Ok(Some(live)) => Ok(live),
        Ok(None) => Err(not_running(&"it has none")),
        Err(error @ BoxError::BadRecord { .. }) => Err(CommandError::failed(error)),
        Err(error) => Err(not_running(&error)),
    }
}

fn shown(process: &ProcessInfo) -> BoxProcess {
    let run = process.run.as_ref();
    BoxProcess {
        pid: process.pid,
        parent_pid: process.ppid,
        start: process.start,
        command: escaped(&process.command),
        state: if process.state.is_ascii_graphic() {
            process.state
        } else {
            '?'
        },
        cpu_ms: process.cpu_ms,
        cpu_percent: percent(process.cpu_ms, process.age_ms),
        memory_bytes: process.resident,
        age_ms: process.age_ms,
        run_id: run.and_then(|run| RunId::parse(run.as_str()).ok()),
        relay: process.relay,
    }
}

/// To a tenth.
#[expect(clippy::cast_precision_loss, reason = "a percentage needs no 53 bits")]
fn percent(used_ms: u64, age_ms: u64) -> f64 {
    if age_ms == 0 {
        return 0.0;
    }
    (used_ms as f64 / age_ms as f64 * 1000.0).round() / 10.0
}

/// `text`, cut, with everything written out that would move a cursor, turn the direction of reading or
/// not be seen at all.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == COMMAND_MAX {
            escaped.push('…');
            break;
        }
        if c.is_control() || is_unseen(c) {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Line and paragraph separators, marks of direction, characters without width.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_command_line_is_shown_and_not_passed_on() {
        assert_eq!(
            escaped("a\u{1b}[2J\nb\u{202e}c ä"),
            "a\\u{1b}[2J\\nb\\u{202e}c ä"
        );
        let long = escaped(&"x".repeat(9000));
        assert_eq!(long.chars().count(), COMMAND_MAX + 1);
    }

    #[test]
    fn a_share_of_a_life_is_no_division_by_zero() {
        assert!(percent(5, 0).abs() < 1e-9);
        assert!((percent(500, 2000) - 25.0).abs() < 1e-9);
    }
}
