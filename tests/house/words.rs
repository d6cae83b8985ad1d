//! What no committed file says: where it was written, and the address of a package registry.

use super::tree::{TextFile, files};

/// Each in two halves, so that this file does not say them.
const FORBIDDEN: &[(&str, &str)] = &[
    ("/work/", "main"),
    ("/work/", "shared"),
    ("/work/", ".library"),
    ("/tmp/", "paddock/"),
    ("registry.", "npmjs"),
    ("registry.", "yarnpkg"),
    ("static.", "crates.io"),
    ("index.", "crates.io"),
    ("files.", "pythonhosted"),
    ("proxy.", "golang"),
    ("deb.", "debian.org"),
];

fn breaches(file: &TextFile) -> Vec<String> {
    let said = FORBIDDEN.iter().map(|(one, other)| format!("{one}{other}"));
    said.filter(|word| file.text.contains(word.as_str()))
        .map(|word| format!("{} says {word}", file.path))
        .collect()
}

#[test]
fn no_file_says_where_it_was_written() {
    let found: Vec<String> = files(&[]).iter().flat_map(breaches).collect();
    super::hold(&found);
}

#[test]
fn a_forbidden_word_is_seen() {
    let word = |text: String| TextFile {
        path: "a".to_owned(),
        text,
    };
    let (one, other) = FORBIDDEN[0];
    assert_eq!(breaches(&word(format!("cd {one}{other}/x"))).len(), 1);
    assert!(breaches(&word("cd /home/me".to_owned())).is_empty());
}
