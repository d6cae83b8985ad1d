//! The streams that are one question and one answer: stop, signal, resize, processes.

use std::sync::Arc;

use paddock_relay_protocol::{
    Done, Exit, ProcessInfo, Processes, RUN_MARKER, Refusal, RefusalCode, Resize, Signal, Stop,
    Target, limits,
};
use rustix::process::Signal as Number;

use crate::launch::Marker;
use crate::process::table::{Entry, Table, command_line, variable};
use crate::process::tree::signal_all;
use crate::serve::Relay;

/// Ends a run. Goes on when the client is gone.
pub(crate) async fn stop(relay: &Relay, stop: Stop) -> Result<Exit, Refusal> {
    let run = relay.runs.get(&stop.run)?;
    let stopping = run.clone();
    let stopped = tokio::spawn(async move { stopping.stop(&stop).await });
    stopped.await.ok().flatten().ok_or_else(|| {
        let trouble = run
            .log
            .trouble()
            .unwrap_or_else(|| "some of its processes do not go".to_owned());
        let message = format!("run {} did not end in time: {trouble}", run.id);
        Refusal::new(RefusalCode::TimedOut, message)
    })
}

/// Gives the terminal of a run another size.
pub(crate) fn resize(relay: &Relay, resize: &Resize) -> Result<Done, Refusal> {
    let live = relay.runs.get(&resize.run)?.live_or_refusal()?;
    let Some(terminal) = live.terminal else {
        let message = format!("run {} has no terminal", resize.run);
        return Err(Refusal::new(RefusalCode::Io, message));
    };
    let resized = terminal.resize(resize.size);
    resized.map_err(|error| Refusal::new(RefusalCode::Io, error.to_string()))?;
    Ok(Done {})
}

/// Signals an agent, or any process in the box but the relay.
pub(crate) fn signal(relay: &Relay, signal: &Signal) -> Result<Done, Refusal> {
    let refused = |message| Refusal::new(RefusalCode::NoSuchProcess, message);
    let Some(number) = Number::from_named_raw(signal.signal) else {
        return Err(refused(format!("there is no signal {}", signal.signal)));
    };
    let pid = match &signal.target {
        Target::Run(run) => relay.runs.get(run)?.live_or_refusal()?.pid,
        Target::Pid(pid) if visible().iter().any(|e| e.pid == *pid && !is_relay(e)) => *pid,
        Target::Pid(pid) => {
            return Err(refused(format!(
                "no process {pid} of the box may be signalled"
            )));
        }
    };
    signal_all(&[pid], number);
    Ok(Done {})
}

/// The processes in the box.
pub(crate) fn processes(relay: &Arc<Relay>) -> Processes {
    let entries = visible();
    let more = entries.len() > limits::PROCESSES_LISTED;
    let listed = entries.iter().take(limits::PROCESSES_LISTED);
    Processes {
        processes: listed.map(|entry| info(relay, entry)).collect(),
        more,
    }
}

/// All of a container; of a host only the relay and what descends from it.
fn visible() -> Vec<Entry> {
    let table = Table::read();
    let me = std::process::id();
    if me == 1 {
        return table.entries().to_vec();
    }
    let ours = table.descendants([me]);
    table
        .entries()
        .iter()
        .filter(|entry| ours.contains(&entry.pid))
        .cloned()
        .collect()
}

fn is_relay(entry: &Entry) -> bool {
    entry.pid == std::process::id()
}

fn info(relay: &Relay, entry: &Entry) -> ProcessInfo {
    let marked = variable(entry.pid, RUN_MARKER).and_then(|value| Marker::run_in(&value));
    ProcessInfo {
        pid: entry.pid,
        ppid: entry.ppid,
        command: command_line(entry),
        state: entry.state,
        resident: entry.resident,
        cpu_ms: entry.cpu_ms,
        run: marked.filter(|id| relay.runs.get(id).is_ok()),
    }
}
