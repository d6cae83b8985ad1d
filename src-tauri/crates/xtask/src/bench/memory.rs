//! What the programs weigh: the relay's file, a relay with one agent, an idle server.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context;
use serde_json::json;

use super::{Figure, wire};
use crate::checkout::Checkout;
use crate::served::Served;

const RELAY_FILE_MAX: f64 = 3.0;
const RELAY_MAX: f64 = 8.0;
const SERVE_MAX: f64 = 40.0;

/// Resident memory of a process, in MB.
pub(crate) fn resident(pid: u32) -> anyhow::Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .context("no VmRSS")?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024.0 / 1e6)
}

/// The relay that serves a box below `data`.
fn relay_of(data: &std::path::Path) -> anyhow::Result<u32> {
    let data = data.to_str().context("a path that is not UTF-8")?;
    let found = fs::read_dir("/proc")?.flatten().find_map(|process| {
        let line = fs::read(process.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).into_owned();
        let program = line.split('\0').next().unwrap_or_default();
        let serves = program.ends_with("paddock-relay") && line.contains(data);
        serves.then(|| process.file_name().to_str()?.parse().ok())?
    });
    found.context("no relay runs")
}

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let data = dir.path().join("data");
    fs::create_dir(&data)?;
    let served = Served::start(checkout, &data, &BTreeMap::new())?;
    let idle = resident(served.pid())?;
    served.install(checkout, "scripted")?;
    let id = wire::create(
        &served,
        &json!({ "prompt": "say x", "harness": "scripted", "box": { "kind": "worktree" } }),
    )?;
    wire::until(&served, &id, "turn_finished")?;
    let relay = resident(relay_of(&data)?)?;
    wire::purge(&served, &id)?;
    #[allow(clippy::cast_precision_loss)] // A few megabytes.
    let file = fs::metadata(checkout.program("paddock-relay"))?.len() as f64 / 1e6;
    let figure = |what, value: f64, aim, most: f64, note: &str| Figure {
        what,
        measured: format!("{value:.1} MB"),
        aim,
        met: value <= most,
        note: note.to_owned(),
    };
    Ok(vec![
        figure(
            "relay, size of the static binary",
            file,
            "≤ 3 MB",
            RELAY_FILE_MAX,
            "the file that goes into every box.",
        ),
        figure(
            "relay, resident with one agent",
            relay,
            "≤ 8 MB",
            RELAY_MAX,
            "`VmRSS` of the relay of a worktree box after a turn.",
        ),
        figure(
            "`paddock serve`, resident and idle",
            idle,
            "≤ 40 MB",
            SERVE_MAX,
            "`VmRSS` once it serves, with an empty data directory.",
        ),
    ])
}
