//! The top level of the repository is fixed; hidden files that tools need come beside it.

use std::fs;

const FIXED: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "docs",
    "icons",
    "relay",
    "src-tauri",
    "tests",
    "ui",
];
/// What builds leave there; never committed.
const BUILT: &[&str] = &["target"];

fn breaches(names: &[String]) -> Vec<String> {
    let known = |name: &String| {
        name.starts_with('.') || FIXED.contains(&name.as_str()) || BUILT.contains(&name.as_str())
    };
    let strange = names
        .iter()
        .filter(|name| !known(name))
        .map(|name| format!("{name} does not belong at the root"));
    let missing = FIXED
        .iter()
        .filter(|name| !names.iter().any(|there| there == *name));
    strange
        .chain(missing.map(|name| format!("{name} is missing")))
        .collect()
}

#[test]
fn the_top_level_is_the_fixed_list() {
    let entries = fs::read_dir(super::tree::root()).unwrap().flatten();
    let names: Vec<String> = entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    super::hold(&breaches(&names));
}

#[test]
fn a_stray_and_a_missing_entry_are_seen() {
    let mut names: Vec<String> = FIXED.iter().map(|name| (*name).to_owned()).collect();
    names.extend([".ci".to_owned(), "target".to_owned()]);
    assert!(breaches(&names).is_empty());
    names.retain(|name| name != "ui");
    names.push("scripts".to_owned());
    assert_eq!(
        breaches(&names),
        ["scripts does not belong at the root", "ui is missing"]
    );
}
