//! How a task's agent stands: how it works, how full its context is, what holds it up.

use std::fmt::Write as _;

use paddock_domain::{PermissionMode, Task, Timestamp};

use super::{ago, span};

/// Permission mode, effort and account.
pub(super) fn how_it_works(task: &Task) -> String {
    let mode = match task.spec.permission_mode {
        PermissionMode::FullAuto => "never asks",
        PermissionMode::AcceptEdits => "asks for all but edits",
        PermissionMode::Ask => "asks for everything",
        PermissionMode::Plan => "plans first",
    };
    let effort = task.spec.effort.as_deref();
    let account = task.run.as_ref().and_then(|run| run.account.as_ref());
    let more = [
        effort.map(|effort| format!("effort {effort}")),
        account.map(|account| format!("account {account}")),
    ];
    let more = more.into_iter().flatten();
    let parts = std::iter::once(mode.to_owned()).chain(more);
    parts.collect::<Vec<_>>().join(" · ")
}

/// How much of the context window is taken.
pub(super) fn context(task: &Task) -> Option<String> {
    let used = task.usage.context_used?;
    let Some(limit) = task.usage.context_limit.filter(|limit| *limit > 0) else {
        return Some(format!("{used} tokens"));
    };
    let share = used.saturating_mul(100) / limit;
    Some(format!("{used} of {limit} tokens ({share} %)"))
}

/// The provider's limit that matters: one that ended a turn, else one that is still counted.
pub(super) fn limit(task: &Task, now: Timestamp) -> Option<String> {
    if let Some(reached) = &task.limit {
        let name = reached.name.as_deref().unwrap_or("usage limit");
        let mut text = format!("{name} reached");
        if let Some(at) = reached.resets_at {
            let _ = write!(text, ", {}", lifted(at, now));
        }
        match reached.resume_at {
            Some(at) if at > now => {
                let _ = write!(text, ", goes on by itself in {}", ago(now, at));
            }
            Some(_) => text.push_str(", goes on by itself now"),
            None => text.push_str(", does not go on by itself"),
        }
        return Some(text);
    }
    let counted = task.rate_limit.as_ref()?;
    if !counted.blocked && counted.resets_at.is_some_and(|at| at <= now) {
        return None;
    }
    let mut text = counted.name.clone();
    if let Some(used) = counted.used {
        let _ = write!(text, " {:.0} % used", used * 100.0);
    }
    if let Some(at) = counted.resets_at {
        let _ = write!(text, ", {}", lifted(at, now));
    }
    Some(text)
}

fn lifted(at: Timestamp, now: Timestamp) -> String {
    if at <= now {
        return "lifted by now".to_owned();
    }
    format!("lifted in {}", span(at.since_ms(now)))
}

/// For how long the agent has said and done nothing, where that is told.
pub(super) fn silent(task: &Task, now: Timestamp) -> Option<String> {
    let since = task.silent_since?;
    Some(format!(
        "nothing said or done for {}: interrupt it, or restart it",
        ago(since, now)
    ))
}
