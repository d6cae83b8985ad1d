//! Writes what is generated and committed. `tests/house` fails when one of them is behind.

use std::fs;
use std::path::Path;

use anyhow::Context;
use paddock_domain::TaskState;

use crate::checkout::Checkout;
use crate::{say, setup, step};

/// Writes all of it.
pub(crate) fn codegen(checkout: &Checkout) -> anyhow::Result<()> {
    diagram(&checkout.root.join("docs/ARCHITECTURE.md"))?;
    setup::build(checkout)?;
    let paddock = checkout.program("paddock");
    let document = step::quiet("print the API", checkout.command(paddock).arg("openapi"))?;
    write(&checkout.root.join("docs/openapi.json"), &document)?;
    if checkout.has_ui() {
        let mut npm = checkout.command("npm");
        npm.args(["run", "--silent", "schema"])
            .current_dir(checkout.root.join("ui"));
        step::shown("write the UI's schema", &mut npm)?;
    }
    Ok(())
}

/// Puts the state diagram into the first `mermaid` block of `file`.
fn diagram(file: &Path) -> anyhow::Result<()> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let drawn = with_block(&text, "mermaid", &TaskState::diagram());
    write(
        file,
        &drawn.context("ARCHITECTURE.md has no `mermaid` block to fill")?,
    )
}

/// `text` with `content` in its first fenced block of that kind.
fn with_block(text: &str, kind: &str, content: &str) -> Option<String> {
    let fence = format!("```{kind}\n");
    let (before, rest) = text.split_once(&fence)?;
    let (_, after) = rest.split_once("```")?;
    Some(format!("{before}{fence}{content}```{after}"))
}

fn write(file: &Path, content: &str) -> anyhow::Result<()> {
    if fs::read_to_string(file).is_ok_and(|old| old == content) {
        say::good(&format!("{} is as it should be", file.display()));
        return Ok(());
    }
    fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))?;
    say::good(&format!("{} is written", file.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_block_of_the_kind_is_filled() {
        let text = "a\n```mermaid\nold\n```\nb\n```mermaid\nother\n```\n";
        let filled = with_block(text, "mermaid", "new\n").unwrap();
        assert_eq!(
            filled,
            "a\n```mermaid\nnew\n```\nb\n```mermaid\nother\n```\n"
        );
        assert_eq!(with_block("none", "mermaid", "x"), None);
    }
}
