//! Where ids and the time come from: one place, so that everything below stays pure.

use std::time::{SystemTime, UNIX_EPOCH};

use paddock_domain::{EventId, GroupId, RuleId, RunId, TaskId, Timestamp, TurnId};

/// The time by this machine's clock.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_unix_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn parts() -> (u64, u128) {
    (u64::try_from(now().unix_ms()).unwrap_or(0), rand::random())
}

pub(crate) fn new_task() -> TaskId {
    let (ms, random) = parts();
    TaskId::new(ms, random)
}

pub(crate) fn new_group() -> GroupId {
    let (ms, random) = parts();
    GroupId::new(ms, random)
}

pub(crate) fn new_run() -> RunId {
    let (ms, random) = parts();
    RunId::new(ms, random)
}

pub(crate) fn new_turn() -> TurnId {
    let (ms, random) = parts();
    TurnId::new(ms, random)
}

pub(crate) fn new_rule() -> RuleId {
    let (ms, random) = parts();
    RuleId::new(ms, random)
}

pub(crate) fn new_event() -> EventId {
    let (ms, random) = parts();
    EventId::new(ms, random)
}

/// A version 4 UUID, for agents that let us name their session.
pub(crate) fn new_uuid() -> String {
    let n: u128 = rand::random();
    let n = (n & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{n:032x}");
    [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)]
        .iter()
        .filter_map(|&(from, to)| hex.get(from..to))
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_uuid_says_that_it_is_random_and_has_the_usual_form() {
        let uuid = super::new_uuid();
        let lengths: Vec<_> = uuid.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(&uuid[14..15], "4");
        assert!("89ab".contains(&uuid[19..20]));
    }
}
