//! What came of a bench, counted and put into a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use crate::Options;
use crate::check::Violation;
use crate::plan::{Kind, Plan};
use crate::round::{Counts, Played};

/// Where the table stands in a page.
const MARKS: (&str, &str) = ("<!-- chaos:begin -->", "<!-- chaos:end -->");

/// Rounds of one kind.
#[derive(Clone, Debug, Default)]
struct OfKind {
    rounds: u64,
    bad: u64,
    took: Duration,
}

/// Strikes of one name.
#[derive(Clone, Copy, Debug, Default)]
struct OfStrike {
    struck: u64,
    hit: u64,
    bad: u64,
}

/// Everything counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    kinds: BTreeMap<Kind, OfKind>,
    strikes: BTreeMap<&'static str, OfStrike>,
    skipped: BTreeMap<Kind, (u64, String)>,
    promises: BTreeMap<&'static str, u64>,
    counts: Counts,
    pub(crate) violations: u64,
    pub(crate) has_kept: bool,
}

impl Tally {
    pub(crate) fn add(&mut self, plan: &Plan, played: &Played) {
        let bad = u64::from(!played.violations.is_empty());
        let kind = self.kinds.entry(plan.kind).or_default();
        kind.rounds += 1;
        kind.bad += bad;
        kind.took += played.took;
        for (strike, hit) in &played.struck {
            let of = self.strikes.entry(strike.name()).or_default();
            of.struck += 1;
            of.hit += u64::from(*hit);
            of.bad += bad;
        }
        played
            .violations
            .iter()
            .for_each(|violation| self.found(violation));
        self.counts = self.counts.plus(played.counts);
        self.has_kept |= played.kept.is_some();
    }

    /// Something that is wrong with no round in particular.
    pub(crate) fn found(&mut self, violation: &Violation) {
        self.violations += 1;
        *self.promises.entry(violation.promise).or_default() += 1;
    }

    pub(crate) fn skip(&mut self, kind: Kind, why: &str) {
        let skipped = self.skipped.entry(kind).or_insert((0, why.to_owned()));
        skipped.0 += 1;
    }

    /// How many rounds were played.
    pub(crate) fn rounds(&self) -> u64 {
        self.kinds.values().map(|kind| kind.rounds).sum()
    }

    fn bad(&self) -> u64 {
        self.kinds.values().map(|kind| kind.bad).sum()
    }

    /// Where the bench is.
    pub(crate) fn line(&self) -> String {
        let took: Duration = self.kinds.values().map(|kind| kind.took).sum();
        let mean = took.as_secs_f64() / self.rounds().max(1) as f64;
        format!(
            "chaos: {} rounds, {} with violations, {mean:.1} s a round",
            self.rounds(),
            self.bad()
        )
    }
}

/// The table of results.
pub(crate) fn text(options: &Options, tally: &Tally, took: Duration) -> String {
    let mut text = format!(
        "Seed {}, rounds {} to {}, {} at once: {} rounds in {} min {} s, **{} with violations**.\n\n",
        options.seed,
        options.first,
        options.first + options.rounds - 1,
        options.jobs,
        tally.rounds(),
        took.as_secs() / 60,
        took.as_secs() % 60,
        tally.bad(),
    );
    let counts = &tally.counts;
    let _ = writeln!(
        text,
        "Held to their promises: {} tasks, {} runs, {} lines that agents said, {} events, {} messages, {} answers, {} wishes, {} commits.\n",
        counts.tasks,
        counts.runs,
        counts.lines,
        counts.events,
        counts.messages,
        counts.answers,
        counts.wishes,
        counts.commits
    );
    text.push_str("| rounds | played | mean | with violations |\n|---|---|---|---|\n");
    for (kind, of) in &tally.kinds {
        let mean = of.took.as_secs_f64() / of.rounds.max(1) as f64;
        let _ = writeln!(
            text,
            "| {kind} | {} | {mean:.1} s | {} |",
            of.rounds, of.bad
        );
    }
    for (kind, (count, why)) in &tally.skipped {
        let _ = writeln!(text, "| {kind} | skipped {count}: {why} | | |");
    }
    text.push_str("\n| what struck | times | hit something | in rounds with violations |\n|---|---|---|---|\n");
    for (name, of) in &tally.strikes {
        let _ = writeln!(text, "| {name} | {} | {} | {} |", of.struck, of.hit, of.bad);
    }
    if !tally.promises.is_empty() {
        text.push_str("\n| broken promise | times |\n|---|---|\n");
        for (promise, times) in &tally.promises {
            let _ = writeln!(text, "| {promise} | {times} |");
        }
    }
    text
}

/// Writes the table between its marks in `page`.
pub(crate) fn write(page: &Path, table: &str) -> anyhow::Result<()> {
    let old =
        fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let new = placed(&old, table)
        .with_context(|| format!("{} has no {} and {}", page.display(), MARKS.0, MARKS.1))?;
    Ok(fs::write(page, new)?)
}

fn placed(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(MARKS.0)?;
    let (_, after) = rest.split_once(MARKS.1)?;
    Some(format!(
        "{before}{}\n\n{}\n{}{after}",
        MARKS.0,
        table.trim_end(),
        MARKS.1
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_the_place_of_the_last_one() {
        let page = format!("# A\n\n{}\nold\n{}\nmore\n", MARKS.0, MARKS.1);
        let new = placed(&page, "new\n").unwrap();
        assert!(new.contains("new") && !new.contains("old") && new.ends_with("more\n"));
        assert_eq!(placed(&new, "new\n").unwrap(), new);
        assert_eq!(placed("# no marks", "x"), None);
    }
}
