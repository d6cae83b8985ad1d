//! The desktop window: what it is built with, how it is opened, and its journeys on a display of its own.

use std::process::Command;

use anyhow::bail;

use crate::checkout::Checkout;
use crate::{packages, say, setup, step, ui};

/// The package of the desktop shell; it needs libraries that only a desktop has.
pub(crate) const DESKTOP: &str = "paddock-desktop";
/// The library without which it cannot be built, as `pkg-config` knows it.
const LIBRARY: &str = "webkit2gtk-4.1";
/// What brings it on Debian.
const LIBRARY_PACKAGES: &[&str] = &[
    "libwebkit2gtk-4.1-dev",
    "libgtk-3-dev",
    "librsvg2-dev",
    "libsoup-3.0-dev",
    "libayatana-appindicator3-1",
    "pkg-config",
];
/// A display without a screen, a window's driver, stand-ins for what a desktop has around it.
const DISPLAY_PACKAGES: &[&str] = &[
    "xvfb",
    "xauth",
    "openbox",
    "wmctrl",
    "xdotool",
    "dbus",
    "libglib2.0-bin",
    "webkit2gtk-driver",
    "python3-dbus",
    "python3-gi",
    "gir1.2-gtk-3.0",
    "imagemagick",
    "fonts-dejavu-core",
    "gnome-keyring",
];
/// Without each of these no journey can be made.
const DISPLAY_PROGRAMS: &[&str] = &[
    "xvfb-run",
    "openbox",
    "wmctrl",
    "xdotool",
    "dbus-run-session",
    "gdbus",
    "WebKitWebDriver",
    "import",
    "gnome-keyring-daemon",
];

/// Whether the desktop shell can be built here. Where Debian's packages can be had, it can.
pub(crate) fn library(checkout: &Checkout) -> bool {
    let there = || {
        let asks = ["--exists", LIBRARY];
        !cfg!(target_os = "linux") || step::succeeds(checkout.command("pkg-config").args(asks))
    };
    let what = "the libraries of the desktop window";
    if there() || (packages::install(checkout, what, LIBRARY_PACKAGES) && there()) {
        return true;
    }
    let remedy = packages::remedy(LIBRARY_PACKAGES);
    say::lack(&format!("no {LIBRARY}: no desktop window"), &remedy);
    false
}

/// Builds the window's program.
///
/// # Errors
/// What the compiler said.
pub(crate) fn build(checkout: &Checkout) -> anyhow::Result<()> {
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--quiet", "-p", DESKTOP]);
    if checkout.profile == "release" {
        cargo.arg("--release");
    }
    step::shown(
        "build the desktop window (the first time takes minutes)",
        &mut cargo,
    )
}

/// The window's program, with the user interface of this checkout.
pub(crate) fn program(checkout: &Checkout) -> Command {
    let mut program = checkout.command(checkout.program(DESKTOP));
    program.arg("--ui").arg(ui::dist(checkout));
    program
}

/// Whether a window could be seen here.
pub(crate) fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Whether journeys can be made in a window, on a display of their own.
pub(crate) fn stage(checkout: &Checkout) -> bool {
    if !cfg!(target_os = "linux") {
        say::lack("no journeys in the window", "they are made on Linux");
        return false;
    }
    let what = "a display for the window's journeys";
    if missing(checkout).is_empty() {
        return true;
    }
    packages::install(checkout, what, DISPLAY_PACKAGES);
    let missing = missing(checkout);
    if missing.is_empty() {
        return true;
    }
    let what = format!("no journeys in the window: no {}", missing.join(", "));
    say::lack(&what, &packages::remedy(DISPLAY_PACKAGES));
    false
}

/// What journeys in a window need and this machine has not.
fn missing(checkout: &Checkout) -> Vec<&'static str> {
    let lacks = |name: &&&str| !step::succeeds(checkout.command("which").arg(name));
    let mut missing: Vec<&str> = DISPLAY_PROGRAMS.iter().filter(lacks).copied().collect();
    let imports = ["-c", "import dbus, gi"];
    if !step::succeeds(checkout.command("/usr/bin/python3").args(imports)) {
        missing.push("python3 with dbus and gi");
    }
    // A machine may have the programs and let no display or bus be made.
    let begin = ["-a", "dbus-run-session", "--", "true"];
    if missing.is_empty() && !step::succeeds(checkout.command("xvfb-run").args(begin)) {
        missing.push("display or bus that begins");
    }
    missing
}

/// Builds what the journeys in the window need, and goes through them.
///
/// # Errors
/// What failed, or that this machine has no display to be had.
pub(crate) fn window(checkout: &Checkout) -> anyhow::Result<()> {
    let has_ui = ui::build(checkout)?;
    if !(has_ui && library(checkout) && stage(checkout)) {
        bail!("there is nothing to go through the journeys in the window with");
    }
    setup::build(checkout)?;
    journeys(checkout)
}

/// The journeys in the real window: what users do, then tray, notifications, links and the window's life.
/// All but the window's program is built by then.
///
/// # Errors
/// What failed.
pub(crate) fn journeys(checkout: &Checkout) -> anyhow::Result<()> {
    build(checkout)?;
    let mut window = checkout.command(checkout.root.join("src-tauri/tests/window.sh"));
    window
        .arg(checkout.target.join("window"))
        .env("PADDOCK_BUILT", checkout.bin())
        .env("DIST", ui::dist(checkout));
    step::shown("go through the journeys in the window", &mut window)
}

/// The vault with a real keychain.
///
/// # Errors
/// What failed.
pub(crate) fn keychain(checkout: &Checkout) -> anyhow::Result<()> {
    let keychain = &mut checkout.command(checkout.root.join("src-tauri/tests/keychain.sh"));
    step::shown("keep secrets in a real keychain", keychain)
}
