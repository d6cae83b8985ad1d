//! Search in the history of 100 tasks with 1 GiB of journals: how long a search takes, how long the first reading
//! of all journals, and what its index takes on the disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use super::{Figure, median, restart, wire};
use crate::checkout::Checkout;
use crate::served::Served;

const TASKS: usize = 100;
/// Text of all journals together, in MiB.
const MIB: usize = 1024;
/// How often each search is made.
const TIMES: usize = 9;
/// Longest time of a search, in ms.
const SEARCH_MAX: f64 = 100.0;
/// Longest time of the first reading.
const READ_MAX: Duration = Duration::from_secs(900);
/// A beginning that one event of a hundred has, one that many have, two together, one of a kind, all of a kind.
const ASKED: [&str; 5] = ["aaa", "th", "ab cd", "th kind:tool", "kind:tool"];

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let data = dir.path().join("data");
    fs::create_dir(&data)?;
    restart::fill(checkout, &data, TASKS, MIB)?;
    let began = Instant::now();
    let served = Served::start(checkout, &data, &BTreeMap::new())?;
    until_read(&served, TASKS)?;
    let read = began.elapsed().as_secs_f64();
    let (mut all, mut worst) = (Vec::new(), 0.0_f64);
    for asked in ASKED {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            let began = Instant::now();
            wire::get(
                &served,
                &format!("/search?limit=50&q={}", asked.replace(' ', "%20")),
            )?;
            times.push(began.elapsed().as_secs_f64() * 1000.0);
        }
        let time = median(&mut times);
        worst = worst.max(time);
        all.push(time);
    }
    let middle = median(&mut all);
    let size = size(&data)?;
    Ok(vec![
        Figure {
            what: "a search in 100 tasks with 1 GiB of journals",
            measured: format!("{middle:.0} ms (the slowest of {} searches {worst:.0} ms)", ASKED.len()),
            aim: "≤ 100 ms",
            met: worst <= SEARCH_MAX,
            note: format!(
                "medians of {TIMES} each, 50 hits with snippets a page: `{}`.",
                ASKED.join("`, `")
            ),
        },
        Figure {
            what: "the same, reading all journals for the first time",
            measured: format!("{read:.0} s, {size:.0} MB of index"),
            aim: "beside everything else, once",
            met: true,
            note: "from the start of the program, which is left alone for its first 2 s; a journal that was read is \
                   not read again."
                .to_owned(),
        },
    ])
}

/// Waits until search knows the journals of all `tasks`.
pub(super) fn until_read(served: &Served, tasks: usize) -> anyhow::Result<()> {
    let began = Instant::now();
    loop {
        let page = wire::get(served, "/search?limit=1&q=kind:prompt")?;
        let (unread, ranked) = (page["unread"].as_u64(), page["ranked"].as_u64());
        if unread.context("no figure")? == 0 && ranked == Some(tasks as u64) {
            return Ok(());
        }
        ensure!(
            began.elapsed() < READ_MAX,
            "journals are read for more than {READ_MAX:?}"
        );
        sleep(Duration::from_millis(250));
    }
}

/// What the index takes, in MB.
fn size(data: &Path) -> anyhow::Result<f64> {
    let mut bytes = 0;
    for name in ["search.sqlite", "search.sqlite-wal"] {
        bytes += fs::metadata(data.join(name)).map_or(0, |file| file.len());
    }
    #[allow(clippy::cast_precision_loss)] // a size of a file
    Ok(bytes as f64 / 1e6)
}
