//! What was kept before something destructive: `trash`; and the commits of a task: `commits`.

use std::path::Path;

use anyhow::Result;
use paddock_api::{RepositoryQuery, TrashEntryQuery, TrashQuery};
use paddock_client::Client;
use paddock_domain::{
    CommitView, TrashDetail, TrashEntry, TrashList, TrashReason, TrashRestoreRequest,
};

use super::run::absolute;
use super::work::agreed;
use crate::args::{CommitsArgs, EntryArgs, Global, TrashArgs, TrashVerb};
use crate::exit::{Exit, told};
use crate::render::{Paint, clean, diff_stat, json, line, on_terminal, print, say, table};
use crate::resolve::{names, short};
use crate::{reach, resolve};

const HEADINGS: &[&str] = &[
    "task",
    "no.",
    "kept",
    "before",
    "files",
    "branch",
    "repository",
];

/// How many digits of a commit are shown.
const SHORT: usize = 10;

/// Shows or changes the trash.
pub(crate) async fn trash(global: &Global, args: TrashArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let all = TrashVerb::Ls {
        task: None,
        repository: None,
    };
    match args.verb.unwrap_or(all) {
        TrashVerb::Ls { task, repository } => {
            let list = read(&client, repository.as_deref(), task.as_deref()).await?;
            ls(global, &list)
        }
        TrashVerb::Show { entry, path } => {
            let found = find(&client, &entry).await?;
            let query = TrashEntryQuery {
                repository: Some(found.repository),
                path,
            };
            let detail = client
                .trash_entry(&found.task_id, found.number, &query)
                .await?;
            show(global, &detail)
        }
        TrashVerb::Restore {
            entry,
            branch,
            others,
        } => {
            let found = find(&client, &entry).await?;
            let request = TrashRestoreRequest {
                repository: Some(found.repository),
                branch,
                others,
                task: None,
            };
            let restored = client
                .trash_restore(&found.task_id, found.number, &request)
                .await?;
            if global.json {
                json(&restored)?;
                return Ok(Exit::Well);
            }
            line(&restored.branch);
            for other in &restored.others {
                line(&other.name);
            }
            Ok(Exit::Well)
        }
        TrashVerb::Drop { entry, yes } => drop_entry(global, &client, &entry, yes).await,
    }
}

async fn drop_entry(
    global: &Global,
    client: &Client,
    entry: &EntryArgs,
    yes: bool,
) -> Result<Exit> {
    let found = find(client, entry).await?;
    if !yes && !global.json {
        line(&told_entry(&found));
        if !agreed("let go of this?").await? {
            return Ok(Exit::Refused);
        }
    }
    let query = RepositoryQuery {
        repository: Some(found.repository),
    };
    let dropped = client
        .trash_drop(&found.task_id, found.number, &query)
        .await?;
    if global.json {
        json(&dropped)?;
    } else {
        let commit = &dropped.commit;
        say(&format!(
            "gone from the list; until git cleans up, `git branch NAME {commit}` still brings it back"
        ));
    }
    Ok(Exit::Well)
}

async fn read(client: &Client, repository: Option<&Path>, task: Option<&str>) -> Result<TrashList> {
    let query = TrashQuery {
        repository: repository.map(absolute).transpose()?,
        task_id: None,
    };
    let mut list = client.trash(&query).await?;
    if let Some(task) = task {
        // It need not be known any more: its entries tell its id.
        list.items
            .retain(|entry| names(task, entry.task_id.as_str()));
    }
    Ok(list)
}

async fn find(client: &Client, entry: &EntryArgs) -> Result<TrashEntry> {
    let list = read(client, entry.repository.as_deref(), Some(&entry.task)).await?;
    let mut found: Vec<_> = list
        .items
        .into_iter()
        .filter(|item| item.number == entry.number)
        .collect();
    match (found.len(), found.pop()) {
        (1, Some(one)) => Ok(one),
        (0, _) | (_, None) => Err(told(
            Exit::NotFound,
            format!(
                "the trash has no {} {}: `paddock trash ls` lists what it has",
                entry.task, entry.number
            ),
        )),
        (_, Some(_)) => Err(told(
            Exit::Usage,
            "several entries have this name: say more of the task's id, or name one with --repository",
        )),
    }
}

fn ls(global: &Global, list: &TrashList) -> Result<Exit> {
    if global.json {
        json(list)?;
        return Ok(Exit::Well);
    }
    for repository in &list.unreadable {
        say(&clean(&format!(
            "{}: {}",
            repository.repository, repository.reason
        )));
    }
    if list.items.is_empty() {
        say("nothing was kept: no box with work that was nowhere else has been removed");
        return Ok(Exit::Well);
    }
    let rows = list.items.iter().map(|entry| {
        vec![
            short(&entry.task_id).to_owned(),
            entry.number.to_string(),
            entry.kept_at.to_string(),
            before(entry.reason).to_owned(),
            entry.uncommitted.to_string(),
            clean(entry.branch.as_deref().unwrap_or("-")),
            clean(&entry.repository),
        ]
    });
    line(&table(HEADINGS, rows.collect(), None));
    Ok(Exit::Well)
}

