//! The task state machine: sixteen states, total, and deaf to nothing.
//!
//! [`TaskState::apply`] takes every pair of state and transition: it either moves or says that the
//! transition is not possible now. Some states carry where they lead back to; their wire names
//! ([`StateName`]) do not show it. The diagram in `docs/ARCHITECTURE.md` is made from
//! [`TaskState::diagram`] and compared by a test.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$vdoc:meta])* $variant:ident = $wire:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $type { $($(#[$vdoc])* $variant,)* }

        impl $type {
            /// All of them, in the order in which a task meets them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

names! {
    /// The sixteen states as every client sees them.
    StateName {
        /// Created; waits for a place among the host's parallel tasks.
        Pending = "pending",
        /// Its branches are being made.
        Branching = "branching",
        /// Its box is being made.
        Provisioning = "provisioning",
        /// Its agent is being started.
        Starting = "starting",
        /// The agent works.
        Running = "running",
        /// The turn ended; the agent waits for the next prompt.
        Waiting = "waiting",
        /// The agent waits for answers or approvals.
        Asking = "asking",
        /// The agent waits for a decision on its plan.
        HasPlan = "has_plan",
        /// Commits are being brought out of the box.
        Pulling = "pulling",
        /// Commits are being pushed to a remote.
        Pushing = "pushing",
        /// The agent is being stopped.
        Stopping = "stopping",
        /// No run is alive; the box is kept and can be revived.
        Stopped = "stopped",
        /// The agent ended with an error; the box is kept and can be revived.
        Crashed = "crashed",
        /// Marked for removal; can be restored until its recovery window ends.
        Purging = "purging",
        /// It could not be set up; the phase and the cause are recorded.
        Failed = "failed",
        /// Its box is gone; its journal is archived.
        Purged = "purged",
    }
}

/// What an agent that came to rest needs from the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// Nothing but a next prompt.
    Prompt,
    /// Answers or approvals.
    Answers,
    /// A decision on its plan.
    PlanDecision,
}

/// Where a task is in its life, with where a passing state leads back to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// See [`StateName::Pending`].
    #[default]
    Pending,
    /// See [`StateName::Branching`].
    Branching,
    /// See [`StateName::Provisioning`].
    Provisioning {
        /// The task had a run before: a failure leaves it revivable.
        again: bool,
    },
    /// See [`StateName::Starting`].
    Starting {
        /// The task had a run before: a failure leaves it revivable.
        again: bool,
    },
    /// See [`StateName::Running`].
    Running,
    /// One of waiting, asking and has_plan.
    Resting(Need),
    /// See [`StateName::Pulling`].
    Pulling(Back),
    /// See [`StateName::Pushing`].
    Pushing(Back),
    /// See [`StateName::Stopping`].
    Stopping,
    /// See [`StateName::Stopped`].
    Stopped,
    /// See [`StateName::Crashed`].
    Crashed,
    /// See [`StateName::Purging`].
    Purging(Kept),
    /// See [`StateName::Failed`].
    Failed,
    /// See [`StateName::Purged`].
    Purged,
}

/// Where a sync leads back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Back {
    /// The agent works.
    Running,
    /// The agent rests.
    Resting(Need),
    /// There is no run.
    Stopped,
    /// There is no run, after an error.
    Crashed,
}

/// What a restored purge gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// It had not begun.
    Pending,
    /// It had a box, or half of one.
    Stopped,
    /// Its run had crashed.
    Crashed,
    /// It had failed.
    Failed,
}

