//! The places of a host, and the line of tasks that wait for one.
//!
//! A place is held from the first branch to the end of the turn; an agent that rests holds none. Who waits
//! is served by rank, and by age among equals: a task that nobody moved stands where it was created.
//!
//! Start at [`Line::of`].

use std::sync::Arc;

use paddock_domain::{DiskState, HostName, LineEnd, StateName, Task, TaskId};

use crate::Snapshot;

/// Who works and who waits on one host.
#[derive(Clone, Debug)]
pub struct Line {
    /// Most tasks at work at once.
    pub limit: usize,
    /// Tasks that hold a place, oldest first.
    pub held: Vec<Arc<Task>>,
    /// Tasks that wait for one, in the order in which they are served.
    pub waiting: Vec<Arc<Task>>,
    /// What holds all of them up whatever the places: a disk without room.
    pub held_up: Option<&'static str>,
}

impl Line {
    /// How many tasks are named in a reason.
    const NAMED: usize = 3;
    /// How much of a title is told, in characters.
    const TITLE: usize = 32;

    /// The line of `host`.
    #[must_use]
    pub fn of(snapshot: &Snapshot, host: &HostName) -> Self {
        let here = snapshot
            .tasks
            .values()
            .filter(|task| task.spec.host == *host);
        let (mut held, mut waiting) = (Vec::new(), Vec::new());
        for task in here {
            if task.state == StateName::Pending {
                waiting.push(task.clone());
            } else if task.machine().holds_place() {
                held.push(task.clone());
            }
        }
        waiting.sort_by(|a, b| (a.rank, &a.task_id).cmp(&(b.rank, &b.task_id)));
        Self {
            limit: snapshot.limit(host),
            held,
            waiting,
            held_up: (snapshot.disk.state != DiskState::Ok)
                .then_some("waits until there is room on the disk"),
        }
    }

    /// The place of `task` in the line, from 1.
    #[must_use]
    pub fn position(&self, task: &TaskId) -> Option<usize> {
        let at = self.waiting.iter().position(|t| t.task_id == *task)?;
        Some(at + 1)
    }

    /// Why who stands at `position` waits, in one sentence.
    #[must_use]
    pub fn reason(&self, position: usize) -> String {
        let (nth, of) = (ordinal(position), self.waiting.len());
        if let Some(held_up) = self.held_up {
            return format!("{nth} of {of}, {held_up}");
        }
        let (held, limit) = (self.held.len(), self.limit);
        let mut names: Vec<String> = self.held.iter().take(Self::NAMED).map(name).collect();
        if held > Self::NAMED {
            names.push(format!("{} more", held - Self::NAMED));
        }
        let by = if names.is_empty() {
            String::new()
        } else {
            format!(" by {}", names.join(", "))
        };
        format!("{nth} of {of}, waits for a place on this host: {held} of {limit} taken{by}")
    }

    /// The rank with which a task stands at `end` of the line.
    pub(crate) fn rank_at(&self, end: LineEnd) -> i64 {
        let ranks = self.waiting.iter().map(|task| task.rank);
        match end {
            LineEnd::Front => ranks.min().unwrap_or(0).saturating_sub(1),
            LineEnd::Back => ranks.max().unwrap_or(0).saturating_add(1),
        }
    }
}

fn name(task: &Arc<Task>) -> String {
    let mut title: String = task.title.chars().take(Line::TITLE).collect();
    if title.len() < task.title.len() {
        title.push('…');
    }
    format!("“{title}”")
}

fn ordinal(n: usize) -> String {
    let ending = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        (_, _) => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    use paddock_domain::{Body, Event, EventId, TaskSpec, Timestamp, Transition};

    use super::*;

    fn task(id: &str, rank: i64, works: bool) -> Arc<Task> {
        let spec: TaskSpec =
            serde_json::from_str(&format!(r#"{{"prompt":"do {id}","harness":"scripted"}}"#))
                .unwrap();
        let event = |seq, body| Event {
            event_id: EventId::new(seq, 0),
            ts: Timestamp::from_unix_ms(0),
            seq,
            task_id: TaskId::parse(id).unwrap(),
            run_id: None,
            turn_id: None,
            source: None,
            body,
        };
        let begun = Body::SessionStarted {
            task_description: spec.title(),
            project_path: None,
            coding_provider: spec.harness.clone(),
            spec: Box::new(spec),
        };
        let mut task = Task::begin(&event(1, begun)).unwrap();
        task.record(&event(2, Body::PlaceMoved { rank }));
        if works {
            let (from, to) = (StateName::Pending, StateName::Branching);
            let (on, cause) = (Transition::Scheduled, None);
            let change = Body::StateChanged {
                from,
                to,
                on,
                cause,
            };
            task.record(&event(3, change));
        }
        Arc::new(task)
    }

    fn line(tasks: Vec<Arc<Task>>) -> Line {
        let snapshot = Snapshot {
            tasks: tasks
                .into_iter()
                .map(|task| (task.task_id.clone(), task))
                .collect(),
            parallel_tasks: 2,
            ..Snapshot::default()
        };
        Line::of(&snapshot, &HostName::local())
    }

    fn waiting(line: &Line) -> Vec<&str> {
        let ids = line.waiting.iter().map(|task| task.task_id.as_str());
        ids.collect()
    }

    #[test]
    fn who_waits_is_served_by_rank_and_then_by_age() {
        let all = [("a", 0), ("b", 0), ("c", -1), ("d", 5), ("e", 5)];
        let line = line(all.map(|(id, rank)| task(id, rank, false)).into());
        assert_eq!(waiting(&line), ["c", "a", "b", "d", "e"]);
        assert_eq!(line.rank_at(LineEnd::Front), -2);
        assert_eq!(line.rank_at(LineEnd::Back), 6);
        assert_eq!(line.position(&TaskId::parse("b").unwrap()), Some(3));
    }

    #[test]
    fn a_reason_names_the_place_and_who_works() {
        let line = line(vec![
            task("a", 0, true),
            task("b", 0, true),
            task("c", 0, false),
        ]);
        assert_eq!(
            line.reason(1),
            "1st of 1, waits for a place on this host: 2 of 2 taken by “do a”, “do b”"
        );
    }

    #[test]
    fn numbers_are_said_as_people_say_them() {
        let said: Vec<_> = [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal).into();
        let expected = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th",
        ];
        assert_eq!(said, expected);
    }
}
