//! How fast the relay alone takes in what an agent prints, made durable, against `cat log | tee file`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Context;
use serde_json::Value;

use super::{Figure, median};
use crate::checkout::Checkout;
use crate::{relay, step};

/// How much the agent prints, in bytes, about.
const LOG_LEN: usize = 200 << 20;
/// How often each is measured, in turn.
const ROUNDS: usize = 5;
/// Smallest ratio aimed at.
const RATIO_MIN: f64 = 0.3;
/// Most memory of the relay at its peak, in MB, to count as flat.
const PEAK_MAX: f64 = 8.0;

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let log = dir.path().join("log.jsonl");
    write_log(&log)?;
    let relay = relay::build(checkout)?;
    let (mut ours, mut tee, mut peak) = (Vec::new(), Vec::new(), 0.0_f64);
    for _ in 0..ROUNDS {
        let mut ingest = checkout.cargo();
        ingest.args(["run", "--quiet", "--release", "-p", "paddock-relay"]);
        ingest
            .args(["--example", "ingest", "--"])
            .args([&relay, &log]);
        let told = step::quiet("ingest", &mut ingest)?;
        let told: Value = serde_json::from_str(told.trim())?;
        let figure = |name: &str| told[name].as_f64().with_context(|| format!("no {name}"));
        ours.push(figure("ms")? / 1e3);
        peak = peak.max(figure("peak_rss")? / 1e6);
        let copy = format!(
            "cat {0} | tee {0}.copy > /dev/null && sync {0}.copy",
            log.display()
        );
        let began = Instant::now();
        step::quiet("tee", Command::new("sh").args(["-c", &copy]))?;
        tee.push(began.elapsed().as_secs_f64());
    }
    let (ours, tee) = (median(&mut ours), median(&mut tee));
    Ok(vec![Figure {
        what: "ingest by the relay over `cat log \\| tee file`",
        measured: format!(
            "{:.2}× ({ours:.2} s against {tee:.2} s), {peak:.1} MB at its peak",
            tee / ours
        ),
        aim: "≥ 0.3×, flat memory",
        met: tee / ours >= RATIO_MIN && peak <= PEAK_MAX,
        note: format!(
            "{} MB of an agent's JSON lines, printed by `cat` in a run, until the exit record is on the disk; `tee` with a `sync` of its file. Medians of {ROUNDS}, in turn.",
            LOG_LEN >> 20
        ),
    }])
}

/// Lines as agents print them: JSON with quotes to escape.
fn write_log(path: &Path) -> anyhow::Result<()> {
    let text = "The quick brown fox reads src/login.rs and says \\\\\"maybe\\\\\". ".repeat(12);
    let line = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
    );
    let mut file = BufWriter::new(File::create(path)?);
    for _ in 0..LOG_LEN / line.len() {
        writeln!(file, "{line}")?;
    }
    Ok(file.flush()?)
}
