//! How tasks are kept in lists: `aside` and `archive`.

use anyhow::Result;
use paddock_api::{Accepted, AsideRequest};
use paddock_client::{Client, ClientError};
use paddock_domain::TaskId;

use crate::args::{ArchiveArgs, AsideArgs, Global};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{json, line};
use crate::resolve;

/// Puts tasks aside, or takes them up again.
///
/// A task is put aside as it is seen here, or up to the event that the user names: what comes meanwhile still calls.
pub(crate) async fn aside(global: &Global, args: &AsideArgs) -> Result<Exit> {
    if args.up_to.is_some() && args.tasks.len() > 1 {
        let words = "--up-to names an event of one task: put several aside one by one";
        return Err(told(Exit::Usage, words));
    }
    let mark = async |client: &Client, task: &TaskId| {
        let up_to_seq = match args.up_to {
            Some(_) => args.up_to,
            None if args.undo => None,
            None => Some(client.task(task).await?.last_seq),
        };
        let request = AsideRequest {
            aside: !args.undo,
            up_to_seq,
            ..AsideRequest::default()
        };
        let accepted = client.put_aside(task, &request).await?;
        let said = if args.undo {
            "taken up again"
        } else if client.task(task).await?.needs_me {
            "needs you still: something came after what you know of"
        } else {
            "put aside until something new happens"
        };
        Ok::<_, ClientError>((accepted, said))
    };
    mark_all(global, &args.tasks, mark).await
}

/// Puts tasks into the archive, or takes them out.
pub(crate) async fn archive(global: &Global, args: &ArchiveArgs) -> Result<Exit> {
    let said = match args.undo {
        true => "taken out of the archive",
        false => "put into the archive; `paddock archive --undo` takes it out",
    };
    let mark = async |client: &Client, task: &TaskId| {
        Ok::<_, ClientError>((client.archive(task, !args.undo).await?, said))
    };
    mark_all(global, &args.tasks, mark).await
}

/// Sets a mark on each task, in their order, up to the first that refuses it, and says what came of it.
async fn mark_all(
    global: &Global,
    tasks: &[String],
    mark: impl AsyncFn(&Client, &TaskId) -> Result<(Accepted, &'static str), ClientError>,
) -> Result<Exit> {
    let client = reach::client(global).await?;
    let mut marked = Vec::new();
    for task in tasks {
        let task = resolve::task(&client, task).await?;
        let (accepted, said) = mark(&client, &task).await?;
        marked.push(accepted);
        if !global.json {
            line(&format!("{}  {said}", resolve::short(&task)));
        }
    }
    if global.json {
        json(&marked)?;
    }
    Ok(Exit::Well)
}
