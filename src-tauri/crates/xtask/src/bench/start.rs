//! From POST to the agent process running in a container, against a bare `docker run` of the same image.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use super::{Figure, median, wire};
use crate::checkout::Checkout;
use crate::demo::Sample;
use crate::served::Served;
use crate::{setup, step};

/// How often each is measured, after one that is not counted.
const TIMES: usize = 11;
/// Largest ratio aimed at.
const RATIO_MAX: f64 = 1.5;

/// A container task of the scripted agent on the repository at `path`.
pub(crate) fn task(path: &std::path::Path) -> Value {
    json!({
        "prompt": "say x", "harness": "scripted", "repositories": [{ "path": path }],
        "box": { "kind": "container", "image": setup::TEST_IMAGE },
    })
}

/// Milliseconds from POST to `run_started`; the box is gone afterwards.
pub(crate) fn warm_start(served: &Served, path: &std::path::Path) -> anyhow::Result<f64> {
    let began = wire::now_ms();
    let id = wire::create(served, &task(path))?;
    let started = wire::until(served, &id, "run_started")?;
    wire::until_rest(served, &id)?;
    wire::purge(served, &id)?;
    wire::since(began, &started)
}

/// Milliseconds of a bare `docker run IMAGE true`; the container is gone afterwards.
fn bare_run() -> anyhow::Result<f64> {
    let name = format!("paddock-bench-{}", std::process::id());
    let began = Instant::now();
    step::quiet(
        "docker run",
        Command::new("docker").args(["run", "--name", &name, setup::TEST_IMAGE, "true"]),
    )?;
    let took = began.elapsed().as_secs_f64() * 1000.0;
    step::quiet(
        "docker rm",
        Command::new("docker").args(["rm", "-f", &name]),
    )?;
    Ok(took)
}

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let sample = Sample::make(&dir.path().join("repository"))?;
    let data = dir.path().join("data");
    std::fs::create_dir(&data)?;
    let served = Served::start(checkout, &data, &BTreeMap::new())?;
    served.install(checkout, "scripted")?;
    warm_start(&served, &sample.path)?;
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        bare.push(bare_run()?);
        ours.push(warm_start(&served, &sample.path)?);
    }
    let (ours, bare) = (median(&mut ours), median(&mut bare));
    Ok(vec![Figure {
        what: "warm start, POST to agent running, over bare `docker run`",
        measured: format!("{:.2}× ({ours:.0} ms over {bare:.0} ms)", ours / bare),
        aim: "≤ 1.5×",
        met: ours / bare <= RATIO_MAX,
        note: format!(
            "medians of {TIMES}, in turn. Ours is from just before the POST to the journal's `run_started`: branch, box, relay, checkout and agent. \
             Bare is `docker run IMAGE true` until it returns."
        ),
    }])
}
