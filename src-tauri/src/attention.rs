//! What needs the user, and what they are told of: pure, from what the server says.
//!
//! Each thing is told once. Live events tell of themselves; what happened while nobody listened is told
//! from the list of tasks, by its time: what is not later than the last event heard of a task is known.
//! What needed the user before the shell first looked is in the tray and is not told.
//!
//! Start at [`Attention::heard`] and [`Attention::listed`].

use std::collections::{HashMap, HashSet};

use paddock_api::{Link, TaskSummary};
use paddock_domain::{
    Body, Event, Need, StateName, Task, TaskId, Timestamp, Transition, TurnOutcome,
};
use serde::Deserialize;

use crate::desktop::{Entry, Notice, Tray};
use crate::words::Language;

/// What is known of the tasks' calls for attention.
#[derive(Debug, Default)]
pub(crate) struct Attention {
    heard: HashMap<TaskId, Timestamp>,
    /// The last event of each listed task: the list stands for those up to it.
    listed: HashMap<TaskId, u64>,
    since: Option<Timestamp>,
    /// Tasks whose agent was silent when they were last read: whatever it says ends that.
    silent: HashSet<TaskId>,
}

/// The part of an event that says whether it matters here.
#[derive(Debug, Deserialize)]
pub(crate) struct Heard {
    /// The task.
    pub(crate) task_id: TaskId,
    seq: u64,
    ts: Timestamp,
    #[serde(rename = "type")]
    kind: String,
}

impl Heard {
    /// Whether the user may have to be told.
    #[must_use]
    pub(crate) fn tells(&self) -> bool {
        let told = "state_changed question_asked approval_requested plan_proposed";
        told.split(' ').any(|kind| kind == self.kind)
    }
}

impl Attention {
    /// Takes note of an event that came live. False when a list has stood for it already.
    pub(crate) fn heard(&mut self, event: &Heard) -> bool {
        self.heard.insert(event.task_id.clone(), event.ts);
        let listed = self.listed.get(&event.task_id);
        listed.is_none_or(|listed| event.seq > *listed)
    }

    /// Whether the list of tasks that need the user may be another after `event`.
    pub(crate) fn moves(&self, event: &Heard) -> bool {
        const MOVING: &str = "state_changed question_asked approval_requested plan_proposed \
            agent_silent agent_stirred put_aside taken_up archived unarchived";
        let is_moving = MOVING.split_whitespace().any(|kind| kind == event.kind);
        is_moving || self.silent.contains(&event.task_id)
    }

    /// What the tray shows of the tasks that need the user, as they were just read.
    pub(crate) fn tray(&mut self, needs: &[TaskSummary]) -> Tray {
        let silent = needs.iter().filter(|task| task.silent_since.is_some());
        self.silent = silent.map(|task| task.task_id.clone()).collect();
        let mut waiting: Vec<&TaskSummary> = needs.iter().collect();
        waiting.sort_by_key(|task| (urgency(task.state), task.state_changed_at));
        let entry = |task: &&TaskSummary| Entry {
            link: Link::Task(task.task_id.clone()),
            need: need(task.state),
            title: plain(&task.title, TITLE_MAX),
        };
        Tray {
            entries: waiting.iter().take(Tray::ENTRIES_MAX).map(entry).collect(),
            count: needs.len(),
        }
    }

    /// Takes the list of all tasks that need the user, and gives what was missed: everything since the
    /// last event heard, and nothing the first time.
    pub(crate) fn listed(&mut self, needs: &[TaskSummary], language: Language) -> Vec<Notice> {
        let last = |task: &TaskSummary| (task.task_id.clone(), task.last_seq);
        self.listed.extend(needs.iter().map(last));
        let Some(since) = self.since else {
            let latest = needs.iter().map(|task| task.updated_at).max();
            self.since = Some(latest.unwrap_or(Timestamp::from_unix_ms(0)));
            return Vec::new();
        };
        let mut missed = Vec::new();
        for task in needs {
            let heard = self.heard.get(&task.task_id).copied().unwrap_or(since);
            if task.state_changed_at > heard {
                missed.extend(notice_of_state(task, language));
                self.heard.insert(task.task_id.clone(), task.updated_at);
            }
        }
        missed
    }
}

/// What the user is told of `event`, `task` being what it is now: nothing of what has passed already.
#[must_use]
pub(crate) fn notice(event: &Event, task: &Task, language: Language) -> Option<Notice> {
    let (subject, text) =
        asked(&event.body, task).or_else(|| ended(&event.body, task, language))?;
    let subject = language.say(subject);
    Some(made(&task.task_id, subject, &task.title, &text))
}

