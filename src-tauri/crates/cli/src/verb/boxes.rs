//! What boxes use and what runs in them: `stats`, `ps`, `kill`.

use std::collections::BTreeMap;

use anyhow::Result;
use paddock_api::{SignalRequest, StatisticsData, TaskStatistics};
use paddock_client::{Client, FeedItem};
use paddock_domain::{BoxLimits, BoxProcess, Flow, Statistics, TaskId};

use crate::args::{Global, KillArgs, StatsArgs};
use crate::exit::{Exit, told};
use crate::render::{clean, json, line, on_terminal, print, say, size, span, table};
use crate::{reach, resolve};

/// Shows what boxes use.
pub(crate) async fn stats(global: &Global, args: &StatsArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let mut wanted = Vec::new();
    for task in &args.tasks {
        wanted.push(resolve::task(&client, task).await?);
    }
    if args.follow {
        return follow(global, &client, &wanted).await;
    }
    let mut shown: Vec<TaskStatistics> = client.all_statistics().await?;
    if wanted.is_empty() {
        shown.retain(|task| task.following);
    } else {
        shown = Vec::new();
        for task in &wanted {
            shown.push(client.statistics(task).await?);
        }
    }
    if global.json {
        json(&shown)?;
        return Ok(Exit::Well);
    }
    let rows: Vec<_> = shown
        .iter()
        .filter_map(|task| Some(row(&task.task_id, &task.limits?, &task.latest?)))
        .collect();
    if rows.is_empty() {
        say("no box has been measured yet: a box is, a few seconds after its agent has started");
        return Ok(Exit::Well);
    }
    line(&table(HEADINGS, rows, None));
    Ok(Exit::Well)
}

/// Shows samples as they come: on a terminal one table that is drawn anew, else a line each.
async fn follow(global: &Global, client: &Client, wanted: &[TaskId]) -> Result<Exit> {
    let mut feed = client.all_events(None);
    let mut latest: BTreeMap<TaskId, StatisticsData> = BTreeMap::new();
    let mut drawn = 0;
    let mut pressed = Box::pin(tokio::signal::ctrl_c());
    loop {
        let item = tokio::select! {
            item = feed.next() => item?,
            outcome = &mut pressed => { outcome?; return Ok(Exit::Well) }
        };
        let FeedItem::Statistics(sample) = item else {
            continue;
        };
        if !wanted.is_empty() && !wanted.contains(&sample.task_id) {
            continue;
        }
        if global.json {
            json(&sample)?;
            continue;
        }
        if !on_terminal() {
            let row = row(&sample.task_id, &sample.limits, &sample.statistics);
            line(&row.join("  "));
            continue;
        }
        latest.insert(sample.task_id.clone(), *sample);
        let newest = latest.values().map(|s| s.statistics.sampled_at).max();
        // A box that is not heard of any more is not shown for ever.
        latest.retain(|_, s| {
            newest.is_some_and(|now| now.since_ms(s.statistics.sampled_at) < 15_000)
        });
        let rows = latest
            .values()
            .map(|s| row(&s.task_id, &s.limits, &s.statistics));
        let text = table(HEADINGS, rows.collect(), None);
        let up = if drawn > 0 {
            format!("\u{1b}[{drawn}A\u{1b}[J")
        } else {
            String::new()
        };
        print(&format!("{up}{text}\n"));
        drawn = text.lines().count();
    }
}

const HEADINGS: &[&str] = &[
    "TASK",
    "CPU",
    "MEMORY",
    "LIMIT",
    "PEAK",
    "NET IN/OUT",
    "READ/WRITTEN",
    "DISK",
    "PROCESSES",
];

fn row(task: &TaskId, limits: &BoxLimits, sample: &Statistics) -> Vec<String> {
    let flow = |flow: Option<Flow>| {
        flow.map_or_else(
            || "–".to_owned(),
            |flow| format!("{} / {}", size(flow.in_bytes), size(flow.out_bytes)),
        )
    };
    let disk = sample.disk.map(|disk| {
        let more = if disk.at_least { "> " } else { "" };
        format!("{more}{}", size(disk.bytes))
    });
    let limit = if limits.enforced {
        size(limits.memory_bytes)
    } else {
        "–".to_owned()
    };
    vec![
        resolve::short(task).to_owned(),
        format!("{:.1} %", sample.cpu_percent),
        size(sample.memory_bytes),
        limit,
        size(sample.memory_peak_bytes),
        flow(sample.network),
        flow(sample.block_io),
        disk.unwrap_or_else(|| "–".to_owned()),
        sample.processes.to_string(),
    ]
}

/// Lists what runs in a box.
pub(crate) async fn ps(global: &Global, task: &str) -> Result<Exit> {
    let client = reach::client(global).await?;
    let list = client
        .processes(&resolve::task(&client, task).await?)
        .await?;
    if global.json {
        json(&list)?;
        return Ok(Exit::Well);
    }
    let rows = list.items.iter().map(process_row).collect();
    line(&table(
        &["PID", "PARENT", "STATE", "CPU", "MEMORY", "AGE", "COMMAND"],
        rows,
        None,
    ));
    if list.more {
        say("there are more processes than are listed");
    }
    Ok(Exit::Well)
}

fn process_row(process: &BoxProcess) -> Vec<String> {
    let mark = if process.relay { " (relay)" } else { "" };
    vec![
        process.pid.to_string(),
        process.parent_pid.to_string(),
        process.state.to_string(),
        format!("{:.1} %", process.cpu_percent),
        size(process.memory_bytes),
        span(process.age_ms),
        format!("{}{mark}", clean(&process.command)),
    ]
}

/// Sends a signal to a process in a box.
pub(crate) async fn kill(global: &Global, args: &KillArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task = resolve::task(&client, &args.task).await?;
    let listed = client.processes(&task).await?;
    let process = listed.items.iter().find(|process| process.pid == args.pid);
    let process = process.ok_or_else(|| {
        let message = format!(
            "there is no process {} in the box: `paddock ps {}` lists them",
            args.pid, args.task
        );
        told(Exit::NotFound, message)
    })?;
    let request = SignalRequest {
        signal: args.signal,
        start: process.start,
    };
    let accepted = client.signal(&task, args.pid, &request).await?;
    if global.json {
        json(&accepted)?;
    } else {
        say(&format!(
            "{} was sent to {} ({})",
            args.signal.as_str(),
            args.pid,
            clean(&process.command)
        ));
    }
    Ok(Exit::Well)
}
