//! Kinds of rounds: what the box is made of and what can break.

use std::fmt;

use crate::dice::Dice;

/// What the box of a round is made of, and what can break in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A worktree box; server, relay, agent and connections break.
    Worktree,
    /// A container box; the container breaks too.
    Container,
    /// A container box; its engine breaks.
    Engine,
    /// A worktree box on a small disk that fills up.
    Disk,
    /// A worktree box below a server whose clock jumps.
    Clock,
    /// The real Claude Code in a worktree box.
    Claude,
}

impl Kind {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Worktree,
        Self::Container,
        Self::Engine,
        Self::Disk,
        Self::Clock,
        Self::Claude,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Worktree => "worktree",
            Self::Container => "container",
            Self::Engine => "engine",
            Self::Disk => "disk",
            Self::Clock => "clock",
            Self::Claude => "claude",
        }
    }

    /// The kind called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Whether its boxes are containers.
    pub(crate) fn needs_engine(self) -> bool {
        match self {
            Self::Container | Self::Engine => true,
            Self::Worktree | Self::Disk | Self::Clock | Self::Claude => false,
        }
    }

    pub(crate) fn throw(dice: &mut Dice) -> Self {
        let kinds = [
            (56, Self::Worktree),
            (20, Self::Container),
            (8, Self::Engine),
            (7, Self::Disk),
            (6, Self::Clock),
            (3, Self::Claude),
        ];
        dice.weighed(&kinds).unwrap_or(Self::Worktree)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
