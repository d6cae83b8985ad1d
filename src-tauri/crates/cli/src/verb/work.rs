//! What a task made: `diff`, `commit`, `sync`.

use anyhow::Result;
use paddock_api::CommitPreviewQuery;
use paddock_domain::{
    CommitPreview, CommitRequest, DiffRequest, SquashPreview, SyncReport, SyncRequest,
};
use serde_json::json as object;

use super::run::absolute;
use crate::args::{CommitArgs, DiffArgs, Global, SyncArgs};
use crate::exit::{Exit, told};
use crate::keyboard::Keyboard;
use crate::render::{Paint, Progress, clean, diff_stat, json, line, on_terminal, print, say};
use crate::{reach, resolve};

/// Shows what changed.
pub(crate) async fn diff(global: &Global, args: DiffArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task_id = resolve::task(&client, &args.task).await?;
    if args.stat {
        let task = client.task(&task_id).await?;
        if global.json {
            let stats: Vec<_> = task
                .repositories
                .iter()
                .map(|r| object!({ "path": r.path, "diff": r.diff }))
                .collect();
            json(&stats)?;
            return Ok(Exit::Well);
        }
        for repository in &task.repositories {
            line(&clean(&repository.path));
            print(&diff_stat(&repository.diff, Paint::of_stdout()));
        }
        return Ok(Exit::Well);
    }
    let repository = args.repo.as_deref().map(absolute).transpose()?;
    let diff = client
        .diff(
            &task_id,
            &DiffRequest {
                repository,
                path: args.path,
                what: args.what.into(),
                commit: args.commit,
            },
        )
        .await?;
    let diff = String::from_utf8_lossy(&diff);
    if global.json {
        json(&object!({ "diff": diff }))?;
    } else if on_terminal() {
        print(&Paint::of_stdout().diff(&diff));
    } else {
        // For `git apply` and its like: as it is.
        print(&diff);
    }
    Ok(Exit::Well)
}

/// Commits what the agent left uncommitted.
pub(crate) async fn commit(global: &Global, args: CommitArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task_id = resolve::task(&client, &args.task).await?;
    let repository = args.repo.as_deref().map(absolute).transpose()?;
    let previews = client
        .commit_preview(&task_id, &CommitPreviewQuery { repository })
        .await?
        .repositories;
    if args.preview {
        if global.json {
            json(&previews)?
        } else {
            print(&tell_previews(&previews))
        }
        return Ok(Exit::Well);
    }
    let mut changed: Vec<_> = previews
        .into_iter()
        .filter(|preview| !preview.files.is_empty())
        .collect();
    let mut preview = match changed.len() {
        0 => return Err(told(Exit::Refused, "everything is committed already")),
        1 => changed.remove(0),
        _ => {
            return Err(told(
                Exit::Usage,
                "several repositories have changes: name one with --repo",
            ));
        }
    };
    narrow(&mut preview, &args.file)?;
    if !args.yes && !global.json {
        print(&tell_previews(std::slice::from_ref(&preview)));
        if !agreed("commit this?").await? {
            return Ok(Exit::Refused);
        }
    }
    let request = CommitRequest {
        repository: preview.repository,
        message: args.message.unwrap_or_default(),
        token: preview.token,
        files: chosen(args.file),
    };
    let made = client.commit(&task_id, &request).await?;
    if global.json {
        json(&made)?
    } else {
        line(&made.commit)
    }
    Ok(Exit::Well)
}

fn chosen(files: Vec<String>) -> Option<Vec<String>> {
    (!files.is_empty()).then_some(files)
}

