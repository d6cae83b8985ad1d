//! How a task's agent stands: how it works, how full its context is, what holds it up.

use std::fmt::Write as _;

use paddock_domain::{
    Cost, CostSource, ErrorClass, PermissionMode, RateLimit, Retry, Task, Timestamp,
};

use super::{ago, span};

/// Permission mode, effort and account.
pub(super) fn how_it_works(task: &Task) -> String {
    let mode = match task.spec.permission_mode {
        PermissionMode::FullAuto => "never asks",
        PermissionMode::AcceptEdits => "asks for all but edits",
        PermissionMode::Ask => "asks for everything",
        PermissionMode::Plan => "plans first",
    };
    let effort = told(task.effort.as_deref(), task.spec.effort.as_deref());
    let account = task.run.as_ref().and_then(|run| run.account.as_ref());
    let more = [
        effort.map(|effort| format!("effort {effort}")),
        account.map(|account| format!("account {account}")),
    ];
    let more = more.into_iter().flatten();
    let parts = std::iter::once(mode.to_owned()).chain(more);
    parts.collect::<Vec<_>>().join(" · ")
}

/// What the agent says it uses, and what was asked for where that is something else.
pub(super) fn told(reported: Option<&str>, asked: Option<&str>) -> Option<String> {
    match (reported, asked) {
        (Some(reported), Some(asked)) if !is_same(reported, asked) => {
            Some(format!("{reported} (asked for {asked})"))
        }
        (reported, asked) => reported.or(asked).map(str::to_owned),
    }
}

/// Whether both name the same: programs leave out the provider, or write names in capitals.
fn is_same(reported: &str, asked: &str) -> bool {
    let bare = |name: &str| name.rsplit('/').next().unwrap_or(name).to_lowercase();
    bare(reported) == bare(asked)
}

/// A cost, short: an estimate and a part say that they are one.
pub(crate) fn cost(cost: Cost) -> String {
    let about = match cost.source {
        CostSource::Reported => "",
        CostSource::Estimated => "≈ ",
    };
    let part = if cost.partial { "at least " } else { "" };
    format!("{about}{part}${:.2}", cost.usd)
}

/// A cost, who says so and what it leaves out.
pub(super) fn cost_in_full(spent: Cost) -> String {
    let source = match spent.source {
        CostSource::Reported => "reported",
        CostSource::Estimated => "estimated by list price",
    };
    let rest = if spent.partial {
        " (some tokens have no price)"
    } else {
        ""
    };
    format!("{} {source}{rest}", cost(spent))
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

/// The provider's limits: one that ended a turn, then those that are still counted, in the order in which they
/// bind.
pub(super) fn limits(task: &Task, now: Timestamp) -> Vec<String> {
    let ended = ended_at(task, now);
    // What ended the turn tells more of that limit.
    let is_told = |limit: &&RateLimit| {
        let reached = task.limit.as_ref();
        reached.is_some_and(|reached| reached.name.as_ref() == Some(&limit.name))
    };
    let is_over = |limit: &&RateLimit| !limit.blocked && limit.has_lapsed(now);
    let counted = task.rate_limits.iter();
    let counted = counted.filter(|limit| !is_told(limit) && !is_over(limit));
    ended
        .into_iter()
        .chain(counted.map(|limit| counted_limit(limit, now)))
        .collect()
}

fn ended_at(task: &Task, now: Timestamp) -> Option<String> {
    let reached = task.limit.as_ref()?;
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
    Some(text)
}

fn counted_limit(limit: &RateLimit, now: Timestamp) -> String {
    let mut text = limit.name.clone();
    if limit.blocked {
        text.push_str(" holds it up");
    }
    if let Some(used) = limit.used {
        let _ = write!(text, " {:.0} % used", used * 100.0);
    }
    if let Some(at) = limit.resets_at {
        let _ = write!(text, ", {}", lifted(at, now));
    }
    text
}

/// A retry as a line of a transcript.
pub(super) fn retried(retry: &Retry) -> String {
    let delay = retry
        .delay_ms
        .map(|ms| format!(" in {}.{} s", ms / 1000, ms % 1000 / 100));
    format!(
        "{}, tries again{}{}: {}",
        failed_request(retry.class),
        delay.unwrap_or_default(),
        numbered(retry),
        retry.reason
    )
}

/// A request to the model that is made again just now.
pub(super) fn retrying(task: &Task, now: Timestamp) -> Option<String> {
    let under_way = task.retry.as_ref()?;
    let next = under_way.next_at.filter(|at| *at > now);
    let when = next.map(|at| format!(" in {}", span(at.since_ms(now))));
    Some(format!(
        "{}, tries again{}{}: {}",
        failed_request(under_way.retry.class),
        when.unwrap_or_default(),
        numbered(&under_way.retry),
        under_way.retry.reason
    ))
}

fn numbered(retry: &Retry) -> String {
    match (retry.attempt, retry.attempts_max) {
        (Some(nth), Some(max)) => format!(" (attempt {nth} of {max})"),
        (Some(nth), None) => format!(" (attempt {nth})"),
        (None, _) => String::new(),
    }
}

fn failed_request(class: Option<ErrorClass>) -> &'static str {
    match class {
        Some(ErrorClass::Overload) => "the provider is overloaded",
        Some(ErrorClass::Quota) => "the provider's limit is met",
        Some(ErrorClass::Network) => "the provider was not reached",
        Some(ErrorClass::Auth) => "the provider did not take the key",
        Some(
            ErrorClass::ContextTooLong
            | ErrorClass::Refused
            | ErrorClass::Agent
            | ErrorClass::SessionLost
            | ErrorClass::UnknownLine
            | ErrorClass::Setup
            | ErrorClass::Git
            | ErrorClass::Internal,
        )
        | None => "a request to the model failed",
    }
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
