//! Ending, reviving and removing: `interrupt`, `stop`, `revive`, `purge`, `restore`.

use anyhow::Result;
use paddock_api::Accepted;
use paddock_client::Client;
use paddock_domain::{PurgePreview, PurgeRequest, TaskId};

use crate::args::{Global, PurgeArgs, ReviveArgs};
use crate::exit::Exit;
use crate::reach;
use crate::render::{clean, json, line};
use crate::resolve::{self, short};

pub(super) async fn of(global: &Global, task: &str) -> Result<(Client, TaskId)> {
    let client = reach::client(global).await?;
    let task = resolve::task(&client, task).await?;
    Ok((client, task))
}

pub(super) fn done(global: &Global, accepted: &Accepted, said: &str) -> Result<Exit> {
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
pub(crate) async fn revive(global: &Global, args: &ReviveArgs) -> Result<Exit> {
    let (client, task) = of(global, &args.task).await?;
    let accepted = match args.memory {
        Some(mib) => client.revive_with_memory(&task, mib).await?,
        None => client.revive(&task).await?,
    };
    done(global, &accepted, "the agent is being started again")
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
        without_snapshot: args.without_snapshot,
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
        let paths = preview.uncommitted.iter();
        lines.extend(paths.map(|path| format!("  {}", clean(path))));
    }
    if preview.unpushed > 0 {
        lines.push(format!(
            "commits that no remote holds: {}",
            preview.unpushed
        ));
    }
    for repository in &preview.repositories {
        let commits = repository.commits.iter();
        lines.extend(commits.map(|commit| {
            let id = commit.commit.get(..10).unwrap_or_default();
            format!("  {id}  {}", clean(&commit.subject))
        }));
        let branches = repository.branches.iter();
        lines.extend(branches.map(|branch| format!("  branch {}", clean(&branch.name))));
        let ignored = repository.ignored;
        if ignored.files > 0 {
            let kept = if ignored.kept {
                "are kept"
            } else {
                "are not kept"
            };
            lines.push(format!(
                "{}: {} files that git ignores ({} bytes) {kept}",
                clean(&repository.path),
                ignored.files,
                ignored.bytes
            ));
        }
    }
    if let Some(why) = &preview.unknown {
        lines.push(format!(
            "it cannot be told whether all work is safe: {}",
            clean(why)
        ));
    }
    if preview.is_safe() {
        lines.insert(0, "nothing would be lost".to_owned());
    }
    if !preview.processes.is_empty() {
        lines.push(format!(
            "processes that would end: {}",
            preview.processes.len()
        ));
        let processes = preview.processes.iter();
        lines.extend(
            processes.map(|process| format!("  {}  {}", process.pid, clean(&process.command))),
        );
    }
    if let Some(bytes) = preview.box_bytes {
        lines.push(format!("the box takes {} MiB", bytes.div_ceil(1 << 20)));
    }
    lines.join("\n")
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
