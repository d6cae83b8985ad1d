//! Joining a run that has said 100 MB: how soon a reader that begins at the first event hears what is said now,
//! and how soon a server that was killed and started again does.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use anyhow::ensure;
use serde_json::json;

use super::{Figure, wire};
use crate::checkout::Checkout;
use crate::served::Served;

/// What was said before: lines and bytes of each.
const BEFORE: (usize, usize) = (100_000, 1000);
/// What is said meanwhile: lines and how many of them a second.
const MEANWHILE: (usize, usize) = (6_000, 20);
/// What the lines that are said meanwhile are told apart by.
const MEANWHILE_LEN: usize = 100;
/// Longest time, in s.
const JOIN_MAX: f64 = 2.0;

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let data = dir.path().join("data");
    fs::create_dir(&data)?;
    let served = Served::start(checkout, &data, &BTreeMap::new())?;
    served.install(checkout, "scripted")?;
    let prompt = format!(
        "say {} lines of {} bytes at 0 per second\nsay {} lines of {MEANWHILE_LEN} bytes at {} per second",
        BEFORE.0, BEFORE.1, MEANWHILE.0, MEANWHILE.1
    );
    let id = wire::create(
        &served,
        &json!({ "prompt": prompt, "harness": "scripted", "box": { "kind": "worktree" } }),
    )?;
    let mut last = 0;
    wire::events(&served, &id, |event| {
        last = wire::seq(event).unwrap_or(last);
        Ok(is_meanwhile(event))
    })?;
    let joined = join(&served, &id)?;

    served.kill()?;
    let (began, killed) = (Instant::now(), wire::now_ms());
    let served = Served::start(checkout, &data, &BTreeMap::new())?;
    let mut after = 0.0;
    let mut heard = last;
    wire::events_after(&served, &id, last, |event| {
        heard = wire::seq(event).unwrap_or(heard);
        after = began.elapsed().as_secs_f64();
        written_since(killed, event)
    })?;
    ensure!(heard > last, "nothing was heard");
    wire::post(&served, &format!("/tasks/{id}/stop"), &json!({}))?;
    wire::purge(&served, &id)?;
    Ok(vec![
        Figure {
            what: "joining a run that has said 100 MB, to what it says now",
            measured: format!("{joined:.2} s"),
            aim: "≤ 2 s",
            met: joined <= JOIN_MAX,
            note: format!(
                "a client that asks for the events from the first one on, while the agent goes on: to the first event \
                 that was written after it asked. {} events with {} bytes each come before it.",
                BEFORE.0, BEFORE.1
            ),
        },
        Figure {
            what: "the same for a server that was killed and started again",
            measured: format!("{after:.2} s"),
            aim: "≤ 2 s",
            met: after <= JOIN_MAX,
            note: "from the start of the program until a client hears what was written since: the box is found, the relay \
                   reached, its log of more than 100 MB gone through, and what the journal has is passed over.".to_owned(),
        },
    ])
}

/// Seconds from asking for a task's events to the first that was written since.
fn join(served: &Served, id: &str) -> anyhow::Result<f64> {
    let (began, asked) = (Instant::now(), wire::now_ms());
    let (mut took, mut before) = (0.0, 0);
    wire::events(served, id, |event| {
        before += usize::from(event.len() > BEFORE.1);
        took = began.elapsed().as_secs_f64();
        written_since(asked, event)
    })?;
    ensure!(before == BEFORE.0, "{before} events came before it");
    Ok(took)
}

/// Whether this is one of the lines that are said meanwhile.
fn is_meanwhile(event: &str) -> bool {
    event.len() < BEFORE.1 && event.contains("\"assistant_message\"")
}

/// Whether it is one of them and was written since `then`, in milliseconds since 1970.
fn written_since(then: f64, event: &str) -> anyhow::Result<bool> {
    if !is_meanwhile(event) {
        return Ok(false);
    }
    // What was written before is most of a day after it on the clock.
    Ok(wire::since(then, &serde_json::from_str(event)?)? < 3_600_000.0)
}
