//! The checkout as the walls see it: its files, without what is built or fetched.

use std::fs;
use std::path::{Path, PathBuf};

/// Directories that hold nothing of ours.
const NOT_OURS: &[&str] = &["target", "node_modules", "dist", ".git"];

/// One text file of the checkout.
pub(crate) struct TextFile {
    /// Its path from the root, with `/`.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
}

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap().to_owned()
}

/// Every text file whose path ends with one of `endings`; all of them when none is named.
pub(crate) fn files(endings: &[&str]) -> Vec<TextFile> {
    let root = root();
    let mut found = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                if !NOT_OURS.contains(&name.to_str().unwrap()) {
                    open.push(path);
                }
                continue;
            }
            let below = path
                .strip_prefix(&root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            let wanted = endings.is_empty() || endings.iter().any(|end| below.ends_with(end));
            if wanted && let Ok(text) = fs::read_to_string(&path) {
                found.push(TextFile { path: below, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!found.is_empty(), "no file ends with {endings:?}");
    found
}

/// Whether the whole file is test code.
pub(crate) fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let crate_tests = path.contains("/tests/") || path.starts_with("tests/kit/");
    let ours = ["tests/house/", "tests/journeys/", "tests/engines/"];
    name == "tests.rs" || crate_tests || ours.iter().any(|dir| path.starts_with(dir))
}

/// The program before its trailing test module, and that module.
pub(crate) fn split_tests(text: &str) -> (&str, &str) {
    match text.rfind("\n#[cfg(test)]\nmod ") {
        Some(at) => text.split_at(at),
        None => (text, ""),
    }
}

#[test]
fn a_file_is_split_where_its_tests_begin() {
    let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {}\n";
    assert_eq!(
        split_tests(text),
        ("fn a() {}\n", "\n#[cfg(test)]\nmod tests {}\n")
    );
    assert_eq!(split_tests("fn a() {}\n"), ("fn a() {}\n", ""));
}