/// What can happen to a task's state. Written into every `state_changed`, so that folding them gives
/// the state again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Transition {
    /// A place among the host's parallel tasks was free.
    Scheduled,
    /// Every repository has its branch.
    Branched,
    /// The box is up and its relay answers.
    BoxReady,
    /// The agent was spawned and its prompt delivered.
    Prompted,
    /// The agent was spawned again and there is nothing to say to it yet.
    Resumed,
    /// The agent came to rest and needs this.
    Rested(Need),
    /// Input, an answer or a decision was given, or the agent began a turn by itself.
    Engaged,
    /// A sync began to bring commits out of the box.
    PullStarted,
    /// The sync began to push.
    PushStarted,
    /// The sync ended, well or not.
    Synced,
    /// The user asked to stop.
    StopRequested,
    /// The run ended plainly, or the box ended by itself.
    Ended,
    /// The run ended with an error.
    Crashed,
    /// The user asked to go on.
    ReviveRequested,
    /// The user asked to purge.
    PurgeRequested,
    /// The purge was undone within its recovery window.
    PurgeUndone,
    /// Nothing is left to remove.
    PurgeDone,
    /// Setting up cannot be recovered.
    Failed,
}

impl Transition {
    /// Every transition.
    pub const ALL: &'static [Self] = &[
        Self::Scheduled,
        Self::Branched,
        Self::BoxReady,
        Self::Prompted,
        Self::Resumed,
        Self::Rested(Need::Prompt),
        Self::Rested(Need::Answers),
        Self::Rested(Need::PlanDecision),
        Self::Engaged,
        Self::PullStarted,
        Self::PushStarted,
        Self::Synced,
        Self::StopRequested,
        Self::Ended,
        Self::Crashed,
        Self::ReviveRequested,
        Self::PurgeRequested,
        Self::PurgeUndone,
        Self::PurgeDone,
        Self::Failed,
    ];
}

/// The transition is not possible in this state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{transition:?} is not possible while the task is {state}")]
pub struct Rejected {
    /// The state that the task is in.
    pub state: StateName,
    /// What was to happen.
    pub transition: Transition,
}

impl TaskState {
    /// The name that clients see.
    #[must_use]
    pub fn name(self) -> StateName {
        match self {
            Self::Pending => StateName::Pending,
            Self::Branching => StateName::Branching,
            Self::Provisioning { .. } => StateName::Provisioning,
            Self::Starting { .. } => StateName::Starting,
            Self::Running => StateName::Running,
            Self::Resting(Need::Prompt) => StateName::Waiting,
            Self::Resting(Need::Answers) => StateName::Asking,
            Self::Resting(Need::PlanDecision) => StateName::HasPlan,
            Self::Pulling(_) => StateName::Pulling,
            Self::Pushing(_) => StateName::Pushing,
            Self::Stopping => StateName::Stopping,
            Self::Stopped => StateName::Stopped,
            Self::Crashed => StateName::Crashed,
            Self::Purging(_) => StateName::Purging,
            Self::Failed => StateName::Failed,
            Self::Purged => StateName::Purged,
        }
    }

    /// Whether an agent process serves the task.
    #[must_use]
    pub fn has_run(self) -> bool {
        match self {
            Self::Running | Self::Resting(_) | Self::Stopping => true,
            Self::Pulling(back) | Self::Pushing(back) => {
                matches!(back, Back::Running | Back::Resting(_))
            }
            Self::Pending
            | Self::Branching
            | Self::Provisioning { .. }
            | Self::Starting { .. }
            | Self::Stopped
            | Self::Crashed
            | Self::Purging(_)
            | Self::Failed
            | Self::Purged => false,
        }
    }

    /// Whether the task holds one of its host's places for tasks at work. An agent that rests holds
    /// none: what waits for its user must not keep others from starting.
    #[must_use]
    pub fn holds_place(self) -> bool {
        match self {
            Self::Branching
            | Self::Provisioning { .. }
            | Self::Starting { .. }
            | Self::Running
            | Self::Stopping => true,
            Self::Pulling(back) | Self::Pushing(back) => back == Back::Running,
            Self::Pending
            | Self::Resting(_)
            | Self::Stopped
            | Self::Crashed
            | Self::Purging(_)
            | Self::Failed
            | Self::Purged => false,
        }
    }

