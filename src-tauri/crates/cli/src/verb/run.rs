//! `paddock run`: a task from the prompt to the end of its turn.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use paddock_client::Client;
use paddock_domain::{BoxSpec, HarnessName, HostName, RepositorySpec, Task, TaskSpec};

use super::follow::Following;
use super::sessions;
use crate::args::{Global, RunArgs};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{Paint, describe, diff_stat, json, line, say};
use crate::resolve::short;

/// Creates the task and follows it.
pub(crate) async fn run(global: &Global, mut args: RunArgs) -> Result<Exit> {
    let detach = args.detach;
    let adopted = args.adopt.as_deref().map(sessions::named).transpose()?;
    if let Some((harness, _)) = &adopted {
        args.harness = Some(harness.to_string());
    }
    let (files, check) = (args.files.clone(), args.check.clone());
    let also = super::hand::contenders(&args.also)?;
    let mut spec = spec(global, args)?;
    spec.check()
        .map_err(|error| told(Exit::Usage, error.to_string()))?;
    let client = reach::client_or_start(global).await?;
    spec.attachments = super::hand::upload(&client, &files).await?;
    if !also.is_empty() {
        return super::hand::run_group(global, &client, spec, also, check).await;
    }
    if let Some((_, session)) = adopted {
        let task = sessions::adopt(&client, &session, &spec).await?;
        return follow(global, &client, task, detach).await;
    }
    begin(global, &client, &spec, detach).await
}

/// Creates a task and follows it unless `detach`.
pub(crate) async fn begin(
    global: &Global,
    client: &Client,
    spec: &TaskSpec,
    detach: bool,
) -> Result<Exit> {
    let task = client.create(spec).await?;
    follow(global, client, task, detach).await
}

/// Follows a task to the end of its turn unless `detach`.
async fn follow(global: &Global, client: &Client, task: Task, detach: bool) -> Result<Exit> {
    let task_id = task.task_id.clone();
    if detach {
        if global.json {
            json(&task)?
        } else {
            line(task_id.as_str())
        }
        return Ok(Exit::Well);
    }
    if !global.json {
        say(&format!("task {} ({task_id})", short(&task_id)));
    }
    let exit = Following::new(client, task_id.clone(), global.json, None)
        .until_rest(0)
        .await?;
    if !global.json && exit != Exit::Detached {
        sum_up(&client.task(&task_id).await?.task, exit);
    }
    Ok(exit)
}

/// What came of it: the branch, what changed, and what to do next.
fn sum_up(task: &Task, exit: Exit) {
    let paint = Paint::of_stdout();
    if exit == Exit::SetupFailed {
        crate::render::print(&describe(task, paint, task.updated_at));
        return;
    }
    for repository in &task.repositories {
        if let Some(branch) = &repository.branch {
            line(&format!("{} on {branch}", repository.path));
            crate::render::print(&diff_stat(&repository.diff, paint));
        }
    }
    if exit == Exit::Well {
        let id = short(&task.task_id);
        say(&format!(
            "next: paddock diff {id} · paddock send {id} \"…\" · paddock sync {id}"
        ));
    }
}

/// The task that was typed; what was left out is as the settings say.
pub(crate) fn spec(global: &Global, args: RunArgs) -> Result<TaskSpec> {
    let usual = reach::settings(global)?.task;
    let repositories = repositories(&args)?;
    let harness = args.harness.unwrap_or_else(|| usual.harness.clone());
    let model = args
        .model
        .or_else(|| usual.model.filter(|_| harness == usual.harness));
    Ok(TaskSpec {
        prompt: text_or_stdin(args.prompt)?,
        attachments: Vec::new(),
        title: args.title,
        repositories,
        harness: HarnessName::parse(&harness)
            .map_err(|error| told(Exit::Usage, error.to_string()))?,
        harness_version: args.harness_version,
        model,
        effort: args.effort,
        account: args.account,
        resume_on_limit: args.resume_on_limit.then_some(true),
        permission_mode: args.mode.map_or(usual.permission_mode, Into::into),
        host: HostName::local(),
        place: BoxSpec {
            kind: args.kind.map(Into::into),
            image: args.image,
            network: args.network.map(Into::into),
            memory_mib: args.memory,
            cpus: args.cpus,
            pids: None,
        },
        request_key: None,
        group: None,
        origin: None,
    })
}

fn repositories(args: &RunArgs) -> Result<Vec<RepositorySpec>> {
    let mut paths = args.repo.clone();
    if paths.is_empty() && !args.no_repo {
        paths.extend(around_here());
    }
    if paths.len() > 1 && (args.base.is_some() || args.branch.is_some()) {
        return Err(told(
            Exit::Usage,
            "--base and --branch are for one repository",
        ));
    }
    let specs = paths.iter().map(|path| {
        Ok(RepositorySpec {
            path: absolute(path)?,
            base: args.base.clone(),
            branch: args.branch.clone(),
        })
    });
    specs.collect()
}

/// The repository around the current directory.
pub(crate) fn around_here() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors()
        .find(|dir| dir.join(".git").exists())
        .map(Path::to_owned)
}

/// `path` from the root, links in it resolved where it exists.
pub(crate) fn absolute(path: &Path) -> Result<String> {
    let whole = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    let whole = whole.with_context(|| format!("{} cannot be made absolute", path.display()))?;
    whole.into_os_string().into_string().map_err(|path| {
        told(
            Exit::Usage,
            format!("{} is not UTF-8: rename it, or link to it", path.display()),
        )
    })
}

/// `text`, or what standard input holds when it is `-`.
pub(crate) fn text_or_stdin(text: String) -> Result<String> {
    if text != "-" {
        return Ok(text);
    }
    let mut whole = String::new();
    let most = TaskSpec::PROMPT_MAX as u64 + 1;
    std::io::stdin()
        .take(most)
        .read_to_string(&mut whole)
        .context("standard input cannot be read as text")?;
    Ok(whole)
}