fn before(reason: TrashReason) -> &'static str {
    match reason {
        TrashReason::Purge => "purge",
        TrashReason::Failed => "failed start",
        TrashReason::Orphan => "orphan's removal",
        TrashReason::Reset => "reset",
        TrashReason::Rewritten => "rewritten",
        TrashReason::Unlanded => "on no branch",
        TrashReason::Unknown => "unknown",
    }
}

/// An entry in a few lines.
fn told_entry(entry: &TrashEntry) -> String {
    let mut lines = vec![
        format!("{}  {}", entry.ref_name, entry.commit),
        format!("kept {} before: {}", entry.kept_at, before(entry.reason)),
        format!("repository {}", entry.repository),
    ];
    lines.extend(entry.title.as_ref().map(|title| format!("task {title}")));
    lines.extend(entry.branch.as_ref().map(|name| format!("branch {name}")));
    if entry.ignored.files > 0 {
        let kept = if entry.ignored.kept {
            "kept"
        } else {
            "left out"
        };
        lines.push(format!(
            "{} files that git ignores, {} bytes: {kept}",
            entry.ignored.files, entry.ignored.bytes
        ));
    }
    let others = entry.others.iter();
    lines.extend(others.map(|other| format!("also {}  {}", other.name, other.commit)));
    let expires = entry.expires_at.as_ref();
    lines.extend(expires.map(|at| format!("goes by itself {at}")));
    clean(&lines.join("\n"))
}

fn show(global: &Global, detail: &TrashDetail) -> Result<Exit> {
    if global.json {
        json(detail)?;
        return Ok(Exit::Well);
    }
    line(&told_entry(&detail.entry));
    if !detail.commits.is_empty() {
        line("\ncommits that are nowhere else:");
        print(&commit_lines(&detail.commits));
        if detail.more_commits > 0 {
            line(&format!("  and {} more", detail.more_commits));
        }
    }
    if detail.entry.uncommitted > 0 {
        line("\nfiles that no commit held:");
        print(&diff_stat(&detail.files, Paint::of_stdout()));
        line("");
    }
    if on_terminal() {
        print(&Paint::of_stdout().diff(&detail.diff));
    } else {
        print(&detail.diff);
    }
    if detail.truncated {
        say("more follows: name a file to see its changes alone");
    }
    Ok(Exit::Well)
}

fn commit_lines(commits: &[CommitView]) -> String {
    let lines = commits.iter().map(|commit| {
        let id = commit.commit.get(..SHORT).unwrap_or(&commit.commit);
        let (subject, author) = (clean(&commit.subject), clean(&commit.author));
        format!(
            "  {id}  {subject}  ({author}, {} files, +{} -{})\n",
            commit.files, commit.added, commit.removed
        )
    });
    lines.collect()
}

/// Lists the commits of a task.
pub(crate) async fn commits(global: &Global, args: CommitsArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task = resolve::task(&client, &args.task).await?;
    let repository = args.repo.as_deref().map(absolute).transpose()?;
    let commits = client
        .commits(&task, &RepositoryQuery { repository })
        .await?;
    if global.json {
        json(&commits)?;
        return Ok(Exit::Well);
    }
    for repository in &commits.repositories {
        let base = repository.base.as_deref().unwrap_or("its base");
        line(&clean(&format!(
            "{}  {} since {base}",
            repository.path, repository.branch
        )));
        print(&commit_lines(&repository.commits));
        if repository.more {
            line("  and older ones");
        }
        if repository.uncommitted > 0 {
            line(&format!("  {} files not committed", repository.uncommitted));
        }
    }
    Ok(Exit::Well)
}

#[cfg(test)]
mod tests {
    use paddock_domain::{IgnoredFiles, TaskId, Timestamp};

    use super::*;

    #[test]
    fn an_entry_says_what_was_left_out_and_is_named_by_either_end_of_its_task() {
        let entry = TrashEntry {
            task_id: TaskId::parse("abc123").unwrap(),
            number: 2,
            repository: "/r".to_owned(),
            ref_name: "refs/paddock/trash/abc123/2".to_owned(),
            commit: "c".repeat(40),
            kept_at: Timestamp::from_unix_ms(0),
            reason: TrashReason::Purge,
            title: None,
            branch: Some("paddock-0".to_owned()),
            head: None,
            uncommitted: 1,
            ignored: IgnoredFiles {
                files: 3,
                bytes: 10,
                kept: false,
            },
            others: Vec::new(),
            expires_at: None,
        };
        let told = told_entry(&entry);
        assert!(
            told.contains("3 files that git ignores, 10 bytes: left out"),
            "{told}"
        );
        let id = entry.task_id.as_str();
        assert!(names("ABC", id) && names("123", id) && !names("bc1", id));
    }
}
