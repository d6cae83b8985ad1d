//! Telling a task where its repository is now: `relink`.

use anyhow::Result;
use paddock_domain::RelinkRequest;

use super::control::{done, of};
use super::run::absolute;
use crate::args::{Global, RelinkArgs};
use crate::exit::Exit;
use crate::render::clean;

/// Tells the task.
pub(crate) async fn relink(global: &Global, args: &RelinkArgs) -> Result<Exit> {
    let (client, task) = of(global, &args.task).await?;
    let path = absolute(&args.path)?;
    let request = RelinkRequest {
        repository: args.repo.clone(),
        path: path.clone(),
    };
    let accepted = client.relink(&task, &request).await?;
    let said = clean(&format!("the task's repository is {path} now"));
    done(global, &accepted, &said)
}
