//! Think: given the task and what is seen of the world, what now?
//!
//! [`plan`] is pure, level-triggered and idempotent, and takes no hint of what changed. A command, an
//! event, a tick, a boot and a dropped connection all end here, so recovery is no second code path:
//! whatever was half done is seen as it is and finished, or taken back.

use paddock_domain::{Back, Need, RunExit, Task, TaskState, Transition};

/// What is seen of a task's world just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Whether the host has given the task one of its places.
    pub has_place: bool,
    /// The task's box.
    pub place: BoxSeen,
    /// The task's run.
    pub run: RunSeen,
    /// Whether a sync is under way here.
    pub syncing: bool,
    /// Whether commits of a turn that ended are still on their way out of the box.
    pub bringing_out: bool,
    /// Whether the recovery window of a purge is over.
    pub purge_due: bool,
    /// Whether the box has not answered for so long that who wants it ended need not wait any more.
    pub silent: bool,
}

/// What is seen of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxSeen {
    /// Nobody has looked yet.
    Unknown,
    /// There is none.
    Absent,
    /// It stands and its relay answers.
    Standing,
    /// It stands, but the connection to its relay is lost.
    Unreached,
    /// It has ended by itself; its work is kept.
    Ended {
        /// Whether it ran out of memory.
        out_of_memory: bool,
    },
}

/// What is seen of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunSeen {
    /// Nobody has looked yet, or the connection is lost.
    Unknown,
    /// There is none.
    None,
    /// Its log is being read from the start, and what it was not told yet is being said.
    Joining,
    /// It lives, its log is followed, and it has heard everything.
    Live,
    /// It was ended; the rest of its log is still being read.
    Ending,
    /// It is over.
    Over(RunExit),
}

/// One thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Write the transition into the journal.
    Record(Transition),
    /// Give every repository its branch.
    ClaimBranches,
    /// Look for the box and connect to its relay.
    FindBox,
    /// Make the box, or finish or restart the one that is there.
    RaiseBox,
    /// Spawn the agent and follow its log.
    StartRun,
    /// Follow the log of the run that the journal names.
    FollowRun,
    /// Ask the agent to end, then end it.
    StopRun,
    /// Write into the journal how the run ended, and close what it left open.
    CloseRun(RunExit),
    /// End the box from outside, without its relay; its work is kept.
    EndBox,
    /// Say the next message of the queue.
    SendNext,
    /// Remove the box and all that is left of a setup that failed.
    RemoveBox,
}

/// What to do next for `task`; nothing when all is as it should be.
///
/// One effect at a time: what comes after it depends on how it went.
#[must_use]
pub fn plan(task: &Task, seen: &Observed) -> Option<Effect> {
    match task.machine() {
        TaskState::Pending => seen
            .has_place
            .then_some(Effect::Record(Transition::Scheduled)),
        TaskState::Branching => Some(branch(task)),
        TaskState::Provisioning { .. } => Some(match seen.place {
            BoxSeen::Standing => Effect::Record(Transition::BoxReady),
            BoxSeen::Unknown | BoxSeen::Absent | BoxSeen::Unreached | BoxSeen::Ended { .. } => {
                Effect::RaiseBox
            }
        }),
        TaskState::Starting { .. } => start(task, seen),
        TaskState::Running | TaskState::Resting(_) => with_run(task, seen),
        TaskState::Pulling(back) | TaskState::Pushing(back) => sync(task, seen, back),
        TaskState::Stopping => stop(task, seen),
        TaskState::Stopped | TaskState::Crashed => match end_run(task, seen) {
            Ending::Do(effect) => Some(effect),
            Ending::Wait => None,
            Ending::Done => look_again(seen),
        },
        TaskState::Failed => clean(task, seen),
        TaskState::Purging(_) => purge(task, seen),
        TaskState::Purged => None,
    }
}

fn branch(task: &Task) -> Effect {
    if task
        .repositories
        .iter()
        .all(|repository| repository.branch.is_some())
    {
        Effect::Record(Transition::Branched)
    } else {
        Effect::ClaimBranches
    }
}

