//! What users see: the window's start, memory and rest; the web client in a real browser is measured by `npm run
//! bench` in `ui/`, which writes its own part of the page.
//!
//! The window is held against empty ones, opened in turn with it on the same display, so that a busy machine and a
//! heavy toolkit weigh on all: one without a page, in which the toolkit starts no process that draws pages, and one
//! with an empty page. Start at [`measure`].

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::weight::{Used, Weight, family};
use super::{Figure, median};
use crate::checkout::Checkout;
use crate::{say, step, ui, window};

/// Windows that are opened for each figure.
const ROUNDS: usize = 3;
/// A window that stands this long has loaded what it loads.
const SETTLED: Duration = Duration::from_secs(8);
/// By then a page has done what it does after its start: its engine tidies up, its scripts are compiled anew.
const RESTS: Duration = Duration::from_secs(30);
/// How long rest is looked at, and how often in one window: every 30 s the toolkit counts its memory.
const REST: Duration = Duration::from_secs(10);
const RESTS_SEEN: usize = 3;
/// Milliseconds of processor time in it that a window at rest may take beyond one with an empty page, which cannot be
/// zero: the toolkit itself looks at the machine's memory every few seconds.
const AT_REST_MAX: f64 = 2.0;
/// Longest start.
const START_MAX: Duration = Duration::from_secs(60);
/// Largest ratio aimed at.
const RATIO_MAX: f64 = 1.15;
/// A program with an empty window, an example of the shell's package.
const EMPTY: &str = "empty_window";
/// Has the toolkit draw without a graphics card, and play none.
const PLAINLY: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

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
    let empty = checkout.bin().join("examples").join(EMPTY);
    let empty_page = |_: &Path| {
        let mut program = Command::new(&empty);
        program.arg("page");
        program
    };
    let mut looks = Looks::default();
    for _ in 0..ROUNDS {
        let bare = display.look("Empty", |_| Command::new(&empty))?;
        looks.bare.push(bare);
        looks.page.push(display.look("Empty", empty_page)?);
        let plain = |home: &Path| {
            let mut program = empty_page(home);
            program.env(PLAINLY, "1");
            program
        };
        looks.plain.push(display.look("Empty", plain)?);
        let paddock = |home: &Path| {
            let mut program = window::program(checkout);
            program.args(["--set", "listen=127.0.0.1:0", "--data"]);
            program.arg(home.join("data"));
            program
        };
        looks.ours.push(display.look("Paddock", paddock)?);
    }
    Ok(figures(&looks))
}

/// What was seen of each window.
#[derive(Default)]
struct Looks {
    /// Of the toolkit, without a page.
    bare: Vec<Look>,
    /// Of the toolkit, with an empty page.
    page: Vec<Look>,
    /// The same without what plays a graphics card.
    plain: Vec<Look>,
    ours: Vec<Look>,
}

/// What was seen of a window.
struct Look {
    /// Seconds until it had its title.
    start: f64,
    weight: Weight,
    /// Milliseconds of processor time in [`REST`]: the middle of [`RESTS_SEEN`] looks, and the most.
    busy: f64,
    busiest: f64,
}

fn middle(looks: &[Look], of: impl Fn(&Look) -> f64) -> f64 {
    median(&mut looks.iter().map(of).collect::<Vec<_>>())
}

fn most(looks: &[Look]) -> f64 {
    looks.iter().map(|at| at.busiest).fold(0.0, f64::max)
}

/// The memory of the last of `looks`, in words.
fn told(looks: &[Look]) -> String {
    let last = looks.last().map(|look| look.weight.to_string());
    last.unwrap_or_default()
}

