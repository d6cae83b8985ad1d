//! The user interface: its packages, its build, its tests, its journeys in a real browser.
//!
//! The desktop shell and `paddock serve` show what [`build`] leaves in `ui/dist`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::checkout::Checkout;
use crate::{packages, say, step};

/// The browser of the journeys, where Debian has it.
const BROWSER: &str = "/usr/bin/chromium";
/// Names another.
const BROWSER_VARIABLE: &str = "CHROMIUM";
/// What brings it on Debian; the fonts are those that its pictures are made with.
const BROWSER_PACKAGES: &[&str] = &["chromium", "fonts-dejavu-core"];
/// What the build reads, below `ui/`.
const SOURCES: &[&str] = &[
    "src",
    "public",
    "scripts",
    "index.html",
    "package-lock.json",
    "vite.config.ts",
];

/// `npm` with these words, in `ui/`.
pub(crate) fn npm(checkout: &Checkout, words: &[&str]) -> Command {
    let mut npm = checkout.command("npm");
    npm.args(words).current_dir(checkout.root.join("ui"));
    npm
}

/// What the build leaves.
pub(crate) fn dist(checkout: &Checkout) -> PathBuf {
    checkout.root.join("ui/dist")
}

/// Brings the packages that it is built with; whether they are there.
///
/// # Errors
/// What npm said, where there is one.
pub(crate) fn packages(checkout: &Checkout) -> anyhow::Result<bool> {
    if !checkout.has_ui() {
        return Ok(false);
    }
    if !step::succeeds(&mut npm(checkout, &["--version"])) {
        let remedy = "install Node 20 or newer to build and test the user interface";
        say::lack("no npm: there is no user interface", remedy);
        return Ok(false);
    }
    if !is_installed(checkout) {
        let mut install = npm(checkout, &["ci", "--no-audit", "--no-fund"]);
        step::shown("install the packages of the user interface", &mut install)?;
    }
    Ok(true)
}

/// Whether what npm installed is what the lock file asks for.
fn is_installed(checkout: &Checkout) -> bool {
    let ui = checkout.root.join("ui");
    let asked = changed(&ui.join("package-lock.json"));
    let installed = changed(&ui.join("node_modules/.package-lock.json"));
    matches!((asked, installed), (Some(asked), Some(installed)) if installed >= asked)
}

/// Builds it where it is missing or older than what it is made of; whether it stands.
///
/// # Errors
/// What the build said.
pub(crate) fn build(checkout: &Checkout) -> anyhow::Result<bool> {
    let built = changed(&dist(checkout).join("index.html"));
    let ui = checkout.root.join("ui");
    let newest = SOURCES.iter().filter_map(|name| newest(&ui.join(name)));
    if built.is_some() && built >= newest.max() {
        return Ok(true);
    }
    if !packages(checkout)? {
        return Ok(built.is_some());
    }
    let mut npm = npm(checkout, &["run", "build", "--silent"]);
    step::shown("build the user interface", &mut npm)?;
    Ok(true)
}

fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|meta| meta.modified()).ok()
}

/// When the newest file below `path` was changed.
fn newest(path: &Path) -> Option<SystemTime> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return changed(path);
    };
    entries
        .flatten()
        .filter_map(|entry| newest(&entry.path()))
        .max()
}

/// Its tests without a browser, its build, and the size of a first visit against its limit.
///
/// # Errors
/// What failed.
pub(crate) fn test(checkout: &Checkout) -> anyhow::Result<()> {
    let test = &mut npm(checkout, &["test", "--silent"]);
    step::shown("test the user interface", test)?;
    let build = &mut npm(checkout, &["run", "build", "--silent"]);
    step::shown("build the user interface", build)?;
    let size = &mut npm(checkout, &["run", "size", "--silent"]);
    step::shown("hold the size of a first visit", size)
}

/// Whether there is a browser for journeys. Where Debian's packages can be had, there is.
pub(crate) fn browser(checkout: &Checkout) -> bool {
    let named = std::env::var_os(BROWSER_VARIABLE).map(PathBuf::from);
    let program = named.unwrap_or_else(|| BROWSER.into());
    let works = || step::succeeds(checkout.command(&program).arg("--version"));
    if works() || (packages::install(checkout, "a browser", BROWSER_PACKAGES) && works()) {
        return true;
    }
    let remedy = format!(
        "{}; or name another with {BROWSER_VARIABLE}",
        packages::remedy(BROWSER_PACKAGES)
    );
    say::lack("no Chromium", &remedy);
    false
}

/// The journeys in a real browser: with a server of stories, with axe on every page and dialog, and with a
/// real server, relay and agent.
///
/// # Errors
/// What failed.
pub(crate) fn journeys(checkout: &Checkout) -> anyhow::Result<()> {
    let told = &mut npm(checkout, &["run", "journeys", "--silent"]);
    step::shown("go through the journeys in a browser, with axe", told)?;
    let mut real = npm(checkout, &["run", "journeys:real", "--silent"]);
    real.env("PADDOCK", checkout.program("paddock"));
    step::shown("go through the journeys with a real server", &mut real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_file_of_a_tree_is_found_however_deep() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        std::fs::write(dir.path().join("old"), "").unwrap();
        let file = std::fs::File::create(deep.join("new")).unwrap();
        file.set_modified(later).unwrap();
        assert_eq!(newest(dir.path()), Some(later));
        assert_eq!(newest(&dir.path().join("none")), None);
    }
}