fn start(task: &Task, seen: &Observed) -> Option<Effect> {
    let opening = if task.turn.is_some() {
        Transition::Prompted
    } else {
        Transition::Resumed
    };
    if let Some(change) = change_agent(task, seen) {
        return change;
    }
    Some(match (seen.place, seen.run) {
        // A turn is over already: rest is called rest when the commits are out.
        (BoxSeen::Standing, RunSeen::Live) if task.turn.is_none() && seen.bringing_out => {
            return None;
        }
        (BoxSeen::Standing, RunSeen::Live) => Effect::Record(opening),
        (BoxSeen::Standing, RunSeen::Joining | RunSeen::Ending) => return None,
        // It has spoken and is over already: it had started, and died at work.
        (BoxSeen::Standing, RunSeen::Over(_)) if run_is_open(task) && has_spoken(task) => {
            Effect::Record(opening)
        }
        (BoxSeen::Standing, RunSeen::Over(exit)) if run_is_open(task) => Effect::CloseRun(exit),
        // Over before the first word: it could not be started, and starting it again would not help.
        (BoxSeen::Standing, RunSeen::Over(_)) => Effect::Record(Transition::Failed),
        (BoxSeen::Standing, RunSeen::Unknown) if run_is_open(task) => Effect::FollowRun,
        (BoxSeen::Standing, RunSeen::Unknown | RunSeen::None) => Effect::StartRun,
        (BoxSeen::Unknown | BoxSeen::Unreached, _) => Effect::FindBox,
        (BoxSeen::Absent | BoxSeen::Ended { .. }, _) => Effect::Record(Transition::Failed),
    })
}

/// Whether an agent of the task ever named its session, which it does with its first word.
fn has_spoken(task: &Task) -> bool {
    task.agent_session.is_some()
}

/// An agent that no longer knows its session gives way to one that begins a new session, whatever the
/// task does meanwhile; nothing when there is nothing of that to do.
fn change_agent(task: &Task, seen: &Observed) -> Option<Option<Effect>> {
    if !task.session_lost || seen.place != BoxSeen::Standing {
        return None;
    }
    let open = run_is_open(task);
    Some(match seen.run {
        RunSeen::Live | RunSeen::Joining => Some(Effect::StopRun),
        RunSeen::Ending => None,
        RunSeen::Unknown if open => Some(Effect::FollowRun),
        RunSeen::Over(exit) if open => Some(Effect::CloseRun(exit)),
        RunSeen::None if open => Some(Effect::CloseRun(RunExit::Lost)),
        RunSeen::Unknown | RunSeen::None | RunSeen::Over(_) => Some(Effect::StartRun),
    })
}

fn with_run(task: &Task, seen: &Observed) -> Option<Effect> {
    if let Some(change) = change_agent(task, seen) {
        return change;
    }
    match (seen.place, seen.run) {
        (BoxSeen::Absent | BoxSeen::Ended { .. }, _) => Some(over(task, RunExit::Lost)),
        (_, RunSeen::Over(exit)) => Some(over(task, exit)),
        (BoxSeen::Unknown | BoxSeen::Unreached, _) => Some(Effect::FindBox),
        (BoxSeen::Standing, RunSeen::Unknown) if run_is_open(task) => Some(Effect::FollowRun),
        (BoxSeen::Standing, RunSeen::Unknown | RunSeen::None) => Some(over(task, RunExit::Lost)),
        (BoxSeen::Standing, RunSeen::Joining | RunSeen::Ending) => None,
        (BoxSeen::Standing, RunSeen::Live) => settle(task, seen),
    }
}

/// Lets the state follow what the agent does. Rest is called rest when the commits are out and nothing is
/// queued to be said.
fn settle(task: &Task, seen: &Observed) -> Option<Effect> {
    let need = match () {
        () if task.plan.is_some() => Some(Need::PlanDecision),
        () if task.has_open_requests() => Some(Need::Answers),
        () if task.turn.is_none() && seen.bringing_out => return None,
        () if task.next_follow_up().is_some() => return Some(Effect::SendNext),
        () if task.turn.is_none() => Some(Need::Prompt),
        () => None,
    };
    let wanted = match need {
        Some(need) => Transition::Rested(need),
        None => Transition::Engaged,
    };
    let moves = task
        .machine()
        .apply(wanted)
        .is_ok_and(|state| state != task.machine());
    moves.then_some(Effect::Record(wanted))
}

