//! Names come from the glossary: a type or a module that is named after nothing is a breach.

use super::tree::{TextFile, files};

/// What a type's name does not end with.
const EMPTY_ENDINGS: &[&str] = &[
    "Manager", "Service", "Helper", "Helpers", "Util", "Utils", "Handler",
];
/// What a module is not called.
const EMPTY_MODULES: &[&str] = &[
    "common", "core", "shared", "util", "utils", "helper", "helpers", "misc",
];

fn breaches(file: &TextFile) -> Vec<String> {
    let mut found = Vec::new();
    let stem = file
        .path
        .rsplit('/')
        .next()
        .and_then(|name| name.strip_suffix(".rs"));
    if stem.is_some_and(|stem| EMPTY_MODULES.contains(&stem)) {
        found.push(format!("{} is named after nothing", file.path));
    }
    let empty = file
        .text
        .lines()
        .filter_map(declared_type)
        .filter(|name| EMPTY_ENDINGS.iter().any(|ending| name.ends_with(ending)));
    found.extend(empty.map(|name| format!("{} declares {name}", file.path)));
    found
}

/// The type that a line declares.
fn declared_type(line: &str) -> Option<&str> {
    let mut words = line
        .split_whitespace()
        .skip_while(|word| word.starts_with("pub"));
    if !matches!(
        words.next()?,
        "struct" | "enum" | "trait" | "type" | "union"
    ) {
        return None;
    }
    words
        .next()?
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

#[test]
fn types_and_modules_are_named_after_something() {
    let found: Vec<String> = files(&[".rs"]).iter().flat_map(breaches).collect();
    super::hold(&found);
}

#[test]
fn an_empty_name_is_seen() {
    let file = TextFile {
        path: "a/utils.rs".to_owned(),
        text: "pub(crate) struct TaskManager<T> {\npub struct Managers;\nlet handler = Handler::new();\n".to_owned(),
    };
    assert_eq!(
        breaches(&file),
        [
            "a/utils.rs is named after nothing",
            "a/utils.rs declares TaskManager"
        ]
    );
}
