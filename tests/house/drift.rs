//! What is generated and committed equals what the code generates now. `cargo xtask codegen` mends it.

use std::fs;
use std::process::Command;

use paddock_domain::TaskState;

use super::tree::root;

/// What stands in `document` between the fences of its first `kind` block.
fn fenced<'a>(document: &'a str, kind: &str) -> Option<&'a str> {
    let (_, rest) = document.split_once(&format!("```{kind}\n"))?;
    Some(rest.split_once("```")?.0)
}

#[test]
fn the_state_diagram_is_the_one_that_the_machine_draws() {
    let document = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    let drawn = fenced(&document, "mermaid").unwrap_or_default();
    assert!(
        drawn == TaskState::diagram(),
        "docs/ARCHITECTURE.md is behind: run `cargo xtask codegen`"
    );
}

#[test]
fn the_api_document_is_the_one_that_the_program_prints() {
    let paddock = paddock_kit::programs::paddock().unwrap();
    let printed = Command::new(paddock).arg("openapi").output().unwrap();
    assert!(
        printed.status.success(),
        "{}",
        String::from_utf8_lossy(&printed.stderr)
    );
    let committed = fs::read(root().join("docs/openapi.json")).unwrap();
    assert!(
        committed == printed.stdout,
        "docs/openapi.json is behind: run `cargo xtask codegen`"
    );
}

#[test]
fn a_diagram_that_is_behind_is_seen() {
    let document = "# A\n```mermaid\nold\n```\n";
    assert_eq!(fenced(document, "mermaid"), Some("old\n"));
    assert_ne!(
        fenced(document, "mermaid"),
        Some(TaskState::diagram().as_str())
    );
    assert_eq!(fenced("# A\n", "mermaid"), None);
}
