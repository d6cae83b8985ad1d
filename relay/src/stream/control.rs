//! The streams that are one question and one answer: stop, signal, resize, processes.

use std::sync::Arc;

use paddock_relay_protocol::{
    Done, Exit, ProcessInfo, Processes, RUN_MARKER, Refusal, RefusalCode, Resize, Signal, Stop,
    Target, limits,
};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal as Number, pidfd_open, pidfd_send_signal};

use crate::launch::Marker;
use crate::process::table::{Entry, Table, age_ms, command_line, uptime_ms, variable};
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
        Target::Process { pid, start } => return signal_process(*pid, *start, number),
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

/// Signals one process of the box, and no other that has its id by now: it is held while it is looked
/// at, so that its id cannot pass to another in between.
fn signal_process(pid: u32, start: u64, number: Number) -> Result<Done, Refusal> {
    let refused = |why: &str| {
        let message = format!("process {pid} {why}: list the processes again");
        Err(Refusal::new(RefusalCode::NoSuchProcess, message))
    };
    let Some(id) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
        return refused("cannot be");
    };
    let held = pidfd_open(id, PidfdFlags::empty());
    let is_it = |e: &Entry| e.pid == pid && e.start == start && e.lives() && !is_relay(e);
    if !visible().iter().any(is_it) {
        return refused("is not in the box (any more), or must not be signalled");
    }
    let sent = match held {
        Ok(held) => pidfd_send_signal(held, number),
        // A kernel, or a profile of the box, that knows no such thing: as near as can be.
        Err(Errno::NOSYS | Errno::PERM) => match Table::entry(pid).filter(is_it) {
            Some(_) => rustix::process::kill_process(id, number),
            None => Err(Errno::SRCH),
        },
        Err(error) => Err(error),
    };
    match sent {
        Ok(()) => Ok(Done {}),
        Err(Errno::SRCH) => refused("has ended"),
        Err(error) => Err(Refusal::new(
            RefusalCode::Io,
            format!("process {pid} cannot be signalled: {error}"),
        )),
    }
}

/// The processes in the box.
pub(crate) fn processes(relay: &Arc<Relay>) -> Processes {
    let entries = visible();
    let more = entries.len() > limits::PROCESSES_LISTED;
    let listed = entries.iter().take(limits::PROCESSES_LISTED);
    let uptime = uptime_ms();
    Processes {
        processes: listed.map(|entry| info(relay, entry, uptime)).collect(),
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

fn info(relay: &Relay, entry: &Entry, uptime: u64) -> ProcessInfo {
    let marked = variable(entry.pid, RUN_MARKER).and_then(|value| Marker::run_in(&value));
    ProcessInfo {
        pid: entry.pid,
        ppid: entry.ppid,
        command: command_line(entry),
        state: entry.state,
        resident: entry.resident,
        cpu_ms: entry.cpu_ms,
        start: entry.start,
        age_ms: age_ms(entry, uptime),
        relay: is_relay(entry),
        run: marked.filter(|id| relay.runs.get(id).is_ok()),
    }
}
