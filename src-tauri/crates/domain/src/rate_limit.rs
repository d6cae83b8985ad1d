//! The provider's limits: there are several at once (of five hours, of a week), each told by its name.
//!
//! A task keeps each as it was last told, at most [`RateLimit::KEPT_MAX`], in the order in which they bind: those
//! that hold the agent up, the one that is lifted last first; then the fullest. A limit whose time has come is
//! forgotten with the next news.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Task, Timestamp};

/// A limit of the provider that the agent ran into or comes near to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RateLimit {
    /// Which limit, in the provider's words.
    pub name: String,
    /// Share used, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<f64>,
    /// When it is lifted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resets_at: Option<Timestamp>,
    /// Whether the agent is held up by it now.
    pub blocked: bool,
}

impl RateLimit {
    /// Most limits that a task keeps.
    pub const KEPT_MAX: usize = 8;
    /// The longest name of one that a task keeps, in characters.
    pub const NAME_MAX: usize = 64;

    /// Which of two binds first: less is first.
    fn binding(&self, other: &Self) -> Ordering {
        let blocked = other.blocked.cmp(&self.blocked);
        let lifted = match self.blocked && other.blocked {
            // Without a time it may last longest.
            true => order_of_end(other).cmp(&order_of_end(self)),
            false => Ordering::Equal,
        };
        let used = |limit: &Self| limit.used.unwrap_or(0.0);
        let fuller = used(other).total_cmp(&used(self));
        blocked.then(lifted).then(fuller)
    }

    /// Whether requests fail at it: it says so, or all of it is used.
    pub(crate) fn rejects(&self) -> bool {
        self.blocked || self.used.is_some_and(|used| used >= 1.0)
    }

    /// Whether its time has come, so that what was told of it holds no more.
    #[must_use]
    pub fn has_lapsed(&self, now: Timestamp) -> bool {
        self.resets_at.is_some_and(|at| at <= now)
    }
}

fn order_of_end(limit: &RateLimit) -> (bool, Option<Timestamp>) {
    (limit.resets_at.is_none(), limit.resets_at)
}

impl Task {
    /// Takes in what was told of one limit; one of which there is nothing to tell any more goes.
    pub(crate) fn record_limit(&mut self, told: &RateLimit, now: Timestamp) {
        let limits = &mut self.rate_limits;
        let name: String = told.name.chars().take(RateLimit::NAME_MAX).collect();
        limits.retain(|limit| limit.name != name && !limit.has_lapsed(now));
        if told.blocked || told.used.is_some() {
            limits.push(RateLimit {
                name,
                ..told.clone()
            });
        }
        limits.sort_by(RateLimit::binding);
        limits.truncate(RateLimit::KEPT_MAX);
        self.show_limit();
    }

    /// A turn is over: nothing is held up any more.
    pub(crate) fn lift_limits(&mut self) {
        self.rate_limits.retain(|limit| !limit.blocked);
        self.show_limit();
    }

    /// Another provider or another account has other limits.
    pub(crate) fn forget_limits(&mut self) {
        self.rate_limits.clear();
        self.show_limit();
    }

    fn show_limit(&mut self) {
        self.rate_limit = self.rate_limits.first().cloned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Event};

    /// The limits that a task keeps after those of `told`, `name used resets_at_s blocked` each, one a second.
    fn kept(told: &[(&str, f64, i64, bool)]) -> String {
        let first = r#"{"event_id":"e","ts":"1970-01-01T00:00:00.000Z","seq":1,"task_id":"t","type":"session_started","task_description":"t","coding_provider":"claude","spec":{"prompt":"go","harness":"claude"}}"#;
        let first: Event = serde_json::from_str(first).unwrap();
        let mut task = Task::begin(&first).unwrap();
        for (nth, (name, used, resets_s, blocked)) in (1..).zip(told) {
            let limit = RateLimit {
                name: (*name).to_owned(),
                used: Some(*used),
                resets_at: Some(Timestamp::from_unix_ms(resets_s * 1000)),
                blocked: *blocked,
            };
            task.record(&Event {
                ts: Timestamp::from_unix_ms(nth * 1000),
                seq: 1 + u64::try_from(nth).unwrap(),
                body: Body::RateLimited(limit),
                ..first.clone()
            });
        }
        assert_eq!(task.rate_limit, task.rate_limits.first().cloned());
        let names = task.rate_limits.iter().map(|limit| limit.name.as_str());
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_limit_is_kept_as_it_was_last_told_the_fullest_first() {
        assert_eq!(
            kept(&[("day", 0.5, 99, false), ("week", 0.7, 99, false)]),
            "week day"
        );
        let again = [
            ("day", 0.5, 99, false),
            ("week", 0.7, 99, false),
            ("day", 0.9, 99, false),
        ];
        assert_eq!(kept(&again), "day week");
    }

    #[test]
    fn what_holds_the_agent_up_comes_first_and_of_several_what_is_lifted_last() {
        let told = [
            ("fullest", 0.99, 99, false),
            ("hours", 0.9, 50, true),
            ("week", 0.8, 99, true),
        ];
        assert_eq!(kept(&told), "week hours fullest");
    }

    #[test]
    fn a_limit_whose_time_has_come_is_forgotten_and_their_number_is_bounded() {
        assert_eq!(
            kept(&[("old", 0.9, 2, false), ("new", 0.1, 99, false)]),
            "new"
        );
        let names: Vec<String> = (0..20).map(|n| format!("w{n}")).collect();
        let many: Vec<_> = names
            .iter()
            .map(|name| (name.as_str(), 0.5, 99, false))
            .collect();
        assert_eq!(kept(&many).split(' ').count(), RateLimit::KEPT_MAX);
    }
}
