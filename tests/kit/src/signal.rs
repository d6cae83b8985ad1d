//! Signals to processes of a test's own.

use std::fs;
use std::process::Command;

use anyhow::Context as _;

/// Sends `signal`, such as `-KILL`.
pub fn signal(pid: u32, signal: &str) -> anyhow::Result<()> {
    let sent = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status()?;
    anyhow::ensure!(sent.success(), "no process {pid}");
    Ok(())
}

/// Has a process stand still: resolves when none of its threads can do anything any more, which on a busy machine is
/// a while after the signal.
pub async fn freeze(pid: u32) -> anyhow::Result<()> {
    signal(pid, "-STOP")?;
    while !stands_still(pid)? {
        tokio::task::yield_now().await;
    }
    Ok(())
}

fn stands_still(pid: u32) -> anyhow::Result<bool> {
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        // A thread that has ended meanwhile does nothing.
        let Ok(stat) = fs::read_to_string(thread?.path().join("stat")) else {
            continue;
        };
        let (_, after_name) = stat.rsplit_once(')').context("a thread without a name")?;
        if !after_name.trim_start().starts_with('T') {
            return Ok(false);
        }
    }
    Ok(true)
}
