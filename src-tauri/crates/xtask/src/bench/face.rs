//! What users see: the window's start, memory and rest; the web client in a real browser is measured by `npm run
//! bench` in `ui/`, which writes its own part of the page.
//!
//! The window is held against one with nothing in it, opened in turn with it on the same display, so that a busy
//! machine and a heavy toolkit weigh on both. Start at [`measure`].

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::statistics::{TICKS, used};
use super::{Figure, median};
use crate::checkout::Checkout;
use crate::{say, step, ui, window};

/// Windows that are opened for each figure.
const ROUNDS: usize = 3;
/// A window that stands this long has loaded what it loads.
const SETTLED: Duration = Duration::from_secs(8);
/// How long rest is looked at.
const REST: Duration = Duration::from_secs(10);
/// Longest start.
const START_MAX: Duration = Duration::from_secs(60);
/// A program with an empty window, an example of the shell's package.
const EMPTY: &str = "empty_window";

/// The client in a browser, then the window.
pub(super) fn measure(checkout: &Checkout, as_built: bool) -> anyhow::Result<Vec<Figure>> {
    if !ui::build(checkout)? {
        say::lack("nothing is measured", "there is no user interface");
        return Ok(Vec::new());
    }
    if ui::browser(checkout) {
        let client = &mut ui::npm(checkout, &["run", "bench", "--silent"]);
        step::shown("measure the web client in a browser", client)?;
    }
    if !window::library(checkout) || !window::stage(checkout) {
        return Ok(Vec::new());
    }
    if !as_built {
        build(checkout)?;
    }
    let display = Display::open(checkout)?;
    let (mut ours, mut theirs, mut starts, mut ticks) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let data = tempfile::tempdir()?;
        let empty = checkout.bin().join("examples").join(EMPTY);
        let (_, empty) = display.show(&Command::new(empty), data.path(), "Empty")?;
        theirs.push(memory(empty.pid())?);
        drop(empty);
        let data = tempfile::tempdir()?;
        let mut program = window::program(checkout);
        program.args(["--set", "listen=127.0.0.1:0", "--data"]);
        program.arg(data.path().join("data"));
        let (start, paddock) = display.show(&program, data.path(), "Paddock")?;
        starts.push(start);
        ours.push(memory(paddock.pid())?);
        let before = processor(paddock.pid())?;
        std::thread::sleep(REST);
        ticks.push(processor(paddock.pid())? - before);
    }
    Ok(figures(&mut ours, &mut theirs, &mut starts, &mut ticks))
}

fn figures(
    ours: &mut [f64],
    theirs: &mut [f64],
    starts: &mut [f64],
    ticks: &mut [f64],
) -> Vec<Figure> {
    let (ours, theirs) = (median(ours), median(theirs));
    let (ratio, start, ticks) = (ours / theirs, median(starts), median(ticks));
    vec![
        Figure {
            what: "desktop window, from its start to a page that can be used",
            measured: format!("{start:.2} s"),
            aim: "≤ 1 s",
            met: start <= 1.0,
            note: format!(
                "median of {ROUNDS}: from the start of the program, server and all, until the page has set the window's title; an empty data directory."
            ),
        },
        Figure {
            what: "desktop window, idle memory over an empty window of the toolkit",
            measured: format!("{ratio:.2}× ({ours:.0} MB over {theirs:.0} MB)"),
            aim: "≤ 1.15×",
            met: ratio <= 1.15,
            note: format!(
                "proportional set size of the program and all that it started, medians of {ROUNDS}, in turn, {} s after the window stands. The empty window is `src-tauri/examples/empty_window.rs`; ours holds the server and the page as well.",
                SETTLED.as_secs()
            ),
        },
        Figure {
            what: "desktop window, processor at rest",
            measured: format!("{ticks:.0} ticks in {} s", REST.as_secs()),
            aim: "0",
            met: ticks < 2.0,
            note: "user and system time of the program and all that it started, in hundredths of a second; one may fall on a clock in the page that turns a minute.".to_owned(),
        },
    ]
}

