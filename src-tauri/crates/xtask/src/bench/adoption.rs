//! How soon a server that was killed has its boxes again: twenty with live agents, worktrees and containers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::{Value, json};

use super::{Figure, boxes, median, restart, wire};
use crate::checkout::Checkout;
use crate::served::Served;
use crate::setup;

const BOXES: usize = 20;
/// How often it is killed.
const TIMES: usize = 3;
/// Longest time, in s.
const ADOPTED_MAX: f64 = 3.0;
/// Longest time that is waited.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let data = dir.path().join("data");
    fs::create_dir(&data)?;
    let parallel = BTreeMap::from([("PADDOCK_LIMITS_PARALLEL_TASKS".to_owned(), "32".to_owned())]);
    let served = Served::start(checkout, &data, &parallel)?;
    served.install(checkout, "scripted")?;
    let engine = setup::engine(checkout);
    let tasks = boxes::mixed(&served, BOXES, engine)?;
    for task in &tasks {
        wire::until_rest(&served, task)?;
    }
    let (served, measured) = rounds(checkout, &data, served, &parallel)?;
    for task in &tasks {
        answers(&served, task)?;
    }
    for task in &tasks {
        wire::purge(&served, task)?;
    }
    let (mut listed, mut adopted): (Vec<_>, Vec<_>) = measured?.into_iter().unzip();
    let containers = if engine { BOXES / 2 } else { 0 };
    let (listed, adopted) = (median(&mut listed), median(&mut adopted));
    Ok(vec![Figure {
        what: "adoption of 20 live boxes after a kill",
        measured: format!("{adopted:.2} s (listed after {listed:.2} s)"),
        aim: "≤ 3 s",
        met: adopted <= ADOPTED_MAX,
        note: format!(
            "median of {TIMES}, from just before the program is started until the link of every task is `connected`: \
             box found, relay reached, run followed. {containers} of the {BOXES} are containers; their agents wait."
        ),
    }])
}

/// Seconds to the list and to the last box, of each start.
type Rounds = Vec<(f64, f64)>;

/// Kills and starts the server; gives the last one, and seconds to the list and to the last box of each.
fn rounds(
    checkout: &Checkout,
    data: &Path,
    mut served: Served,
    variables: &BTreeMap<String, String>,
) -> anyhow::Result<(Served, anyhow::Result<Rounds>)> {
    let mut measured = Vec::new();
    for _ in 0..TIMES {
        served.kill()?;
        let began = Instant::now();
        served = Served::start(checkout, data, variables)?;
        match round(&served, began) {
            Ok(times) => measured.push(times),
            Err(error) => return Ok((served, Err(error))),
        }
    }
    Ok((served, Ok(measured)))
}

fn round(served: &Served, began: Instant) -> anyhow::Result<(f64, f64)> {
    let tasks = restart::listed(served)?;
    ensure!(tasks.len() == BOXES, "tasks are missing");
    let listed = began.elapsed().as_secs_f64();
    while connected(served)? < BOXES {
        ensure!(began.elapsed() < PATIENCE, "not every box is adopted");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok((listed, began.elapsed().as_secs_f64()))
}

/// Holds that a task's agent is the one that there was: it answers in a second turn.
fn answers(served: &Served, task: &str) -> anyhow::Result<()> {
    let said = json!({ "text": "say still here" });
    wire::post(served, &format!("/tasks/{task}/send"), &said)?;
    let mut runs = 0;
    wire::events(served, task, |event| {
        runs += usize::from(event.contains("\"run_started\""));
        Ok(event.contains("still here") && event.contains("\"assistant_message\""))
    })?;
    ensure!(runs == 1, "the agent of {task} was started {runs} times");
    Ok(())
}

/// Tasks whose box is connected.
fn connected(served: &Served) -> anyhow::Result<usize> {
    let tasks = restart::listed(served)?;
    let is = |task: &&Value| task["link"]["state"] == "connected";
    Ok(tasks.iter().filter(is).count())
}
