//! Where the built programs are, and a place of our own for them.
//!
//! `cargo xtask setup` builds them. A workspace build leaves a dynamic relay beside `paddock`, so tests
//! name the static one outright.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// The build directory.
#[must_use]
pub fn target() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().nth(2).unwrap_or(here);
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The `paddock` program.
///
/// # Errors
/// When it is not built.
pub fn paddock() -> anyhow::Result<PathBuf> {
    built(target().join("debug/paddock"))
}

/// The static relay.
///
/// # Errors
/// When it is not built.
pub fn relay() -> anyhow::Result<PathBuf> {
    for_boxes("paddock-relay")
}

/// The static `scripted` agent.
///
/// # Errors
/// When it is not built.
pub fn scripted_agent() -> anyhow::Result<PathBuf> {
    for_boxes("scripted")
}

/// The agent programs that `cargo xtask setup` installed.
#[must_use]
pub fn toolbox() -> PathBuf {
    std::env::var_os("PADDOCK_TOOLBOX_DIR").map_or_else(|| target().join("toolbox"), PathBuf::from)
}

/// What goes into boxes is built for one target by name, below its own directory.
fn for_boxes(name: &str) -> anyhow::Result<PathBuf> {
    let entries =
        std::fs::read_dir(target()).context("nothing is built: run `cargo xtask setup`")?;
    let mut places = entries
        .flatten()
        .map(|entry| entry.path().join("relay").join(name));
    let found = places.find(|path| path.is_file());
    found.with_context(|| format!("{name} is not built: run `cargo xtask relay`"))
}

fn built(path: PathBuf) -> anyhow::Result<PathBuf> {
    if !path.is_file() {
        bail!("{} is not built: run `cargo xtask setup`", path.display());
    }
    Ok(path)
}
