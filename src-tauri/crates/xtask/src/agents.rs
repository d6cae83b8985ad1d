//! `cargo xtask agents`: every agent keeps its contract in both kinds of box, and the table of
//! `docs/AGENTS.md` is made of what came of it.
//!
//! What came of a story is a line of `tests/engines/contract.jsonl`. A harness that was tried in a kind of
//! box loses the lines that it had, so a story that is not kept any more is seen in the table.

use std::collections::BTreeSet;
use std::fs;

use anyhow::Context;
use clap::Args;
use serde_json::Value;

use crate::checkout::Checkout;
use crate::setup::TOOLBOX_VARIABLE;
use crate::{say, step};

#[derive(Args)]
pub(crate) struct Options {
    /// Only tests whose name has this in it, such as `claude` or `in_a_worktree`
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Tell no story: write the table anew from what is there
    #[arg(long)]
    table: bool,
}

/// Where the results are.
const RESULTS: &str = "tests/engines/contract.jsonl";

pub(crate) fn agents(checkout: &Checkout, options: &Options) -> anyhow::Result<()> {
    let kept = match options.table {
        true => Ok(()),
        false => tell(checkout, options.only.as_deref()),
    };
    let mut table = checkout.cargo();
    table.args(["test", "--quiet", "-p", "paddock-tests", "--test", "house"]);
    table
        .args(["--", "the_table_of_agents"])
        .env("PADDOCK_BLESS", "1");
    step::shown("write the table of docs/AGENTS.md", &mut table)?;
    kept
}

/// Tells the stories and writes down what came of them, also when some are not kept.
fn tell(checkout: &Checkout, only: Option<&str>) -> anyhow::Result<()> {
    let told = checkout.target.join("contract.jsonl");
    fs::write(&told, "")?;
    let mut tests = checkout.cargo();
    tests.args(["nextest", "run", "-p", "paddock-tests", "--test", "engines"]);
    let which = only.map_or(String::new(), |only| format!(" & test({only})"));
    tests.args(["-E", &format!("test(contract::){which}")]);
    tests.args(["--run-ignored", "all", "--test-threads", "2"]);
    tests
        .env("PADDOCK_CONTRACT", &told)
        .env(TOOLBOX_VARIABLE, checkout.toolbox());
    let kept = step::shown("let the agents keep their contract", &mut tests);
    let path = checkout.root.join(RESULTS);
    let old = fs::read_to_string(&path).with_context(|| format!("{RESULTS} cannot be read"))?;
    fs::write(&path, merged(&old, &fs::read_to_string(&told)?)?)?;
    say::good(&format!("{RESULTS} is written"));
    kept
}

/// `old` without those that `new` tells of, and `new`; in order.
fn merged(old: &str, new: &str) -> anyhow::Result<String> {
    let read = |text: &str| -> Result<Vec<Value>, serde_json::Error> {
        text.lines().map(serde_json::from_str).collect()
    };
    let who = |line: &Value| {
        let field = |name: &str| line[name].to_string();
        (field("harness"), field("version"), field("kind"))
    };
    let new = read(new)?;
    let tried: BTreeSet<_> = new.iter().map(who).collect();
    let old = read(old)?
        .into_iter()
        .filter(|line| !tried.contains(&who(line)));
    let mut lines: Vec<String> = old.chain(new).map(|line| format!("{line}\n")).collect();
    lines.sort();
    lines.dedup();
    Ok(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_tried_again_loses_what_it_had() {
        let line = |harness: &str, story: &str| {
            format!(r#"{{"harness":"{harness}","kind":"c","story":"{story}","version":"1"}}"#)
        };
        let old = [line("a", "x"), line("a", "y"), line("b", "x")].join("\n");
        let new = merged(&old, &line("a", "y")).unwrap();
        assert_eq!(new, format!("{}\n{}\n", line("a", "y"), line("b", "x")));
    }
}
