//! What it costs to look after boxes at rest: samples every five seconds, whoever watches.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;

use super::{Figure, boxes, wire};
use crate::checkout::Checkout;
use crate::served::Served;
use crate::setup;

/// Boxes at rest.
const BOXES: usize = 20;

/// How long is measured.
const MEASURED: Duration = Duration::from_secs(60);

/// How long the boxes have to come to rest and be sampled.
const SETTLE_MAX: Duration = Duration::from_secs(180);

/// Most processor time, in percent of one core.
const CPU_MAX: f64 = 1.0;

/// Clock ticks in a second, as Linux shows times to programs.
const TICKS: f64 = 100.0;

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let data = dir.path().join("data");
    fs::create_dir(&data)?;
    let served = Served::start(checkout, &data, &BTreeMap::new())?;
    served.install(checkout, "scripted")?;
    let engine = setup::engine(checkout);
    let tasks = boxes::mixed(&served, BOXES, engine)?;
    for task in &tasks {
        wire::until(&served, task, "turn_finished")?;
    }
    let measured = settle(checkout, &served).and_then(|()| rest(served.pid(), MEASURED));
    for task in &tasks {
        wire::purge(&served, task)?;
    }
    let (cpu, containers) = (measured?, if engine { BOXES / 2 } else { 0 });
    Ok(vec![Figure {
        what: "`paddock serve`, processor with 20 boxes at rest",
        measured: format!("{cpu:.2} % of one core"),
        aim: "≤ 1 %",
        met: cpu <= CPU_MAX,
        note: format!(
            "user and system time of the server over {} s with {BOXES} boxes whose agents wait ({containers} of them \
             containers), each sampled every 5 s: processor, memory, processes, network, disk.",
            MEASURED.as_secs()
        ),
    }])
}

/// Waits until every box is sampled.
fn settle(checkout: &Checkout, served: &Served) -> anyhow::Result<()> {
    let deadline = Instant::now() + SETTLE_MAX;
    loop {
        let output = served.client(checkout).args(["stats", "--json"]).output()?;
        let shown: Value = serde_json::from_slice(&output.stdout).context("no statistics")?;
        let sampled = shown.as_array().into_iter().flatten();
        let sampled = sampled.filter(|one| one["latest"]["memory_bytes"].as_u64() > Some(0));
        if sampled.count() >= BOXES {
            return Ok(());
        }
        anyhow::ensure!(
            Instant::now() < deadline,
            "not every box is sampled: {shown}"
        );
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Processor time of `pid` while nothing is asked of it for `time`, in percent of one core.
pub(super) fn rest(pid: u32, time: Duration) -> anyhow::Result<f64> {
    let before = used(pid)?;
    std::thread::sleep(time);
    Ok((used(pid)? - before) / time.as_secs_f64() * 100.0)
}

/// Processor time of a process, in seconds.
pub(super) fn used(pid: u32) -> anyhow::Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let (_, tail) = stat.rsplit_once(')').context("no process")?;
    let mut times = tail.split_whitespace().skip(11);
    let mut next = || times.next().and_then(|ticks| ticks.parse::<f64>().ok());
    let (user, system) = (next().context("no time")?, next().context("no time")?);
    Ok((user + system) / TICKS)
}
