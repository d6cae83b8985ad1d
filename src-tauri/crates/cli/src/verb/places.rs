//! `paddock places`: who works on a host, who waits for a place, and in which order.

use anyhow::Result;
use paddock_api::{HostView, TaskName};
use paddock_domain::{HostName, LineEnd};

use crate::args::{Global, PlacesArgs};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{clean, json, line};
use crate::resolve::{self, short};

/// Shows or changes the places of hosts.
pub(crate) async fn places(global: &Global, args: PlacesArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let moved = args
        .front
        .map(|task| (task, LineEnd::Front))
        .or(args.back.map(|task| (task, LineEnd::Back)));
    if let Some((task, end)) = moved {
        let task = resolve::task(&client, &task).await?;
        let place = client.move_in_line(&task, end).await?;
        if global.json {
            json(&place)?;
        } else {
            line(&place.reason);
        }
        return Ok(Exit::Well);
    }
    if let Some(limit) = args.limit {
        let host = HostName::parse(&args.host);
        let host = host.map_err(|error| told(Exit::Usage, error.to_string()))?;
        let view = client.set_parallel_tasks(&host, limit).await?;
        if global.json {
            json(&view)?;
        } else {
            line(&format!(
                "{limit} tasks may work at once on {host} until the server ends; limits.parallel_tasks is what lasts"
            ));
        }
        return Ok(Exit::Well);
    }
    let hosts = client.hosts().await?;
    if global.json {
        json(&hosts)?;
    } else {
        for host in &hosts {
            line(describe(host).trim_end());
        }
    }
    Ok(Exit::Well)
}

fn describe(host: &HostView) -> String {
    let mut text = format!(
        "{}: {} of {} places taken, {} waiting\n",
        host.name, host.working, host.parallel_tasks, host.pending
    );
    for task in &host.at_work {
        text.push_str(&row("at work", task));
    }
    for (place, task) in (1..).zip(&host.line) {
        text.push_str(&row(&format!("{place}."), task));
    }
    text
}

fn row(place: &str, task: &TaskName) -> String {
    let title = clean(&task.title);
    format!(
        "  {place:<8} {}  {:<12} {title}\n",
        short(&task.task_id),
        task.state.as_str()
    )
}
