//! The table of `docs/AGENTS.md` is what came of the contract. `cargo xtask agents` writes both;
//! `PADDOCK_BLESS=1` writes the table alone.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use serde::Deserialize;

use super::tree::root;

#[allow(dead_code, unreachable_pub)] // of a file that the stories share
#[path = "../engines/contract/stories.rs"]
mod stories;

use stories::Story;

/// Between these the table stands.
const BEGIN: &str = "<!-- made by `cargo xtask agents` -->\n";
const END: &str = "<!-- end -->\n";

/// The order of the columns.
const HARNESSES: &[&str] = &[
    "claude", "codex", "opencode", "gemini", "qwen", "kimi", "copilot", "pi",
];

/// What came of one story.
#[derive(Debug, Deserialize)]
struct Told {
    harness: String,
    version: String,
    kind: String,
    story: String,
    not_offered: Option<String>,
}

fn table(results: &str) -> String {
    let told: Vec<Told> = results
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let columns: BTreeSet<(usize, &str, &str)> = told
        .iter()
        .map(|it| {
            let at = HARNESSES.iter().position(|name| *name == it.harness);
            (at.unwrap(), it.harness.as_str(), it.version.as_str())
        })
        .collect();
    let mut table = String::from("| |");
    for (_, harness, version) in &columns {
        write!(table, " {harness} {version} |").unwrap();
    }
    table.push_str("\n|---|");
    table.push_str(&"---|".repeat(columns.len()));
    let mut reasons = Vec::new();
    for story in Story::ALL {
        write!(table, "\n| {} |", story.name()).unwrap();
        for (_, harness, version) in &columns {
            let of = |it: &&Told| {
                it.harness == *harness && it.version == *version && it.story == story.name()
            };
            let of: Vec<&Told> = told.iter().filter(of).collect();
            write!(table, " {} |", cell(&of)).unwrap();
            let why = of.iter().find_map(|it| it.not_offered.as_deref());
            if let Some(why) = why.filter(|why| !why.contains("abilities")) {
                let reason = format!("- {harness}, {}: {why}.", story.name());
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
    }
    table.push_str("\n\n");
    for reason in reasons {
        table.push_str(&reason);
        table.push('\n');
    }
    table
}

/// `C` and `W` for the kinds of box in which it was told, `–` where it is not offered.
fn cell(told: &[&Told]) -> String {
    if told.iter().any(|it| it.not_offered.is_some()) {
        return "–".to_owned();
    }
    let kinds = [("container", "C"), ("worktree", "W")];
    let kinds = kinds
        .iter()
        .filter(|(kind, _)| told.iter().any(|it| it.kind == *kind));
    let kinds: Vec<&str> = kinds.map(|(_, short)| *short).collect();
    match kinds.is_empty() {
        true => "**no**".to_owned(),
        false => kinds.join(" "),
    }
}

#[test]
fn the_table_of_agents_is_what_came_of_the_contract() {
    let path = root().join("docs/AGENTS.md");
    let page = fs::read_to_string(&path).unwrap();
    let results = fs::read_to_string(root().join("tests/engines/contract.jsonl")).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    let made = table(&results);
    if std::env::var_os("PADDOCK_BLESS").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{made}{END}{after}")).unwrap();
    } else {
        assert!(
            found == made,
            "docs/AGENTS.md is behind: run `cargo xtask agents --table`"
        );
    }
}

#[test]
fn a_story_that_was_not_told_and_one_that_is_not_offered_are_told_apart() {
    let line = |kind: &str, story: &str, why: Option<&str>| {
        serde_json::json!({"harness": "pi", "version": "1", "kind": kind, "story": story, "not_offered": why})
            .to_string()
    };
    let results = [
        line("container", "answers", None),
        line("worktree", "answers", None),
        line("container", "an image", None),
        line("container", "a question", Some("the program has none")),
    ]
    .join("\n");
    let made = table(&results);
    for row in [
        "| answers | C W |",
        "| an image | C |",
        "| a question | – |",
        "| a wrong key | **no** |",
        "- pi, a question: the program has none.",
    ] {
        assert!(made.contains(row), "{row} is not in\n{made}");
    }
}
