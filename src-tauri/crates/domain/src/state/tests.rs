//! The machine held against the table of the contracts, and against any sequence of transitions.

use proptest::prelude::*;

use super::*;

/// Follows `path` from pending and gives the names on the way.
fn names(path: &[Transition]) -> Vec<&'static str> {
    let mut state = TaskState::Pending;
    path.iter()
        .map(|&transition| {
            state = state.apply(transition).unwrap();
            state.name().as_str()
        })
        .collect()
}

use Transition as T;

const TO_RUNNING: [T; 4] = [T::Scheduled, T::Branched, T::BoxReady, T::Prompted];

fn running() -> TaskState {
    TO_RUNNING
        .iter()
        .fold(TaskState::Pending, |state, &t| state.apply(t).unwrap())
}

#[test]
fn a_plain_life_runs_from_pending_to_purged() {
    let mut path = TO_RUNNING.to_vec();
    path.extend([T::Rested(Need::Prompt), T::StopRequested, T::Ended]);
    path.extend([T::PurgeRequested, T::PurgeDone]);
    assert_eq!(
        names(&path).join(" "),
        "branching provisioning starting running waiting stopping stopped purging purged"
    );
}

#[test]
fn a_sync_leads_back_to_where_the_agent_is_by_then() {
    let pulling = running().apply(T::PullStarted).unwrap();
    assert_eq!(pulling.apply(T::Synced).unwrap(), TaskState::Running);
    let asked = pulling.apply(T::Rested(Need::Answers)).unwrap();
    assert_eq!(asked.name(), StateName::Pulling);
    let pushed = asked.apply(T::PushStarted).unwrap();
    assert_eq!(pushed.apply(T::Synced).unwrap().name(), StateName::Asking);
}

#[test]
fn a_first_start_that_fails_is_failed_and_a_revival_that_fails_can_be_revived() {
    let first = [T::Scheduled, T::Branched, T::BoxReady, T::Failed];
    assert_eq!(names(&first).last(), Some(&"failed"));
    let crashed = running().apply(T::Crashed).unwrap();
    let again = crashed.apply(T::ReviveRequested).unwrap();
    assert_eq!(again.apply(T::Failed).unwrap(), TaskState::Crashed);
    assert!(TaskState::Failed.apply(T::ReviveRequested).is_err());
}

#[test]
fn a_queued_task_that_is_purged_and_restored_queues_again() {
    let purging = TaskState::Pending.apply(T::PurgeRequested).unwrap();
    assert_eq!(purging.apply(T::PurgeUndone).unwrap(), TaskState::Pending);
}

#[test]
fn a_crash_while_stopping_is_a_stop() {
    let stopping = running().apply(T::StopRequested).unwrap();
    assert_eq!(stopping.apply(T::Crashed).unwrap(), TaskState::Stopped);
}

#[test]
fn every_state_can_be_reached() {
    let reached: std::collections::BTreeSet<_> = TaskState::moves()
        .into_iter()
        .map(|(_, _, to)| to.name())
        .collect();
    let never: Vec<_> = StateName::ALL
        .iter()
        .filter(|name| !reached.contains(name))
        .collect();
    assert!(never.is_empty(), "never reached: {never:?}");
}

#[test]
fn every_state_but_purged_can_be_purged_and_none_is_a_dead_end() {
    for (_, _, state) in TaskState::moves() {
        let can_purge = state.apply(T::PurgeRequested).is_ok();
        assert_eq!(
            can_purge,
            !matches!(state, TaskState::Purging(_) | TaskState::Purged)
        );
        let moves = T::ALL.iter().filter(|t| state.apply(**t).is_ok()).count();
        assert_eq!(moves == 0, state.is_terminal(), "{state:?}");
    }
}

#[test]
fn every_live_run_can_be_stopped_and_can_crash() {
    for (_, _, state) in TaskState::moves() {
        if state.has_run() {
            assert!(state.apply(T::Ended).is_ok(), "{state:?}");
            assert!(state.apply(T::Crashed).is_ok(), "{state:?}");
        }
    }
}

proptest! {
    #[test]
    fn no_sequence_panics_and_terminal_stays_terminal(picks in prop::collection::vec(0..T::ALL.len(), 0..200)) {
        let mut state = TaskState::Pending;
        for pick in picks {
            let next = state.apply(T::ALL[pick]);
            if state.is_terminal() {
                prop_assert!(next.is_err());
            }
            state = next.unwrap_or(state);
        }
    }
}