    /// Whether nothing can happen to the task any more.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        self == Self::Purged
    }

    /// The state after `transition`.
    ///
    /// # Errors
    /// [`Rejected`] when it is not possible in this state; the state is then unchanged.
    pub fn apply(self, transition: Transition) -> Result<Self, Rejected> {
        self.after(transition).ok_or(Rejected {
            state: self.name(),
            transition,
        })
    }

    fn after(self, transition: Transition) -> Option<Self> {
        match transition {
            Transition::Scheduled => (self == Self::Pending).then_some(Self::Branching),
            Transition::Branched => {
                (self == Self::Branching).then_some(Self::Provisioning { again: false })
            }
            Transition::BoxReady => self.provisioning().map(|again| Self::Starting { again }),
            Transition::Prompted => self.starting().map(|_| Self::Running),
            Transition::Resumed => self.starting().map(|_| Self::Resting(Need::Prompt)),
            Transition::Rested(need) => self.with_agent(Back::Resting(need)),
            Transition::Engaged => (!self.agent_works()).then(|| self.with_agent(Back::Running))?,
            Transition::PullStarted => self.can_sync().map(Self::Pulling),
            Transition::PushStarted => match self.syncing() {
                Some(back) if matches!(self, Self::Pulling(_)) => Some(Self::Pushing(back)),
                Some(_) | None => None,
            },
            Transition::Synced => self.syncing().map(Back::state),
            Transition::StopRequested => self.can_stop().then_some(Self::Stopping),
            Transition::Ended => (self.has_run() || self.can_stop()).then_some(Self::Stopped),
            Transition::Crashed if self == Self::Stopping => Some(Self::Stopped),
            Transition::Crashed => self.has_run().then_some(Self::Crashed),
            Transition::ReviveRequested => matches!(self, Self::Stopped | Self::Crashed)
                .then_some(Self::Provisioning { again: true }),
            Transition::PurgeRequested => self.can_purge().map(Self::Purging),
            Transition::PurgeUndone => self.purging().map(Kept::state),
            Transition::PurgeDone => self.purging().map(|_| Self::Purged),
            Transition::Failed => self.setup_failed(),
        }
    }

    fn provisioning(self) -> Option<bool> {
        if let Self::Provisioning { again } = self {
            Some(again)
        } else {
            None
        }
    }

    fn starting(self) -> Option<bool> {
        if let Self::Starting { again } = self {
            Some(again)
        } else {
            None
        }
    }

    fn syncing(self) -> Option<Back> {
        if let Self::Pulling(back) | Self::Pushing(back) = self {
            Some(back)
        } else {
            None
        }
    }

    fn purging(self) -> Option<Kept> {
        if let Self::Purging(kept) = self {
            Some(kept)
        } else {
            None
        }
    }

    fn agent_works(self) -> bool {
        self == Self::Running || self.syncing() == Some(Back::Running)
    }

    fn setup_failed(self) -> Option<Self> {
        if self == Self::Branching {
            return Some(Self::Failed);
        }
        let again = self.provisioning().or_else(|| self.starting())?;
        Some(if again { Self::Crashed } else { Self::Failed })
    }

    fn can_stop(self) -> bool {
        let setting_up = matches!(self, Self::Provisioning { .. } | Self::Starting { .. });
        setting_up || (self.has_run() && self != Self::Stopping)
    }

    /// The same state with its agent at `now`, where there is an agent to work or rest.
    fn with_agent(self, now: Back) -> Option<Self> {
        if !self.has_run() || self == Self::Stopping {
            return None;
        }
        Some(match self {
            Self::Pulling(_) => Self::Pulling(now),
            Self::Pushing(_) => Self::Pushing(now),
            Self::Pending
            | Self::Branching
            | Self::Provisioning { .. }
            | Self::Starting { .. }
            | Self::Running
            | Self::Resting(_)
            | Self::Stopping
            | Self::Stopped
            | Self::Crashed
            | Self::Purging(_)
            | Self::Failed
            | Self::Purged => now.state(),
        })
    }

    /// Where a sync that begins now leads back to.
    fn can_sync(self) -> Option<Back> {
        match self {
            Self::Running => Some(Back::Running),
            Self::Resting(need) => Some(Back::Resting(need)),
            Self::Stopped => Some(Back::Stopped),
            Self::Crashed => Some(Back::Crashed),
            Self::Pending
            | Self::Branching
            | Self::Provisioning { .. }
            | Self::Starting { .. }
            | Self::Pulling(_)
            | Self::Pushing(_)
            | Self::Stopping
            | Self::Purging(_)
            | Self::Failed
            | Self::Purged => None,
        }
    }

    /// What a purge that begins now could be undone to.
    fn can_purge(self) -> Option<Kept> {
        match self {
            Self::Pending | Self::Branching => Some(Kept::Pending),
            Self::Crashed => Some(Kept::Crashed),
            Self::Failed => Some(Kept::Failed),
            Self::Purging(_) | Self::Purged => None,
            Self::Provisioning { .. }
            | Self::Starting { .. }
            | Self::Running
            | Self::Resting(_)
            | Self::Pulling(_)
            | Self::Pushing(_)
            | Self::Stopping
            | Self::Stopped => Some(Kept::Stopped),
        }
    }

    /// The machine as a Mermaid state diagram, one line per move.
    #[must_use]
    pub fn diagram() -> String {
        let mut lines = std::collections::BTreeSet::new();
        for (from, transition, to) in Self::moves() {
            if from.name() != to.name() {
                lines.insert(format!(
                    "    {} --> {}: {}",
                    from.name(),
                    to.name(),
                    transition.label()
                ));
            }
        }
        let moves: Vec<String> = lines.into_iter().collect();
        format!(
            "stateDiagram-v2\n    [*] --> pending: created\n{}\n    purged --> [*]\n",
            moves.join("\n")
        )
    }

    /// Every move that can be reached from pending.
    fn moves() -> Vec<(Self, Transition, Self)> {
        let (mut seen, mut moves) = (vec![Self::Pending], Vec::new());
        let mut next = 0;
        while let Some(&from) = seen.get(next) {
            next += 1;
            for &transition in Transition::ALL {
                if let Ok(to) = from.apply(transition) {
                    moves.push((from, transition, to));
                    if !seen.contains(&to) {
                        seen.push(to);
                    }
                }
            }
        }
        moves
    }
}

