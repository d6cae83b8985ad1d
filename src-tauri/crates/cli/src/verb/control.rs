//! Ending, reviving and removing: `interrupt`, `stop`, `revive`, `purge`, `restore`.

use anyhow::Result;
use paddock_api::Accepted;
use paddock_client::Client;
use paddock_domain::{PurgePreview, PurgeRequest, TaskId};

use crate::args::{Global, PurgeArgs};
use crate::exit::Exit;
use crate::reach;
use crate::render::{clean, json, line};
use crate::resolve::{self, short};

async fn of(global: &Global, task: &str) -> Result<(Client, TaskId)> {
    let client = reach::client(global).await?;
    let task = resolve::task(&client, task).await?;
    Ok((client, task))
}

fn done(global: &Global, accepted: &Accepted, said: &str) -> Result<Exit> {
    if global.json {
        json(accepted)?
    } else {
        line(said)
    }
    Ok(Exit::Well)
}

/// Ends the turn.
pub(crate) async fn interrupt(global: &Global, task: &str) -> Result<Exit> {
    let (client, task) = of(global, task).await?;
    done(
        global,
        &client.interrupt(&task).await?,
        "the turn is being ended",
    )
}

/// Ends the run.
pub(crate) async fn stop(global: &Global, task: &str) -> Result<Exit> {
    let (client, task) = of(global, task).await?;
    let said = format!(
        "the agent is being stopped; `paddock revive {}` starts it again",
        short(&task)
    );
    done(global, &client.stop(&task).await?, &said)
}

/// Starts the agent again.
pub(crate) async fn revive(global: &Global, task: &str) -> Result<Exit> {
    let (client, task) = of(global, task).await?;
    done(
        global,
        &client.revive(&task).await?,
        "the agent is being started again",
    )
}

/// Takes a purge back.
pub(crate) async fn restore(global: &Global, task: &str) -> Result<Exit> {
    let (client, task) = of(global, task).await?;
    done(
        global,
        &client.restore(&task).await?,
        "the purge is taken back",
    )
}

/// Removes the box.
pub(crate) async fn purge(global: &Global, args: &PurgeArgs) -> Result<Exit> {
    let (client, task) = of(global, &args.task).await?;
    if args.preview {
        let preview = client.purge_preview(&task).await?;
        if global.json {
            json(&preview)?
        } else {
            line(&tell(&preview))
        }
        return Ok(Exit::Well);
    }
    let request = PurgeRequest {
        force: args.force,
        now: args.now,
        ..PurgeRequest::default()
    };
    let accepted = client.purge(&task, &request).await?;
    let said = format!(
        "the box is being removed; `paddock restore {}` takes it back while there is time",
        short(&task)
    );
    done(global, &accepted, &said)
}

fn tell(preview: &PurgePreview) -> String {
    let mut lines = Vec::new();
    if !preview.uncommitted.is_empty() {
        lines.push("no commit holds:".to_owned());
        lines.extend(
            preview
                .uncommitted
                .iter()
                .map(|path| format!("  {}", clean(path))),
        );
    }
    if preview.unpushed > 0 {
        lines.push(format!(
            "commits that no remote holds: {}",
            preview.unpushed
        ));
    }
    if let Some(why) = &preview.unknown {
        lines.push(format!(
            "it cannot be told whether all work is safe: {}",
            clean(why)
        ));
    }
    if lines.is_empty() {
        "nothing would be lost".to_owned()
    } else {
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_says_what_would_be_lost_and_what_is_not_known() {
        assert_eq!(tell(&PurgePreview::default()), "nothing would be lost");
        let preview = PurgePreview {
            uncommitted: vec!["/r: a".into()],
            unpushed: 2,
            unknown: Some("box gone".into()),
            ..PurgePreview::default()
        };
        let told = tell(&preview);
        assert!(
            told.contains("/r: a") && told.contains(": 2") && told.contains("box gone"),
            "{told}"
        );
    }
}