/// Leaves in the preview what was chosen, which it must have.
fn narrow(preview: &mut CommitPreview, files: &[String]) -> Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let has = |path: &&String| preview.files.iter().any(|file| file.path == **path);
    let mut unlisted = files.iter().filter(|path| !has(path));
    if preview.more_files > 0 {
        // The server knows whether they are among those that it did not list.
        preview.more_files = unlisted.count() as u64;
    } else if let Some(path) = unlisted.next() {
        let words = format!(
            "`{path}` is not among the files that are uncommitted: see them with --preview"
        );
        return Err(told(Exit::Usage, words));
    }
    preview.files.retain(|file| files.contains(&file.path));
    preview.findings.retain(|found| files.contains(&found.path));
    Ok(())
}

pub(super) async fn agreed(question: &str) -> Result<bool> {
    let mut keyboard = Keyboard::new();
    if !keyboard.is_there() {
        return Err(told(
            Exit::Usage,
            format!("{question} say --yes: nobody is there to ask"),
        ));
    }
    say(&format!("{question} y/n"));
    let typed = keyboard.line().await.unwrap_or_default();
    Ok(matches!(
        typed.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}

fn tell_previews(previews: &[CommitPreview]) -> String {
    let mut lines = Vec::new();
    for preview in previews {
        lines.push(clean(&preview.repository));
        if preview.files.is_empty() {
            lines.push("  nothing to commit".to_owned());
        }
        lines.extend(
            preview
                .files
                .iter()
                .map(|file| format!("  {}  +{} −{}", clean(&file.path), file.added, file.removed)),
        );
        if preview.more_files > 0 {
            lines.push(format!("  and {} more files", preview.more_files));
        }
        lines.extend(
            preview
                .left_out
                .iter()
                .map(|path| format!("  stays out: {}", clean(path))),
        );
        for finding in &preview.findings {
            let at = finding
                .line
                .map(|line| format!(":{line}"))
                .unwrap_or_default();
            lines.push(clean(&format!(
                "  ! {} {}{at}  {}",
                finding.rule, finding.path, finding.excerpt
            )));
        }
    }
    lines.join("\n") + "\n"
}

/// Brings commits out and pushes them.
pub(crate) async fn sync(global: &Global, args: SyncArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task_id = resolve::task(&client, &args.task).await?;
    if args.preview {
        let previews = client.squash_preview(&task_id).await?.repositories;
        if global.json {
            json(&previews)?
        } else {
            print(&tell_squash(&previews))
        }
        let clear = previews.iter().all(|preview| preview.conflicts.is_empty());
        return Ok(if clear { Exit::Well } else { Exit::Refused });
    }
    let request = SyncRequest {
        target: args.to.into(),
        remote: args.remote,
        allow: args.allow,
        message: args.message,
    };
    let progress = Progress::begin("syncing", global.json);
    let report = client.sync(&task_id, &request).await;
    drop(progress);
    let report = report?;
    if global.json {
        json(&report)?
    } else {
        print(&tell_report(&report))
    }
    Ok(Exit::Well)
}

fn tell_squash(previews: &[SquashPreview]) -> String {
    let mut text = String::new();
    for preview in previews {
        let verdict = if preview.conflicts.is_empty() {
            "goes through"
        } else {
            "is in conflict"
        };
        text.push_str(&format!(
            "{} onto {}: {verdict}\n",
            clean(&preview.repository),
            clean(&preview.onto)
        ));
        for path in &preview.conflicts {
            text.push_str(&format!("  {}\n", clean(path)));
        }
    }
    text
}

fn tell_report(report: &SyncReport) -> String {
    let mut text = String::new();
    for done in &report.repositories {
        let commit = done.commit.get(..10).unwrap_or(&done.commit);
        let pushed = done
            .pushed_to
            .as_deref()
            .map(|to| format!(", pushed to {to}"))
            .unwrap_or_default();
        let commits = done.brought_out;
        text.push_str(&clean(&format!(
            "{} {} at {commit}, {commits} new{pushed}\n",
            done.path, done.branch
        )));
        if let Some(note) = &done.note {
            text.push_str(&format!("  {}\n", clean(note)));
        }
    }
    text
}