impl Transition {
    fn label(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Branched => "branched",
            Self::BoxReady => "box ready",
            Self::Prompted => "prompted",
            Self::Resumed => "resumed",
            Self::Rested(_) => "rested",
            Self::Engaged => "engaged",
            Self::PullStarted => "pull started",
            Self::PushStarted => "push started",
            Self::Synced => "synced",
            Self::StopRequested => "stop",
            Self::Ended => "ended",
            Self::Crashed => "crashed",
            Self::ReviveRequested => "revive",
            Self::PurgeRequested => "purge",
            Self::PurgeUndone => "undo",
            Self::PurgeDone => "removed",
            Self::Failed => "failed",
        }
    }
}

impl Back {
    fn state(self) -> TaskState {
        match self {
            Self::Running => TaskState::Running,
            Self::Resting(need) => TaskState::Resting(need),
            Self::Stopped => TaskState::Stopped,
            Self::Crashed => TaskState::Crashed,
        }
    }
}

impl Kept {
    fn state(self) -> TaskState {
        match self {
            Self::Pending => TaskState::Pending,
            Self::Stopped => TaskState::Stopped,
            Self::Crashed => TaskState::Crashed,
            Self::Failed => TaskState::Failed,
        }
    }
}

#[cfg(test)]
mod tests;