/// What the agent asks, while nobody has answered.
fn asked(body: &Body, task: &Task) -> Option<(&'static str, String)> {
    if let Body::QuestionAsked(asked) = body {
        let mut open = task.questions.iter().map(|open| &open.question_id);
        let is_open = open.any(|open| *open == asked.question_id);
        return is_open.then(|| ("Question", asked.text.clone()));
    }
    if let Body::ApprovalRequested(asked) = body {
        let mut open = task.approvals.iter().map(|open| &open.approval_id);
        let is_open = open.any(|open| *open == asked.approval_id);
        return is_open.then(|| ("Permission", asked.summary.clone()));
    }
    if let Body::PlanProposed(plan) = body {
        let open = task.plan.as_ref().map(|open| &open.plan_id);
        return (open == Some(&plan.plan_id)).then(|| ("Plan", plan.text.clone()));
    }
    None
}

/// How the agent came to rest or to its end. Its state tells, not the turn: a turn ends with each of them.
fn ended(body: &Body, task: &Task, language: Language) -> Option<(&'static str, String)> {
    let Body::StateChanged { to, on, cause, .. } = body else {
        return None;
    };
    if matches!(to, StateName::Failed | StateName::Crashed) {
        let said = cause.clone().unwrap_or_else(|| failure(task, language));
        return Some((need(*to), said));
    }
    if *on != Transition::Rested(Need::Prompt) || task.turn.is_some() {
        return None;
    }
    match task.last_outcome? {
        TurnOutcome::Completed => Some(("Finished", language.say(PROMPT).to_owned())),
        TurnOutcome::Failed => Some(("Failed", failure(task, language))),
        // The user's own doing, or told with the end of the run.
        TurnOutcome::Interrupted | TurnOutcome::RunEnded => None,
    }
}

/// Longest title shown, in characters.
const TITLE_MAX: usize = 60;
/// Longest text shown, in characters.
const TEXT_MAX: usize = 240;

fn made(task: &TaskId, subject: &str, title: &str, text: &str) -> Notice {
    Notice {
        link: Link::Task(task.clone()),
        title: format!("{subject}: {}", plain(title, TITLE_MAX)),
        body: plain(text, TEXT_MAX),
    }
}

/// What an agent waits for that has ended its turn.
const PROMPT: &str = "Waits for your next prompt.";
/// What there is to say of a failure that says nothing.
const LOOK: &str = "Look at the task for what happened.";

fn failure(task: &Task, language: Language) -> String {
    let said = task.failure.as_ref().map(|failure| failure.message.clone());
    said.unwrap_or_else(|| language.say(LOOK).to_owned())
}

fn notice_of_state(task: &TaskSummary, language: Language) -> Option<Notice> {
    let need = need(task.state);
    let text = match need {
        "Question" => "Waits for your answer.",
        "Plan" => "Waits for your decision on its plan.",
        "Finished" => PROMPT,
        "Failed" | "Crashed" => LOOK,
        _ => return None,
    };
    let failure = task.failure.as_ref();
    let said = failure.map_or(language.say(text), |failure| &failure.message);
    let subject = language.say(need);
    Some(made(&task.task_id, subject, &task.title, said))
}

/// What the task needs, in a word.
pub(crate) fn need(state: StateName) -> &'static str {
    match state {
        StateName::Asking => "Question",
        StateName::HasPlan => "Plan",
        StateName::Waiting => "Finished",
        StateName::Failed => "Failed",
        StateName::Crashed => "Crashed",
        StateName::Stopped => "Stopped",
        StateName::Pending
        | StateName::Branching
        | StateName::Provisioning
        | StateName::Starting
        | StateName::Running
        | StateName::Pulling
        | StateName::Pushing
        | StateName::Stopping
        | StateName::Purging
        | StateName::Purged => "Working",
    }
}

/// Agents that stand still for an answer come first.
fn urgency(state: StateName) -> u8 {
    match need(state) {
        "Question" | "Plan" => 0,
        "Failed" | "Crashed" => 1,
        _ => 2,
    }
}

/// Whether an agent does something that it would be a pity not to see.
#[must_use]
pub(crate) fn is_working(state: StateName) -> bool {
    need(state) == "Working"
        && !matches!(
            state,
            StateName::Pending | StateName::Purging | StateName::Purged
        )
}

/// `text` in one line of at most `max` characters: without what notification servers and menus take for
/// markup or control, because agents and repositories write it.
fn plain(text: &str, max: usize) -> String {
    let shown = |c: char| match c {
        '<' => '‹',
        '>' => '›',
        c if c.is_control() => ' ',
        c => c,
    };
    let seen = text.chars().filter(|c| !is_direction(*c)).take(max * 4);
    let seen: String = seen.map(shown).collect();
    let line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= max {
        return line;
    }
    let cut: String = line.chars().take(max - 1).collect();
    format!("{}…", cut.trim_end())
}

/// Characters that turn the direction of writing, with which text can look like another.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;
