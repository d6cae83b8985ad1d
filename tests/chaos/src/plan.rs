//! What happens in one round, decided before it begins.
//!
//! Invariant: a plan follows from seed and number alone. Instants are tied to what is seen to happen,
//! with a small delay, so that a round can be played again as well as a machine allows.
//!
//! Start at [`Plan::of`].

mod deed;
mod kind;
mod script;
mod strike;

use std::fmt::Write as _;

pub(crate) use deed::{Deed, Target, Wish};
pub use kind::Kind;
pub(crate) use strike::Strike;

use crate::dice::Dice;

/// When something happens: so long after so many events of the task were seen. A task that comes to
/// rest before is not waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct When {
    pub(crate) events: usize,
    pub(crate) delay_ms: u64,
}

impl When {
    fn throw(dice: &mut Dice) -> Self {
        let events = if dice.percent(25) {
            dice.between(1, 9)
        } else {
            dice.between(8, 45)
        };
        Self {
            events: usize::try_from(events).unwrap_or(1),
            delay_ms: if dice.percent(30) {
                0
            } else {
                dice.between(1, 80)
            },
        }
    }
}

/// One task of a round: what its agent does and what its user does.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    pub(crate) harness: &'static str,
    pub(crate) in_a: &'static str,
    pub(crate) prompt: String,
    pub(crate) deeds: Vec<(When, Deed)>,
    /// How long the user thinks before an answer, in milliseconds.
    pub(crate) thinks_ms: u64,
    /// Whether a second client answers at the same time.
    pub(crate) answers_twice: bool,
}

/// All of one round.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) number: u64,
    pub(crate) kind: Kind,
    pub(crate) stories: Vec<Story>,
    pub(crate) strikes: Vec<(When, Strike)>,
}

impl Plan {
    /// The plan of round `number`.
    pub(crate) fn of(seed: u64, number: u64, only: Option<Kind>) -> Self {
        let mut dice = Dice::of(seed, number);
        let (mut choice, mut stories, mut strikes) = (dice.part(), dice.part(), dice.part());
        let chosen = Kind::throw(&mut choice);
        let kind = only.unwrap_or(chosen);
        let two = kind == Kind::Worktree && choice.percent(15);
        let tasks = if two { 2 } else { 1 };
        let stories: Vec<_> = (0..tasks)
            .map(|_| script::story(kind, &mut stories.part()))
            .collect();
        let count = match strikes.between(1, 10) {
            1..=6 => 1,
            7..=9 => 2,
            _ => 3,
        };
        let strikes = (0..count).filter_map(|_| {
            let when = When::throw(&mut strikes);
            Some((when, Strike::throw(kind, &mut strikes)?))
        });
        Self {
            seed,
            number,
            kind,
            strikes: strikes.collect(),
            stories,
        }
    }

    /// The plan as a person reads it.
    pub(crate) fn describe(&self) -> String {
        let mut text = format!("seed {} round {}: {}\n", self.seed, self.number, self.kind);
        for (when, strike) in &self.strikes {
            let _ = writeln!(
                text,
                "  strike after {} events + {} ms: {strike}",
                when.events, when.delay_ms
            );
        }
        for story in &self.stories {
            let _ = writeln!(
                text,
                "  {} in a {}; answers after {} ms{}",
                story.harness,
                story.in_a,
                story.thinks_ms,
                if story.answers_twice { ", twice" } else { "" }
            );
            for line in story.prompt.lines() {
                let line: String = line.chars().take(120).collect();
                let _ = writeln!(text, "    | {line}");
            }
            for (when, deed) in &story.deeds {
                let _ = writeln!(
                    text,
                    "    after {} events + {} ms: {deed:?}",
                    when.events, when.delay_ms
                );
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_a_number_name_one_plan() {
        let plan = |seed, number| Plan::of(seed, number, None).describe();
        assert_eq!(plan(1, 5), plan(1, 5));
        assert_ne!(plan(1, 5), plan(1, 6));
    }

    #[test]
    fn a_thousand_rounds_have_every_kind_and_every_strike() {
        let plans: Vec<Plan> = (1..=1000).map(|number| Plan::of(1, number, None)).collect();
        for kind in Kind::ALL {
            assert!(plans.iter().any(|plan| plan.kind == *kind), "{kind}");
        }
        for name in Strike::names() {
            let strikes = plans.iter().flat_map(|plan| &plan.strikes);
            assert!(
                strikes.clone().any(|(_, strike)| strike.name() == name),
                "{name}"
            );
        }
        assert!(plans.iter().all(|plan| !plan.strikes.is_empty()));
        let stories = || plans.iter().flat_map(|plan| &plan.stories);
        let wished = |deed: &Deed, wish: &Wish| matches!(deed, Deed::Wish(made) if made == wish);
        for wish in [
            Wish::Compact,
            Wish::Clear,
            Wish::Model("model-1".to_owned()),
        ] {
            let mut deeds = stories().flat_map(|story| &story.deeds);
            assert!(deeds.any(|(_, deed)| wished(deed, &wish)), "{wish:?}");
        }
    }
}
