//! `paddock orphans`: boxes without a task.

use anyhow::Result;
use paddock_api::{OrphanBox, RemoveOrphanRequest};
use paddock_client::Client;
use paddock_domain::{HostName, TaskId};

use crate::args::{Global, OrphansArgs, OrphansVerb};
use crate::exit::Exit;
use crate::reach;
use crate::render::{clean, json, line, say, table};
use crate::resolve::{one_of, short};

/// Lists, takes in or removes boxes without a task.
pub(crate) async fn orphans(global: &Global, args: OrphansArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let host = HostName::local();
    match args.verb.unwrap_or(OrphansVerb::Ls) {
        OrphansVerb::Ls => list(global, &client.orphans(&host).await?),
        OrphansVerb::Adopt { task } => {
            let id = find(&client, &host, &task).await?;
            let task = client.adopt_orphan(&host, &id).await?;
            if global.json {
                json(&task)?;
            } else {
                line(&format!("{} is a task again: {}", short(&id), task.state));
            }
            Ok(Exit::Well)
        }
        OrphansVerb::Remove { task, force } => {
            let id = find(&client, &host, &task).await?;
            let request = RemoveOrphanRequest { force };
            let left = client.remove_orphan(&host, &id, &request).await?;
            if global.json {
                json(&left)?;
            } else {
                line(&format!("{} is being removed", short(&id)));
            }
            Ok(Exit::Well)
        }
    }
}

fn list(global: &Global, orphans: &[OrphanBox]) -> Result<Exit> {
    if global.json {
        json(&orphans)?;
        return Ok(Exit::Well);
    }
    if orphans.is_empty() {
        say("every box belongs to a task");
        return Ok(Exit::Well);
    }
    let rows = orphans.iter().map(|orphan| {
        vec![
            short(&orphan.task_id).to_owned(),
            clean(&orphan.state),
            clean(&orphan.name),
            clean(&orphan.repositories.join(", ")),
        ]
    });
    line(&table(
        &["BOX", "STATE", "NAME", "REPOSITORIES"],
        rows.collect(),
        None,
    ));
    for orphan in orphans {
        say(&format!(
            "{}: {}",
            short(&orphan.task_id),
            clean(&orphan.advice)
        ));
    }
    Ok(Exit::Well)
}

/// The one box whose id begins or ends with `part`.
async fn find(client: &Client, host: &HostName, part: &str) -> Result<TaskId> {
    let all = client.orphans(host).await?;
    let none = |part: &str| {
        format!("no box without a task has the id {part}: `paddock orphans` lists them")
    };
    let found = one_of(&all, |orphan| orphan.task_id.as_str(), "boxes", part, none)?;
    Ok(found.task_id.clone())
}