fn figures(looks: &Looks) -> Vec<Figure> {
    let Looks {
        bare,
        page,
        plain,
        ours,
    } = looks;
    let [nothing, empty, like, full] =
        [bare, page, plain, ours].map(|of| middle(of, |at| at.weight.total()));
    let start = middle(ours, |at| at.start);
    let [busy, toolkit] = [ours, page].map(|of| middle(of, |at| at.busy));
    let ratio = |what, under: f64, note| Figure {
        what,
        measured: format!("{:.2}× ({full:.0} MB over {under:.0} MB)", full / under),
        aim: "≤ 1.15×",
        met: full / under <= RATIO_MAX,
        note,
    };
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
        ratio(
            "desktop window, idle memory over an empty window of the toolkit",
            nothing,
            format!(
                "proportional set size of the program and all that it started, medians of {ROUNDS}, in turn, {} s after the window stands; ours holds the server and the page. The empty window is `src-tauri/examples/empty_window.rs`: it shows no page, so the toolkit starts no process that draws one. WebKit starts none for any window without a page, so no page can meet this figure: the next one is the line that is held. Mapped files and own memory of it in MB: {}; of ours: {}.",
                SETTLED.as_secs(),
                told(bare),
                told(ours)
            ),
        ),
        ratio(
            "desktop window, idle memory over a window of the toolkit with an empty page",
            empty,
            format!(
                "the same program with a page of two tags, drawn as the toolkit draws unless told otherwise: where there is no graphics card it plays one. Mapped files and own memory of it in MB: {}. Drawn plainly, as ours is where there is no card, it has {like:.0} MB, over which ours is {:.2}×: {}. Why is told in `docs/adr/0011-the-window-draws-plainly.md`.",
                told(page),
                full / like,
                told(plain)
            ),
        ),
        Figure {
            what: "desktop window, processor at rest",
            measured: format!(
                "{:.2} % of one core ({busy:.1} ms in {} s, {toolkit:.1} with an empty page)",
                busy / REST.as_secs_f64() / 10.0,
                REST.as_secs()
            ),
            aim: "0 beyond the toolkit's",
            met: busy - toolkit < AT_REST_MAX,
            note: format!(
                "median of {ROUNDS} windows, in each the middle of {RESTS_SEEN} looks of {} s: what the scheduler counts for all threads of the program and all that it started, from {} s after the window stands; held to {AT_REST_MAX:.0} ms more than with an empty page. Every 30 s the toolkit's page process counts its memory: the longest look took {:.0} ms, with an empty page {:.0}.",
                REST.as_secs(),
                RESTS.as_secs(),
                most(ours),
                most(page)
            ),
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
            // One that begins anew when its last client goes turns away who comes meanwhile.
            .args(["-nolisten", "tcp", "-noreset"])
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start a display")?;
        Ok(Self { server, number })
    }

    /// Shows `program` in a home of its own and looks at it at rest.
    fn look(&self, title: &str, program: impl Fn(&Path) -> Command) -> anyhow::Result<Look> {
        let home = tempfile::tempdir()?;
        let (start, shown) = self.show(&program(home.path()), home.path(), title)?;
        let weight = Weight::of(shown.pid())?;
        std::thread::sleep(RESTS.saturating_sub(SETTLED));
        let mut busy = Vec::new();
        for _ in 0..RESTS_SEEN {
            let before = Used::by(shown.pid())?;
            std::thread::sleep(REST);
            busy.push(Used::by(shown.pid())?.since(&before));
        }
        Ok(Look {
            start,
            weight,
            busy: median(&mut busy),
            busiest: busy.iter().copied().fold(0.0, f64::max),
        })
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
            .env_remove(PLAINLY)
            .envs(
                program
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
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
        drop(shown);
        assert!(!family(own).contains(&pid));
    }

    #[test]
    fn a_heavy_window_is_missed_and_a_light_one_met() {
        let looks = |own| {
            vec![Look {
                start: 0.5,
                weight: Weight::sample(own),
                busy: 0.0,
                busiest: 0.0,
            }]
        };
        let met = |own| {
            let of = Looks {
                bare: looks(50.0),
                page: looks(100.0),
                plain: looks(80.0),
                ours: looks(own),
            };
            figures(&of)[2].met
        };
        assert!(met(114.0) && !met(116.0));
    }
}
