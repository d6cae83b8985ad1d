//! A task for people: one row of a list, or all of it.

use std::fmt::Write as _;

use paddock_api::TaskSummary;
use paddock_domain::{
    Action, BoxKind, DiffStat, RepositoryView, StateName, Task, Timestamp, TodoStatus,
};

use super::requests::requests;
use super::standing::{context, cost_in_full, how_it_works, limits, retrying, silent, told};
use super::{Paint, Tone, ago, clean, link_word, place_word, queued};
use crate::resolve::short;

/// Most files that a summary of changes names.
const FILES_MAX: usize = 40;

/// The meaning of a state, as a colour.
pub(crate) fn tone(state: StateName) -> Tone {
    match state {
        StateName::Asking | StateName::HasPlan => Tone::Attention,
        StateName::Crashed | StateName::Failed => Tone::Failure,
        StateName::Waiting => Tone::Success,
        StateName::Branching
        | StateName::Provisioning
        | StateName::Starting
        | StateName::Running
        | StateName::Pulling
        | StateName::Pushing => Tone::Progress,
        StateName::Pending
        | StateName::Stopping
        | StateName::Stopped
        | StateName::Purging
        | StateName::Purged => Tone::Quiet,
    }
}

/// Task, state, age, harness, changes, branch, title.
pub(crate) fn summary_row(task: &TaskSummary, now: Timestamp) -> Vec<String> {
    let repository = task.repositories.first();
    let changes = repository
        .filter(|r| r.files > 0)
        .map(|r| format!("+{} −{}", r.added, r.removed));
    let branch = repository.and_then(|r| r.branch.as_deref());
    vec![
        short(&task.task_id).to_owned(),
        match link_word(&task.link)
            .map(str::to_owned)
            .or_else(|| task.place.as_deref().map(place_word))
        {
            Some(word) => format!("{} ({word})", task.state),
            None => task.state.to_string(),
        },
        ago(task.updated_at, now),
        task.harness.to_string(),
        changes.unwrap_or_else(|| "–".to_owned()),
        clean(branch.unwrap_or("–")),
        clean(&task.title),
    ]
}

/// All that there is to say of a task.
pub(crate) fn describe(task: &Task, paint: Paint, now: Timestamp) -> String {
    let mut text = String::new();
    let state = paint.text(tone(task.state), task.state.as_str());
    let title = paint.text(Tone::Strong, &clean(&task.title));
    let _ = writeln!(
        text,
        "{title}\n{}  {state} for {}",
        task.task_id,
        ago(task.state_changed_at, now)
    );
    let mut field = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let _ = writeln!(
                text,
                "{}{}",
                paint.text(Tone::Quiet, &format!("{name:<10}")),
                clean(&value)
            );
        }
    };
    let model = told(task.model.as_deref(), task.spec.model.as_deref());
    let version = task.run.as_ref().map(|run| run.version.as_str());
    let agent = [Some(task.spec.harness.as_str()), version, model.as_deref()];
    field(
        "agent",
        Some(agent.into_iter().flatten().collect::<Vec<_>>().join(" · ")),
    );
    field(
        "box",
        task.box_kind
            .map(|kind| place(kind, task.box_name.as_deref())),
    );
    field("work", Some(work(task)));
    field("works", Some(how_it_works(task)));
    field("context", context(task));
    for limit in limits(task, now) {
        field("limit", Some(limit));
    }
    field("retry", retrying(task, now));
    field("silent", silent(task, now));
    let ago = |at: Timestamp| format!("for {}", ago(at, now));
    field("archived", task.archived_at.map(ago));
    field(
        "failure",
        task.failure.as_ref().map(|failure| failure.message.clone()),
    );
    let can = task
        .allowed
        .iter()
        .map(|action| word(*action))
        .collect::<Vec<_>>();
    field("you can", Some(can.join(", ")));
    for repository in &task.repositories {
        text.push_str(&describe_repository(repository, paint));
    }
    for todo in &task.todos {
        let mark = match todo.status {
            TodoStatus::Pending => "[ ]",
            TodoStatus::InProgress => "[~]",
            TodoStatus::Completed => "[x]",
        };
        let _ = writeln!(text, "  {mark} {}", clean(&todo.text));
    }
    text.push_str(&requests(task, paint));
    text.push_str(&queued(task, paint));
    text
}

fn place(kind: BoxKind, name: Option<&str>) -> String {
    let kind = match kind {
        BoxKind::Container => "container",
        BoxKind::Worktree => "worktree",
    };
    format!("{kind} {}", name.unwrap_or_default())
        .trim_end()
        .to_owned()
}

fn work(task: &Task) -> String {
    let tokens = task.usage.input_tokens + task.usage.cached_tokens + task.usage.cache_write_tokens;
    let mut text = format!(
        "{} turns, {} tool calls, {tokens} tokens in, {} out",
        task.turns, task.tool_calls, task.usage.output_tokens
    );
    if task.usage.reasoning_tokens > 0 {
        let _ = write!(text, " ({} of them thinking)", task.usage.reasoning_tokens);
    }
    if let Some(spent) = task.usage.cost {
        let _ = write!(text, ", {}", cost_in_full(spent));
    }
    text
}

fn describe_repository(view: &RepositoryView, paint: Paint) -> String {
    let branch = view.branch.as_deref().unwrap_or("no branch yet");
    let base = view
        .base
        .as_deref()
        .map(|base| format!(" from {base}"))
        .unwrap_or_default();
    let head = paint.text(Tone::Quiet, &clean(&view.path));
    format!(
        "{head}\n  {}{}\n{}",
        clean(branch),
        clean(&base),
        diff_stat(&view.diff, paint)
    )
}

/// Files with what they gained and lost, and a sum.
pub(crate) fn diff_stat(diff: &DiffStat, paint: Paint) -> String {
    let mut text = String::new();
    for file in diff.files.iter().take(FILES_MAX) {
        let change = if file.binary {
            "binary".to_owned()
        } else {
            let added = paint.text(Tone::Success, &format!("+{}", file.added));
            format!(
                "{added} {}",
                paint.text(Tone::Failure, &format!("−{}", file.removed))
            )
        };
        let _ = writeln!(text, "  {}  {change}", clean(&file.path));
    }
    let files = diff.files.len() as u64 + diff.more_files;
    let hidden = files.saturating_sub(FILES_MAX.min(diff.files.len()) as u64);
    if hidden > 0 {
        let _ = writeln!(text, "  and {hidden} more");
    }
    let _ = writeln!(
        text,
        "  {}, +{} −{}, {}{}",
        count(files, "file"),
        diff.added,
        diff.removed,
        count(diff.commits, "commit"),
        if diff.uncommitted > 0 {
            format!(", {} uncommitted", count(diff.uncommitted, "file"))
        } else {
            String::new()
        },
    );
    text
}

fn count(n: u64, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{n} {noun}s")
    }
}

fn word(action: Action) -> &'static str {
    match action {
        Action::Send => "send",
        Action::Queue => "queue",
        Action::Answer => "answer",
        Action::Interrupt => "interrupt",
        Action::Stop => "stop",
        Action::Revive => "revive",
        Action::Sync => "sync",
        Action::Commit => "commit",
        Action::Purge => "purge",
        Action::Restore => "restore",
        Action::Fork => "fork",
        Action::HandOff => "hand off",
        Action::PutAside => "put aside",
        Action::TakeUp => "take up again",
        Action::Archive => "archive",
        Action::Unarchive => "take out of the archive",
    }
}

#[cfg(test)]
mod tests;