fn over(task: &Task, exit: RunExit) -> Effect {
    if run_is_open(task) {
        return Effect::CloseRun(exit);
    }
    match task.run.as_ref().and_then(|run| run.exit) {
        Some(RunExit::Code { code: 0 }) => Effect::Record(Transition::Ended),
        Some(RunExit::Lost) if exit == RunExit::Lost => Effect::Record(Transition::Ended),
        Some(_) | None => Effect::Record(Transition::Crashed),
    }
}

fn sync(task: &Task, seen: &Observed, back: Back) -> Option<Effect> {
    let agent = match back {
        Back::Running | Back::Resting(_) => with_run(task, seen),
        Back::Stopped | Back::Crashed => None,
    };
    // A sync that nobody carries out was cut off by a restart: its pushes are done or not, and can be
    // repeated.
    agent.or_else(|| (!seen.syncing).then_some(Effect::Record(Transition::Synced)))
}

fn stop(task: &Task, seen: &Observed) -> Option<Effect> {
    match end_run(task, seen) {
        Ending::Do(effect) => Some(effect),
        Ending::Wait => None,
        Ending::Done => Some(Effect::Record(Transition::Ended)),
    }
}

/// How far the end of a run is.
enum Ending {
    Do(Effect),
    Wait,
    Done,
}

/// Brings the run to its end and into the journal.
fn end_run(task: &Task, seen: &Observed) -> Ending {
    let open = run_is_open(task);
    match (seen.place, seen.run) {
        (BoxSeen::Standing | BoxSeen::Unreached | BoxSeen::Unknown, RunSeen::Ending) => {
            Ending::Wait
        }
        (_, RunSeen::Live | RunSeen::Joining) => Ending::Do(Effect::StopRun),
        (_, _) if !open => Ending::Done,
        (_, RunSeen::Over(exit)) => Ending::Do(Effect::CloseRun(exit)),
        (BoxSeen::Absent | BoxSeen::Ended { .. }, _) | (BoxSeen::Standing, RunSeen::None) => {
            Ending::Do(Effect::CloseRun(RunExit::Lost))
        }
        (BoxSeen::Unreached, RunSeen::Unknown | RunSeen::None) if seen.silent => {
            Ending::Do(Effect::EndBox)
        }
        (BoxSeen::Unknown | BoxSeen::Unreached, RunSeen::Unknown | RunSeen::None) => {
            Ending::Do(Effect::FindBox)
        }
        (BoxSeen::Standing, RunSeen::Unknown) => Ending::Do(Effect::FollowRun),
    }
}

/// A box without a run is kept in sight: its work can be shown, committed and synced.
fn look_again(seen: &Observed) -> Option<Effect> {
    matches!(seen.place, BoxSeen::Unknown | BoxSeen::Unreached).then_some(Effect::FindBox)
}

/// A setup that failed leaves nothing behind: no run without an end, no box.
fn clean(task: &Task, seen: &Observed) -> Option<Effect> {
    if seen.place != BoxSeen::Absent {
        return Some(Effect::RemoveBox);
    }
    run_is_open(task).then_some(Effect::CloseRun(RunExit::Lost))
}

fn purge(task: &Task, seen: &Observed) -> Option<Effect> {
    match (end_run(task, seen), seen.purge_due, seen.place) {
        (Ending::Do(effect), _, _) => Some(effect),
        (Ending::Wait, _, _) | (Ending::Done, false, _) => None,
        (Ending::Done, true, BoxSeen::Absent) => Some(Effect::Record(Transition::PurgeDone)),
        // What the agent made last is on its way to the branch.
        (Ending::Done, true, _) if seen.bringing_out => None,
        (
            Ending::Done,
            true,
            BoxSeen::Unknown | BoxSeen::Standing | BoxSeen::Unreached | BoxSeen::Ended { .. },
        ) => Some(Effect::RemoveBox),
    }
}

/// Whether the journal has a run whose end it does not have.
fn run_is_open(task: &Task) -> bool {
    task.run.as_ref().is_some_and(|run| run.exit.is_none())
}

#[cfg(test)]
mod tests;
