//! Strikes carried out: signals, cuts, full disks, clocks that jump.
//!
//! Invariant: what a strike takes away it gives back before it returns; only what it killed stays dead.

mod connection;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use rustix::process::Signal;

use crate::engine::Engine;
use crate::lane::Stand;
use crate::plan::Strike;
use crate::processes::{self, Process};

/// Carries out `strike` against the stand or the box of `task`; says whether there was anything to hit.
pub(crate) async fn strike(stand: &Stand, task: &str, strike: Strike) -> anyhow::Result<bool> {
    let dir = stand.box_dir(task);
    match strike {
        Strike::ServerKill { down_ms } => {
            let mut server = stand.server.lock().await;
            server.kill().await?;
            pause(down_ms).await;
            stand.restart(&mut server).await?;
        }
        Strike::ServerTerm => {
            let mut server = stand.server.lock().await;
            server.end().await?;
            stand.restart(&mut server).await?;
        }
        Strike::ServerPause { ms } => {
            let server = stand.server.lock().await;
            server.signal(Signal::STOP);
            pause(ms).await;
            server.signal(Signal::CONT);
        }
        Strike::RelayKill => return Ok(send(&relays(task, &dir), Signal::KILL)),
        Strike::AgentKill => return Ok(send(&agents(task, &dir), Signal::KILL)),
        Strike::RelayPause { ms } => return Ok(stall(&relays(task, &dir), ms).await),
        Strike::AgentPause { ms } => return Ok(stall(&agents(task, &dir), ms).await),
        Strike::Cut => return Ok(connection::cut(&relays(task, &dir)) > 0),
        Strike::ContainerKill => return container(stand, task, &[&["kill"]]).await,
        Strike::ContainerStop => return container(stand, task, &[&["stop", "-t", "3"]]).await,
        Strike::ContainerRestart => {
            return container(stand, task, &[&["restart", "-t", "1"]]).await;
        }
        Strike::ContainerPause { ms } => {
            let paused = container(stand, task, &[&["pause"]]).await?;
            pause(ms).await;
            if paused {
                container(stand, task, &[&["unpause"]]).await?;
            }
            return Ok(paused);
        }
        Strike::EngineKill {
            live_restore,
            down_ms,
        } => {
            let engine = engine(stand)?.lock().await;
            engine.kill().await?;
            pause(down_ms).await;
            engine.up(live_restore).await?;
        }
        Strike::EngineTerm { live_restore } => {
            let engine = engine(stand)?.lock().await;
            engine.down().await?;
            engine.up(live_restore).await?;
        }
        Strike::EnginePause { ms } => {
            let engine = engine(stand)?.lock().await;
            engine.signal(Signal::STOP)?;
            pause(ms).await;
            engine.signal(Signal::CONT)?;
        }
        Strike::DiskFull { ms } => {
            // Two may fill it at the same time.
            let filler = stand.beside_data(&format!("filler-{ms}"));
            let filled = fill(&filler);
            pause(ms).await;
            if filled {
                fs::remove_file(&filler)?;
            }
            return Ok(filled);
        }
        Strike::ClockJump { seconds } => stand.jump(seconds)?,
    }
    Ok(true)
}

async fn pause(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

fn relays(task: &str, dir: &Path) -> Vec<Process> {
    let mut there = processes::of_box(task, dir);
    there.retain(Process::is_relay);
    there
}

fn agents(task: &str, dir: &Path) -> Vec<Process> {
    let mut there = processes::of_box(task, dir);
    there.retain(Process::is_agent);
    there
}

fn send(to: &[Process], signal: Signal) -> bool {
    to.iter().for_each(|process| process.signal(signal));
    !to.is_empty()
}

async fn stall(these: &[Process], ms: u64) -> bool {
    send(these, Signal::STOP);
    pause(ms).await;
    send(these, Signal::CONT)
}

fn engine(stand: &Stand) -> anyhow::Result<&tokio::sync::Mutex<Engine>> {
    stand.engine.as_deref().context("this stand has no engine")
}

/// Tells the engine to do `what` with the containers of `task`. One that is not in the state for it is
/// no hit.
async fn container(stand: &Stand, task: &str, what: &[&[&str]]) -> anyhow::Result<bool> {
    let engine = engine(stand)?.lock().await;
    let mut hit = false;
    for id in engine.containers(task).await? {
        for words in what {
            let words = [words, &[id.as_str()][..]].concat();
            hit |= engine.docker(&words).await.is_ok();
        }
    }
    Ok(hit)
}

/// Fills the disk that `file` lies on, to the last byte; says whether there was room for the file.
fn fill(file: &Path) -> bool {
    let Ok(mut filler) = fs::File::create(file) else {
        return false;
    };
    for size in [1 << 20, 1 << 12, 1] {
        let piece = vec![b'x'; size];
        while filler.write_all(&piece).is_ok() {}
    }
    true
}
