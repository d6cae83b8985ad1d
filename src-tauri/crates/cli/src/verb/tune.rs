//! How an agent works: `tune`, `compact`, `clear`, `restart`, `resume`.

use anyhow::Result;
use paddock_api::{CompactRequest, TuneRequest};

use super::control::{done, of};
use super::offers;
use crate::args::{CompactArgs, Global, LimitArgs, TuneArgs};
use crate::exit::Exit;

/// Changes model, effort, permission mode or account.
pub(crate) async fn tune(global: &Global, args: TuneArgs) -> Result<Exit> {
    let (client, task) = of(global, &args.task).await?;
    if let Some(model) = &args.model {
        offers::hint_at_models(&client, &task, model).await;
    }
    let request = TuneRequest {
        model: args.model,
        effort: args.effort,
        permission_mode: args.mode.map(Into::into),
        account: args.account,
    };
    let accepted = client.tune(&task, &request).await?;
    done(global, &accepted, "from now on")
}

/// Has the agent shorten its context.
pub(crate) async fn compact(global: &Global, args: CompactArgs) -> Result<Exit> {
    let (client, task) = of(global, &args.task).await?;
    let request = CompactRequest { about: args.about };
    let accepted = client.compact(&task, &request).await?;
    done(global, &accepted, "the agent shortens its context")
}

/// Has the agent forget the conversation.
pub(crate) async fn clear(global: &Global, task: &str) -> Result<Exit> {
    let (client, task) = of(global, task).await?;
    let accepted = client.clear(&task).await?;
    done(
        global,
        &accepted,
        "the agent forgets the conversation; its work stays",
    )
}

/// Ends the run and starts the agent again.
pub(crate) async fn restart(global: &Global, task: &str) -> Result<Exit> {
    let (client, task) = of(global, task).await?;
    let accepted = client.restart(&task).await?;
    done(
        global,
        &accepted,
        "the agent is being ended and started again",
    )
}

/// Goes on by itself when the usage limit is lifted, or not.
pub(crate) async fn resume(global: &Global, args: LimitArgs) -> Result<Exit> {
    let (client, task) = of(global, &args.task).await?;
    let accepted = client.resume_on_limit(&task, !args.cancel).await?;
    let said = match args.cancel {
        true => "it does not go on by itself",
        false => "it goes on by itself when the limit is lifted",
    };
    done(global, &accepted, said)
}
