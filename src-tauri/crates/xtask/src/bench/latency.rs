//! From an agent's line to a client of the event stream, with 24 agents that stream 40 KB/s each.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use serde_json::json;

use super::{Figure, percentile, wire};
use crate::checkout::Checkout;
use crate::served::Served;

const STREAMS: usize = 24;
/// Lines of each agent; 4 KB each, ten a second.
const LINES: usize = 100;
/// Largest latencies aimed at, in milliseconds.
const P50_MAX: f64 = 2.0;
const P99_MAX: f64 = 10.0;

/// A stand-in for the `scripted` agent that says the time, in its protocol.
const METRONOME: &str = r#"#!/usr/bin/env python3
import json, sys, time
if "--version" in sys.argv:
    print("scripted VERSION"); sys.exit(0)
def say(**line):
    sys.stdout.write(json.dumps(line) + "\n"); sys.stdout.flush()
say(type="session", protocol=1, id="metronome", resumed=False, model="none", turns=0)
for line in sys.stdin:
    prompt = json.loads(line)
    if prompt["type"] != "prompt": continue
    say(type="turn_started", turn=1, prompt=prompt["id"])
    # Together, and not in step: each begins somewhere in the tenth of a second.
    begin = time.time() + 3.0 + (hash(prompt["id"]) % 1000) / 10000
    for n in range(LINES):
        time.sleep(max(0, begin + n * 0.1 - time.time()))
        say(type="text", message="t1.%d" % n, text="at:%d;" % time.time_ns() + "x" * 3950)
    say(type="turn_finished", turn=1, prompt=prompt["id"], outcome="completed")
"#;

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let agent = dir.path().join("metronome");
    let script = METRONOME
        .replace("VERSION", env!("CARGO_PKG_VERSION"))
        .replace("LINES", &LINES.to_string());
    fs::write(&agent, script)?;
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755))?;
    let data = dir.path().join("data");
    fs::create_dir(&data)?;
    let text = |path: &std::path::Path| {
        path.to_str()
            .map(str::to_owned)
            .context("a path that is not UTF-8")
    };
    let variables = BTreeMap::from([
        ("PADDOCK_SCRIPTED_AGENT".to_owned(), text(&agent)?),
        (
            "PADDOCK_TOOLBOX_DIR".to_owned(),
            text(&dir.path().join("toolbox"))?,
        ),
        ("PADDOCK_LIMITS_PARALLEL_TASKS".to_owned(), "64".to_owned()),
    ]);
    let served = Served::start(checkout, &data, &variables)?;
    served.install(checkout, "scripted")?;
    let mut late = std::thread::scope(|scope| {
        let reader = scope.spawn(|| read(&served));
        let mut tasks = Vec::new();
        for _ in 0..STREAMS {
            tasks.push(wire::create(
                &served,
                &json!({ "prompt": "go", "harness": "scripted", "box": { "kind": "worktree" } }),
            )?);
        }
        let late = reader.join();
        for task in &tasks {
            wire::purge(&served, task)?;
        }
        late.map_err(|_| anyhow::anyhow!("the reader panicked"))?
    })?;
    let (half, most) = (percentile(&mut late, 50), percentile(&mut late, 99));
    let note = format!(
        "{} lines of {STREAMS} agents at 40 KB/s each, read from one stream of all tasks. From the agent's clock just before it writes a line to our clock when \
         the event was read; agents, relays, server and reader share the machine, so its load shows in the p99 first.",
        late.len()
    );
    let figure = |what, measured: f64, aim, met| Figure {
        what,
        measured: format!("{measured:.2} ms"),
        aim,
        met,
        note: note.clone(),
    };
    Ok(vec![
        figure(
            "agent line to SSE client, p50, 24 streams",
            half,
            "≤ 2 ms",
            half <= P50_MAX,
        ),
        figure(
            "agent line to SSE client, p99, 24 streams",
            most,
            "≤ 10 ms",
            most <= P99_MAX,
        ),
    ])
}

/// Reads the lines of every agent, and how late each came, in milliseconds.
fn read(served: &Served) -> anyhow::Result<Vec<f64>> {
    let mut late = Vec::new();
    wire::stream(served, "/events", |data| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        if !data.contains("\"assistant_message\"") {
            return Ok(false);
        }
        let said = data
            .split_once("at:")
            .and_then(|(_, rest)| rest.split_once(';'));
        let (at, _) = said.context("a line without its time")?;
        let at = std::time::Duration::from_nanos(at.parse()?);
        late.push(now.saturating_sub(at).as_secs_f64() * 1000.0);
        Ok(late.len() == STREAMS * LINES)
    })?;
    Ok(late)
}
