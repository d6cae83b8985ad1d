//! What an agent is told to do, and what its user does meanwhile.
//!
//! Every text, file and commit has a name of its own in the round, so that each can be looked for.

use super::{Deed, Kind, Story, Target, When, Wish};
use crate::dice::Dice;

/// What chance makes of a step.
#[derive(Clone, Copy)]
enum Step {
    Say,
    Chatter,
    Delta,
    Think,
    Write,
    Commit,
    Shell,
    BigOutput,
    BigLine,
    Ask,
    Approve,
    Plan,
    Todo,
    Small,
    Sleep,
    Garbage,
    Orphan,
    Fail,
    Crash,
    Stubborn,
}

const STEPS: &[(u64, Step)] = &[
    (10, Step::Say),
    (14, Step::Chatter),
    (6, Step::Delta),
    (3, Step::Think),
    (10, Step::Write),
    (12, Step::Commit),
    (8, Step::Shell),
    (4, Step::BigOutput),
    (3, Step::BigLine),
    (8, Step::Ask),
    (5, Step::Approve),
    (3, Step::Plan),
    (3, Step::Todo),
    (6, Step::Small),
    (8, Step::Sleep),
    (4, Step::Garbage),
    (6, Step::Orphan),
    (2, Step::Fail),
    (2, Step::Crash),
    (1, Step::Stubborn),
];

/// What a user does, by weight.
const DEEDS: &[(u64, u8)] = &[
    (40, 0),
    (12, 1),
    (12, 2),
    (6, 3),
    (10, 4),
    (8, 5),
    (6, 6),
    (24, 7),
];

/// A story that fits `kind`.
pub(super) fn story(kind: Kind, dice: &mut Dice) -> Story {
    let in_a = if kind.needs_engine() {
        "container"
    } else {
        "worktree"
    };
    let thinks_ms = dice.between(0, 500);
    let answers_twice = dice.percent(30);
    if kind == Kind::Claude {
        let prompt = "Please add the file. [[fake:tool file=made.txt]]".to_owned();
        return Story {
            harness: "claude",
            in_a,
            prompt,
            deeds: Vec::new(),
            thinks_ms,
            answers_twice,
        };
    }
    let prompt = prompt("p", dice.between(2, 7), dice);
    let count = dice.between(0, 3);
    let deeds = (1..=count).map(|n| (When::throw(dice), deed(n, dice)));
    Story {
        harness: "scripted",
        in_a,
        prompt,
        deeds: deeds.collect(),
        thinks_ms,
        answers_twice,
    }
}

fn deed(n: u64, dice: &mut Dice) -> Deed {
    match dice.weighed(DEEDS).unwrap_or_default() {
        1 => Deed::Interrupt,
        2 => Deed::Stop,
        3 => Deed::Revive,
        4 if dice.percent(50) => Deed::Sync(Target::Branch),
        4 => Deed::Sync(Target::Local),
        5 => Deed::PurgeAndRestore,
        6 => Deed::Diff,
        7 => Deed::Wish(match dice.between(1, 3) {
            1 => Wish::Compact,
            2 => Wish::Clear,
            _ => Wish::Model(format!("model-{n}")),
        }),
        _ => Deed::Say(prompt(&format!("m{n}"), dice.between(1, 3), dice)),
    }
}

/// A prompt of so many steps; `mark` is in every name that it makes up.
fn prompt(mark: &str, steps: u64, dice: &mut Dice) -> String {
    let steps = (1..=steps).map(|n| step(&format!("{mark}-{n}"), dice));
    steps.collect::<Vec<_>>().join("\n")
}

fn step(mark: &str, dice: &mut Dice) -> String {
    match dice.weighed(STEPS).unwrap_or(Step::Say) {
        Step::Say => format!("say {mark} spoken"),
        Step::Chatter => {
            let (count, bytes) = (dice.between(3, 25), dice.between(20, 2000));
            let rate = [0, 40, 100, 300][usize::try_from(dice.between(0, 3)).unwrap_or(0)];
            format!("say {count} lines of {bytes} bytes at {rate} per second")
        }
        Step::Delta => {
            let (count, bytes) = (dice.between(3, 12), dice.between(8, 60));
            format!("delta {count} pieces of {bytes} bytes at 100 per second")
        }
        Step::Think => format!("think {mark} thought"),
        Step::Write => format!("write {mark}.txt the text of {mark}"),
        Step::Commit => {
            format!("write {mark}.txt the text of {mark}\ncommit Commit {mark}")
        }
        Step::Shell => format!("bash sleep 0.{}; echo {mark} ran", dice.between(0, 3)),
        Step::BigOutput => {
            let bytes = dice.between(9_000, 60_000);
            format!("bash head -c {bytes} /dev/zero | tr '\\0' x")
        }
        Step::BigLine => format!(
            "say 1 lines of {} bytes at 0 per second",
            dice.between(30_000, 400_000)
        ),
        Step::Ask => format!("ask {mark}, which one?|Red|Blue"),
        Step::Approve => format!("approve echo {mark} allowed"),
        Step::Plan => format!("plan {mark}: do it"),
        Step::Todo => format!("todo {mark} one|{mark} two"),
        Step::Small => [
            format!("subagent {mark} sub"),
            "usage 100 20 5".to_owned(),
            "rate-limit 5".to_owned(),
            format!("remember {mark}"),
            "recall".to_owned(),
            format!("stderr {mark} murmured"),
            "read README.md".to_owned(),
        ][usize::try_from(dice.between(0, 6)).unwrap_or(0)]
        .clone(),
        Step::Sleep => format!("sleep 0.{:02}", dice.between(1, 50)),
        Step::Garbage => format!(
            "garbage {}",
            [
                "bytes", "broken", "unknown", "scalar", "nul", "deep", "cr", "empty"
            ][usize::try_from(dice.between(0, 7)).unwrap_or(0)]
        ),
        Step::Orphan if dice.percent(50) => "spawn-orphan 90 holding".to_owned(),
        Step::Orphan if dice.percent(50) => "spawn-orphan 90".to_owned(),
        Step::Orphan => "bash (sleep 90 &) >/dev/null 2>&1".to_owned(),
        Step::Fail => format!("fail {mark} went wrong"),
        Step::Crash => format!("crash {}", dice.between(1, 9)),
        Step::Stubborn => "ignore-sigterm".to_owned(),
    }
}
