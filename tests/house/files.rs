//! What a source file must be like: it says what it is, it is short, and its tests do not sleep.

use super::tree::{TextFile, files, is_test_file, split_tests};

/// Most lines of code in a file; comments, blank lines and the trailing test module do not count.
const CODE_LINES_MAX: usize = 500;
/// A longer file says why, in a comment that begins so.
const REASON: &str = "// Longer than the house allows: ";

fn breaches(file: &TextFile) -> Vec<String> {
    let mut found = Vec::new();
    if !file.text.starts_with("//!") {
        found.push("does not open with `//!`".to_owned());
    }
    if file.path.ends_with("/mod.rs") {
        found.push("is a mod.rs: use name.rs beside name/".to_owned());
    }
    let lines = code_lines(split_tests(&file.text).0);
    if lines > CODE_LINES_MAX && !file.text.contains(REASON) {
        found.push(format!(
            "has {lines} lines of code, more than {CODE_LINES_MAX}"
        ));
    }
    found.extend(sleeps(file));
    found
        .into_iter()
        .map(|what| format!("{} {what}", file.path))
        .collect()
}

/// Lines that are neither blank nor comment.
pub(crate) fn code_lines(text: &str) -> usize {
    let mut in_comment = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        if in_comment || line.starts_with("/*") {
            in_comment = !line.ends_with("*/");
            return false;
        }
        !line.is_empty() && !line.starts_with("//")
    };
    text.lines().filter(is_code).count()
}

/// Tests wait for events, never for time to pass.
fn sleeps(file: &TextFile) -> Option<String> {
    let tests = if is_test_file(&file.path) {
        file.text.as_str()
    } else {
        split_tests(&file.text).1
    };
    let call = concat!("sleep", "(");
    let calls = |line: &&str| !line.trim_start().starts_with("//") && line.contains(call);
    let line = tests.lines().find(calls)?;
    Some(format!("sleeps in a test: {}", line.trim()))
}

#[test]
fn source_files_are_as_the_house_wants_them() {
    let found: Vec<String> = files(&[".rs"]).iter().flat_map(breaches).collect();
    super::hold(&found);
}

#[test]
fn a_file_without_a_word_too_long_and_asleep_is_seen() {
    let file = |path: &str, text: String| TextFile {
        path: path.to_owned(),
        text,
    };
    let long = "let x = 1;\n".repeat(CODE_LINES_MAX + 1);
    let nap = concat!("sleep", "(Duration::from_secs(1)).await;");
    check(&file("a/b.rs", "fn a() {}\n".to_owned()), "does not open");
    check(&file("a/mod.rs", "//! A.\n".to_owned()), "is a mod.rs");
    check(
        &file("a/b.rs", format!("//! A.\n{long}")),
        "has 501 lines of code",
    );
    check(
        &file("a/tests/b.rs", format!("//! A.\n{nap}\n")),
        "sleeps in a test",
    );
    check(
        &file(
            "a/b.rs",
            format!("//! A.\n\n#[cfg(test)]\nmod tests {{\n{nap}\n}}\n"),
        ),
        "sleeps in a test",
    );
    assert!(breaches(&file("a/b.rs", format!("//! A.\n{nap}\n{REASON}x\n{long}"))).is_empty());
}

#[test]
fn comments_and_blank_lines_are_no_code() {
    assert_eq!(
        code_lines("// a\n\n/* b\n c */\n/// d\nlet x = 1; // e\n"),
        1
    );
}

fn check(file: &TextFile, expected: &str) {
    let found = breaches(file);
    assert!(found.len() == 1 && found[0].contains(expected), "{found:?}");
}
