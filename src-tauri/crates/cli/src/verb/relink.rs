//! Telling a task where its repository is now: `relink`.

use anyhow::Result;
use paddock_domain::RelinkRequest;

use super::run::absolute;
use crate::args::{Global, RelinkArgs};
use crate::exit::Exit;
use crate::render::{clean, json, line};
use crate::{reach, resolve};

/// Tells the task.
pub(crate) async fn relink(global: &Global, args: &RelinkArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task = resolve::task(&client, &args.task).await?;
    let path = absolute(&args.path)?;
    let request = RelinkRequest {
        repository: args.repo.clone(),
        path: path.clone(),
    };
    let accepted = client.relink(&task, &request).await?;
    if global.json {
        json(&accepted)?
    } else {
        line(&clean(&format!("the task's repository is {path} now")))
    }
    Ok(Exit::Well)
}
