//! A start with 100 tasks and 1 GiB of journals: how soon they are listed, how soon a history is read, and how
//! much of the journals was read for it. Journals are written by the store itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::{Figure, median, wire};
use crate::checkout::Checkout;
use crate::served::Served;
use crate::step;

const TASKS: usize = 100;
/// Text of all journals together, in MiB.
const MIB: usize = 1024;
/// How often it is started.
const TIMES: usize = 5;
/// Longest time to the list, in ms.
const LIST_MAX: f64 = 1000.0;
/// Longest time to the first page, in ms.
const PAGE_MAX: f64 = 100.0;
/// Most that may be read of the journals, in MB: their ends and the tables of compressed ones.
const READ_MAX: f64 = 32.0;

/// Makes a data directory of `tasks` tasks with `mib` MiB of journals below `dir`.
pub(super) fn fill(
    checkout: &Checkout,
    dir: &Path,
    tasks: usize,
    mib: usize,
) -> anyhow::Result<()> {
    let mut cargo = checkout.cargo();
    cargo.args([
        "build",
        "--quiet",
        "--release",
        "-p",
        "paddock-store",
        "--example",
        "fill",
    ]);
    step::shown("build what writes the journals", &mut cargo)?;
    let mut fill = checkout.command(checkout.bin().join("examples/fill"));
    fill.arg(dir).args([tasks.to_string(), mib.to_string()]);
    step::quiet("write the journals", &mut fill).map(drop)
}

/// The tasks that are listed.
pub(super) fn listed(served: &Served) -> anyhow::Result<Vec<Value>> {
    let page = wire::get(served, "/tasks?limit=200")?;
    Ok(page["items"].as_array().context("no list")?.clone())
}

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let data = dir.path().join("data");
    fs::create_dir(&data)?;
    fill(checkout, &data, TASKS, MIB)?;
    let (mut lists, mut pages, mut reads) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let began = Instant::now();
        let served = Served::start(checkout, &data, &BTreeMap::new())?;
        let tasks = listed(&served)?;
        lists.push(ms(began));
        ensure!(tasks.len() == TASKS, "{} tasks are listed", tasks.len());
        reads.push(read(served.pid())?);
        // One compressed, one plain.
        for nth in [1, TASKS - 1] {
            let id = tasks[nth]["task_id"].as_str().context("no id")?;
            let began = Instant::now();
            wire::stream(&served, &format!("/tasks/{id}/events"), |_| Ok(true))?;
            pages.push(ms(began));
        }
    }
    let most = pages.iter().copied().fold(0.0, f64::max);
    let (list, page, read) = (median(&mut lists), median(&mut pages), median(&mut reads));
    Ok(vec![
        figure(
            "start with 100 tasks and 1 GiB of journals, to the list",
            format!("{list:.0} ms"),
            "≤ 1 s",
            list <= LIST_MAX,
            format!(
                "median of {TIMES}, from just before the program is started to the answer of `GET tasks` with all of \
                 them. Nine of ten journals are settled and compressed, one was just written."
            ),
        ),
        figure(
            "the same, to the first event of a history",
            format!("{page:.0} ms (at most {most:.0} ms)"),
            "≤ 100 ms",
            most <= PAGE_MAX,
            format!("median of {} reads, half of them of compressed journals, just after the start.", pages.len()),
        ),
        figure(
            "the same, read from the disk by then",
            format!("{read:.1} MB"),
            "no settled journal is read again (≤ 32 MB)",
            read <= READ_MAX,
            "`rchar` of the server when the list is there: the program itself, the index, the ends of plain journals \
             and the tables of compressed ones.".to_owned(),
        ),
    ])
}

fn figure(
    what: &'static str,
    measured: String,
    aim: &'static str,
    met: bool,
    note: String,
) -> Figure {
    Figure {
        what,
        measured,
        aim,
        met,
        note,
    }
}

fn ms(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}

/// What a process has read from files and connections, in MB.
fn read(pid: u32) -> anyhow::Result<f64> {
    let io = fs::read_to_string(format!("/proc/{pid}/io"))?;
    let bytes = io.lines().find_map(|line| line.strip_prefix("rchar: "));
    Ok(bytes.context("no rchar")?.trim().parse::<f64>()? / 1e6)
}
