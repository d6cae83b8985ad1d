//! The planner in a world of its own: effects that work, effects that fail, and things that happen.
//!
//! [`World`] carries effects out the way the runner does, in no time. Whatever has happened to it, the
//! plan comes to rest when nothing more goes wrong, and it rests in a state that is true.

mod world;

use paddock_domain::StateName;
use proptest::prelude::*;

use self::world::{Happens, World};
use super::*;

/// Lets things happen, settling after each, and gives the states that were rested in.
fn states(happenings: &[Happens]) -> String {
    let mut world = World::new();
    let mut states = Vec::new();
    for &what in happenings {
        world.happen(what);
        world.settle();
        world.check();
        states.push(world.task.state.as_str());
    }
    states.join(" ")
}

use Happens as H;

#[test]
fn a_place_is_all_that_a_new_task_waits_for() {
    assert_eq!(states(&[H::Restart, H::PlaceGranted]), "pending running");
}

#[test]
fn the_state_follows_what_the_agent_does() {
    let life = [
        H::PlaceGranted,
        H::AgentAsks,
        H::AgentFinishesTurn,
        H::UserSends,
    ];
    assert_eq!(states(&life), "running asking waiting running");
}

#[test]
fn a_restart_or_a_lost_connection_changes_nothing_that_users_see() {
    let life = [
        H::PlaceGranted,
        H::Restart,
        H::ConnectionLost,
        H::AgentFinishesTurn,
        H::Restart,
    ];
    assert_eq!(states(&life), "running running running waiting waiting");
}

#[test]
fn an_agent_that_leaves_stops_its_task_and_one_that_fails_crashes_it() {
    assert_eq!(
        states(&[H::PlaceGranted, H::AgentExits(0)]),
        "running stopped"
    );
    assert_eq!(
        states(&[H::PlaceGranted, H::AgentExits(1)]),
        "running crashed"
    );
    let again = [H::PlaceGranted, H::AgentExits(1), H::UserRevives];
    assert_eq!(states(&again), "running crashed waiting");
}

#[test]
fn a_box_that_ends_by_itself_stops_its_task() {
    assert_eq!(states(&[H::PlaceGranted, H::BoxEnds]), "running stopped");
}

#[test]
fn a_purge_stops_the_agent_at_once_and_takes_the_box_when_it_is_due() {
    let life = [H::PlaceGranted, H::UserPurges, H::PurgeDue];
    assert_eq!(states(&life), "running purging purged");
    let undone = [
        H::PlaceGranted,
        H::UserPurges,
        H::UserRestores,
        H::UserRevives,
    ];
    assert_eq!(states(&undone), "running purging stopped waiting");
}

#[test]
fn a_stop_is_carried_through_a_restart() {
    let mut world = World::new();
    world.happen(H::PlaceGranted);
    world.settle();
    world.happen(H::UserStops);
    world.happen(H::Restart);
    let done = world.settle();
    assert_eq!(world.task.state, StateName::Stopped);
    assert!(done.contains(&Effect::StopRun), "{done:?}");
    world.check();
}

#[test]
fn an_agent_that_goes_on_rests_when_what_it_made_is_out() {
    let mut world = World::new();
    for what in [H::PlaceGranted, H::AgentFinishesTurn, H::UserStops] {
        world.happen(what);
        world.settle();
    }
    world.happen(H::UserRevives);
    while let Some(effect) = plan(&world.task, &world.seen)
        && effect != Effect::Record(Transition::Resumed)
    {
        world.carry_out(effect);
    }
    world.seen.bringing_out = true;
    assert_eq!(plan(&world.task, &world.seen), None);
    world.seen.bringing_out = false;
    assert_eq!(
        plan(&world.task, &world.seen),
        Some(Effect::Record(Transition::Resumed))
    );
}

#[test]
fn nothing_is_done_twice() {
    let mut world = World::new();
    world.happen(H::PlaceGranted);
    assert!(!world.settle().is_empty());
    assert_eq!(world.settle(), []);
}

#[test]
fn an_agent_without_its_session_gives_way_to_one_with_a_new_session_and_no_turn_ends() {
    let mut world = World::new();
    world.happen(H::PlaceGranted);
    world.settle();
    world.happen(H::SessionIsLost);
    let done = world.settle();
    let change = [
        Effect::StopRun,
        Effect::CloseRun(RunExit::Code { code: 0 }),
        Effect::StartRun,
    ];
    assert_eq!(done, change);
    assert_eq!(world.task.state, StateName::Running);
    assert!(world.turn && !world.task.session_lost);
    world.check();
}

#[test]
fn a_box_that_stays_silent_is_waited_for_and_ended_only_for_who_stops_it() {
    let mut world = World::new();
    world.happen(H::PlaceGranted);
    world.settle();
    world.happen(H::BoxFallsSilent);
    assert_eq!(world.settle(), [Effect::FindBox]);
    assert_eq!(world.task.state, StateName::Running);
    world.happen(H::UserStops);
    assert!(world.settle().contains(&Effect::EndBox));
    assert_eq!(world.task.state, StateName::Stopped);
    world.check();
}

#[test]
fn a_task_whose_box_vanished_stops_and_is_revived_in_another() {
    let life = [H::PlaceGranted, H::BoxVanishes, H::UserRevives];
    assert_eq!(states(&life), "running stopped waiting");
}

#[test]
fn what_is_queued_follows_the_turn_without_a_rest_between() {
    let life = [
        H::PlaceGranted,
        H::UserQueues,
        H::AgentFinishesTurn,
        H::Restart,
        H::AgentFinishesTurn,
        H::UserQueues,
    ];
    assert_eq!(
        states(&life),
        "running running running running waiting running"
    );
}

#[test]
fn what_is_queued_rests_with_an_agent_that_ended_until_the_user_speaks() {
    let life = [
        H::PlaceGranted,
        H::UserQueues,
        H::UserStops,
        H::UserRevives,
        H::UserSends,
        H::AgentFinishesTurn,
        H::AgentFinishesTurn,
    ];
    assert_eq!(
        states(&life),
        "running running stopped waiting running running waiting"
    );
}

fn anything() -> impl Strategy<Value = Happens> {
    prop_oneof![
        Just(H::PlaceGranted),
        Just(H::ConnectionLost),
        Just(H::BoxFallsSilent),
        Just(H::BoxAnswersAgain),
        Just(H::BoxVanishes),
        Just(H::SessionIsLost),
        Just(H::BoxEnds),
        (0..2i32).prop_map(H::AgentExits),
        Just(H::AgentFinishesTurn),
        Just(H::AgentAsks),
        Just(H::UserSends),
        Just(H::UserQueues),
        Just(H::UserStops),
        Just(H::UserRevives),
        Just(H::UserPurges),
        Just(H::UserRestores),
        Just(H::PurgeDue),
        Just(H::SetupFails),
        Just(H::Restart),
    ]
}

proptest! {
    /// Several things may happen between two looks; a step of the plan may come in between.
    #[test]
    fn whatever_happens_the_plan_comes_to_rest_in_a_true_state(
        rounds in prop::collection::vec((prop::collection::vec(anything(), 1..4), 0..6usize), 1..30)
    ) {
        let mut world = World::new();
        for (happenings, steps) in rounds {
            for what in happenings {
                world.happen(what);
            }
            for _ in 0..steps {
                if let Some(effect) = plan(&world.task, &world.seen) {
                    world.carry_out(effect);
                }
            }
        }
        // A silent box is looked for without end; what is true of it is seen when it answers.
        world.happen(H::BoxAnswersAgain);
        world.settle();
        world.check();
    }
}