fn build(checkout: &Checkout) -> anyhow::Result<()> {
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--quiet", "--release", "-p", window::DESKTOP]);
    cargo.args(["--bin", window::DESKTOP, "--example", EMPTY]);
    step::shown(
        "build the window's release (the first time takes minutes)",
        &mut cargo,
    )
}

/// A display without a screen, with a session bus, for as long as it is held.
struct Display {
    server: Child,
    number: u32,
}

impl Display {
    fn open(checkout: &Checkout) -> anyhow::Result<Self> {
        let number = 100 + std::process::id() % 400;
        let server = checkout
            .command("Xvfb")
            .args([&format!(":{number}"), "-screen", "0", "1280x820x24"])
            .args(["-nolisten", "tcp"])
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start a display")?;
        Ok(Self { server, number })
    }

    /// Starts `program` and waits until its window has a title that ends with `title`; the seconds that took.
    fn show(&self, program: &Command, home: &Path, title: &str) -> anyhow::Result<(f64, Shown)> {
        let mut started = Command::new("dbus-run-session");
        started
            .arg("--")
            .arg(program.get_program())
            .args(program.get_args());
        let display = format!(":{}", self.number);
        started
            .env("DISPLAY", &display)
            .env("HOME", home)
            .env("NO_AT_BRIDGE", "1")
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let began = Instant::now();
        let shown = Shown(started.spawn().context("cannot start the window")?);
        let look = format!("xdotool search --name '{title}$'");
        while !step::succeeds(
            Command::new("sh")
                .args(["-c", &look])
                .env("DISPLAY", &display),
        ) {
            anyhow::ensure!(began.elapsed() < START_MAX, "no window {title} came");
            std::thread::sleep(Duration::from_millis(20));
        }
        let start = began.elapsed().as_secs_f64();
        std::thread::sleep(SETTLED);
        Ok((start, shown))
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // One that ended by itself needs no end.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A program with a window; it ends with the value.
struct Shown(Child);

impl Shown {
    fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        for pid in family(self.pid()).into_iter().rev() {
            step::succeeds(Command::new("kill").args(["-TERM", &pid.to_string()]));
        }
        // How it ended is nobody's business: its figures are taken.
        let _ = self.0.wait();
    }
}

/// `pid` and all that descends from it.
fn family(pid: u32) -> Vec<u32> {
    let mut all = vec![pid];
    let mut at = 0;
    while let Some(parent) = all.get(at) {
        // Each thread has children of its own.
        let threads = fs::read_dir(format!("/proc/{parent}/task"));
        for thread in threads.into_iter().flatten().flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split(' ');
            all.extend(children.filter_map(|child| child.parse::<u32>().ok()));
        }
        at += 1;
    }
    all
}

/// Megabytes, what is shared split among those that share it; the bus and what starts it left out.
fn memory(pid: u32) -> anyhow::Result<f64> {
    let mut kilobytes = 0.0;
    for pid in family(pid) {
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        if name.starts_with("dbus") {
            continue;
        }
        let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
        let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
        kilobytes += pss
            .and_then(|pss| pss.trim().split(' ').next()?.parse::<f64>().ok())
            .unwrap_or_default();
    }
    anyhow::ensure!(kilobytes > 0.0, "the window is gone");
    Ok(kilobytes / 1000.0)
}

/// Ticks of processor time. One of the family that ended meanwhile counts for nothing.
fn processor(pid: u32) -> anyhow::Result<f64> {
    let seconds: f64 = family(pid).into_iter().flat_map(used).sum();
    anyhow::ensure!(seconds > 0.0, "the window is gone");
    Ok(seconds * TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_and_its_children_are_one_family() {
        let child = Command::new("sleep").arg("60").spawn().unwrap();
        let own = std::process::id();
        let pid = child.id();
        let shown = Shown(child);
        assert!(family(own).contains(&pid));
        assert!(memory(own).unwrap() > 1.0);
        drop(shown);
        assert!(!family(own).contains(&pid));
    }

    #[test]
    fn a_heavy_window_is_missed_and_a_light_one_met() {
        let met = |ours: f64| figures(&mut [ours], &mut [100.0], &mut [0.5], &mut [0.0])[1].met;
        assert!(met(114.0) && !met(116.0));
    }
}
