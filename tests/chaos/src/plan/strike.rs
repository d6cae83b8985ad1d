//! What breaks, and how.

use std::fmt;

use super::Kind;
use crate::dice::Dice;

/// One thing that breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strike {
    /// SIGKILL to the server, and another one after a while.
    ServerKill { down_ms: u64 },
    /// SIGTERM to the server, as an update does, and another one.
    ServerTerm,
    /// The server stands still.
    ServerPause { ms: u64 },
    /// SIGKILL to the relay of a worktree box.
    RelayKill,
    /// The relay stands still: its connections stay open and move nothing.
    RelayPause { ms: u64 },
    /// SIGKILL to the agent.
    AgentKill,
    /// The agent stands still.
    AgentPause { ms: u64 },
    /// Every connection between server and relay is cut.
    Cut,
    /// The container is killed.
    ContainerKill,
    /// The container is stopped in an orderly way.
    ContainerStop,
    /// The container is restarted by hand.
    ContainerRestart,
    /// The container is paused and goes on.
    ContainerPause { ms: u64 },
    /// SIGKILL to the engine, and another one; with `--live-restore` containers live on.
    EngineKill { live_restore: bool, down_ms: u64 },
    /// SIGTERM to the engine, and another one.
    EngineTerm { live_restore: bool },
    /// The engine stands still.
    EnginePause { ms: u64 },
    /// The disk of the data directory is full for a while.
    DiskFull { ms: u64 },
    /// The server's clock jumps by so many seconds.
    ClockJump { seconds: i64 },
}

impl Strike {
    /// One that fits `kind`.
    pub(crate) fn throw(kind: Kind, dice: &mut Dice) -> Option<Self> {
        let down_ms = dice.between(0, 250);
        let ms = dice.between(40, 900);
        let long = dice.between(200, 2500);
        let live_restore = dice.percent(50);
        let jump = i64::try_from(dice.between(1, 400_000)).unwrap_or(1);
        let seconds = if dice.percent(50) { jump } else { -jump };
        let anywhere = [
            (30, Self::ServerKill { down_ms }),
            (6, Self::ServerTerm),
            (6, Self::ServerPause { ms }),
            (12, Self::AgentKill),
            (6, Self::AgentPause { ms }),
            (12, Self::Cut),
            (8, Self::RelayPause { ms: long }),
        ];
        let own: &[(u64, Self)] = match kind {
            Kind::Worktree => &[(14, Self::RelayKill)],
            Kind::Container => &[
                (20, Self::ContainerKill),
                (10, Self::ContainerStop),
                (12, Self::ContainerRestart),
                (12, Self::ContainerPause { ms: long }),
            ],
            Kind::Engine => {
                return dice.weighed(&[
                    (
                        50,
                        Self::EngineKill {
                            live_restore,
                            down_ms,
                        },
                    ),
                    (20, Self::EngineTerm { live_restore }),
                    (15, Self::EnginePause { ms: long }),
                    (15, Self::ServerKill { down_ms }),
                ]);
            }
            Kind::Disk => {
                return dice.weighed(&[
                    (80, Self::DiskFull { ms: long }),
                    (20, Self::ServerKill { down_ms }),
                ]);
            }
            Kind::Clock => {
                return dice.weighed(&[
                    (70, Self::ClockJump { seconds }),
                    (30, Self::ServerKill { down_ms }),
                ]);
            }
            Kind::Claude => {
                return dice.weighed(&[
                    (50, Self::ServerKill { down_ms }),
                    (25, Self::Cut),
                    (15, Self::RelayPause { ms: long }),
                    (10, Self::AgentKill),
                ]);
            }
        };
        dice.weighed(&[&anywhere[..], own].concat())
    }

    /// Its name in the table of results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ServerKill { .. } => "server SIGKILL",
            Self::ServerTerm => "server SIGTERM",
            Self::ServerPause { .. } => "server SIGSTOP",
            Self::RelayKill => "relay SIGKILL",
            Self::RelayPause { .. } => "relay SIGSTOP",
            Self::AgentKill => "agent SIGKILL",
            Self::AgentPause { .. } => "agent SIGSTOP",
            Self::Cut => "connection cut",
            Self::ContainerKill => "container kill",
            Self::ContainerStop => "container stop",
            Self::ContainerRestart => "container restart",
            Self::ContainerPause { .. } => "container pause",
            Self::EngineKill {
                live_restore: true, ..
            } => "engine SIGKILL, live-restore",
            Self::EngineKill {
                live_restore: false,
                ..
            } => "engine SIGKILL",
            Self::EngineTerm { live_restore: true } => "engine SIGTERM, live-restore",
            Self::EngineTerm {
                live_restore: false,
            } => "engine SIGTERM",
            Self::EnginePause { .. } => "engine SIGSTOP",
            Self::DiskFull { .. } => "disk full",
            Self::ClockJump { seconds } if seconds < 0 => "clock back",
            Self::ClockJump { .. } => "clock forth",
        }
    }

    /// The names of all.
    #[cfg(test)]
    pub(crate) fn names() -> [&'static str; 20] {
        [
            "server SIGKILL",
            "server SIGTERM",
            "server SIGSTOP",
            "relay SIGKILL",
            "relay SIGSTOP",
            "agent SIGKILL",
            "agent SIGSTOP",
            "connection cut",
            "container kill",
            "container stop",
            "container restart",
            "container pause",
            "engine SIGKILL",
            "engine SIGKILL, live-restore",
            "engine SIGTERM",
            "engine SIGTERM, live-restore",
            "engine SIGSTOP",
            "disk full",
            "clock back",
            "clock forth",
        ]
    }

    /// Whether the agent may die of it.
    pub(crate) fn can_end_a_run(self) -> bool {
        match self {
            Self::RelayKill
            | Self::AgentKill
            | Self::ContainerKill
            | Self::ContainerStop
            | Self::ContainerRestart
            | Self::EngineKill { .. }
            | Self::EngineTerm { .. }
            | Self::DiskFull { .. } => true,
            Self::ServerKill { .. }
            | Self::ServerTerm
            | Self::ServerPause { .. }
            | Self::RelayPause { .. }
            | Self::AgentPause { .. }
            | Self::Cut
            | Self::ContainerPause { .. }
            | Self::EnginePause { .. }
            | Self::ClockJump { .. } => false,
        }
    }

    /// Whether a task that is being set up may fail of it.
    pub(crate) fn can_fail_a_setup(self) -> bool {
        self.can_end_a_run() || matches!(self, Self::EnginePause { .. })
    }
}

impl fmt::Display for Strike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ServerKill { down_ms } | Self::EngineKill { down_ms, .. } => {
                write!(f, "{} for {down_ms} ms", self.name())
            }
            Self::ServerPause { ms }
            | Self::RelayPause { ms }
            | Self::AgentPause { ms }
            | Self::ContainerPause { ms }
            | Self::EnginePause { ms }
            | Self::DiskFull { ms } => write!(f, "{} for {ms} ms", self.name()),
            Self::ClockJump { seconds } => write!(f, "{} by {seconds} s", self.name()),
            Self::ServerTerm
            | Self::RelayKill
            | Self::AgentKill
            | Self::Cut
            | Self::ContainerKill
            | Self::ContainerStop
            | Self::ContainerRestart
            | Self::EngineTerm { .. } => f.write_str(self.name()),
        }
    }
}
