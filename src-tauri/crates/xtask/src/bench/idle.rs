//! What a server weighs and does while nothing happens to its 200 tasks.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::Value;

use super::memory::resident;
use super::statistics::rest;
use super::{Figure, restart, search, wire};
use crate::checkout::Checkout;
use crate::served::Served;

const TASKS: usize = 200;
/// Text of all journals together, in MiB.
const MIB: usize = 200;
/// How long is measured.
const MEASURED: Duration = Duration::from_secs(30);
/// Longest time until everything is looked at.
const LOADED_MAX: Duration = Duration::from_secs(60);
/// Most memory, in MB.
const MEMORY_MAX: f64 = 60.0;
/// Most processor time, in percent of one core.
const CPU_MAX: f64 = 1.0;

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let data = dir.path().join("data");
    fs::create_dir(&data)?;
    restart::fill(checkout, &data, TASKS, MIB)?;
    let served = Served::start(checkout, &data, &BTreeMap::new())?;
    let tasks = restart::listed(&served)?;
    ensure!(tasks.len() == TASKS, "{} tasks are listed", tasks.len());
    let deadline = Instant::now() + LOADED_MAX;
    while wire::get(&served, "/health")?["loading"] != Value::Bool(false) {
        ensure!(Instant::now() < deadline, "it does not come to rest");
        std::thread::sleep(Duration::from_millis(100));
    }
    // Search reads what it does not know once, and not at rest.
    search::until_read(&served, TASKS)?;
    // What else looks through the tasks once after a start has done so by then.
    std::thread::sleep(Duration::from_secs(5));
    let cpu = rest(served.pid(), MEASURED)?;
    let memory = resident(served.pid())?;
    Ok(vec![
        Figure {
            what: "`paddock serve`, resident with 200 tasks",
            measured: format!("{memory:.1} MB"),
            aim: "≤ 60 MB",
            met: memory <= MEMORY_MAX,
            note: format!(
                "`VmRSS` after {} s at rest with {TASKS} tasks that are over and {MIB} MiB of journals, all listed and read by search.",
                MEASURED.as_secs()
            ),
        },
        Figure {
            what: "`paddock serve`, processor with 200 tasks at rest",
            measured: format!("{cpu:.2} % of one core"),
            aim: "< 1 %",
            met: cpu < CPU_MAX,
            note: format!("user and system time over {} s.", MEASURED.as_secs()),
        },
    ])
}
