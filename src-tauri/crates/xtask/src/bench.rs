//! Measures speed and size of the release build and writes them down, misses included.
//!
//! Every ratio is taken in one run on one machine: what it is compared with is measured in turn with it,
//! so that a busy machine slows both. Figures are medians unless they say otherwise.
//!
//! Start at [`bench`].

mod adoption;
mod boxes;
mod decode;
mod face;
mod history;
mod idle;
mod ingest;
mod intake;
mod join;
mod latency;
mod memory;
mod restart;
mod search;
mod start;
mod statistics;
mod weight;
mod wire;

use std::fmt::Write as _;
use std::fs;

use clap::Args;

use crate::checkout::Checkout;
use crate::{relay, say, setup, step};

/// What is measured.
#[derive(Args)]
pub(crate) struct Options {
    /// What users see, in place of the programs: the web client and the desktop window
    #[arg(conflicts_with_all = ["only", "write"])]
    part: Option<Part>,
    /// Only figures whose name has this in it; nothing is written then, unless --write asks for it
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Put the figures of --only into the page, in the place of older ones
    #[arg(long, requires = "only")]
    write: bool,
    /// Measure the release build that is there, however old
    #[arg(long)]
    as_built: bool,
}

/// A part of the page that is measured by itself.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Part {
    /// The web client and the desktop window.
    Ui,
}

/// One figure, and what it was to be.
pub(crate) struct Figure {
    /// What was measured.
    pub(crate) what: &'static str,
    /// What came out, with its unit.
    pub(crate) measured: String,
    /// What was aimed at.
    pub(crate) aim: &'static str,
    /// Whether it is met.
    pub(crate) met: bool,
    /// How it came about, or why it is missed.
    pub(crate) note: String,
}

type Measure = fn(&Checkout) -> anyhow::Result<Vec<Figure>>;

/// In the order in which they are measured.
const MEASURES: &[(&str, Measure)] = &[
    ("memory", memory::measure),
    ("statistics", statistics::measure),
    ("idle", idle::measure),
    ("restart", restart::measure),
    ("search", search::measure),
    ("adoption", adoption::measure),
    ("start", start::measure),
    ("history", history::measure),
    ("latency", latency::measure),
    ("intake", intake::measure),
    ("ingest", ingest::measure),
    ("decode", decode::measure),
    ("join", join::measure),
];

/// Measures everything and writes it down.
pub(crate) fn bench(checkout: &Checkout, options: &Options) -> anyhow::Result<()> {
    let checkout = &checkout.released();
    if let Some(Part::Ui) = options.part {
        let figures = face::measure(checkout, options.as_built)?;
        figures.iter().for_each(tell);
        let path = checkout.root.join("docs/PERFORMANCE.md");
        fs::write(&path, merged(&fs::read_to_string(&path)?, &figures))?;
        return Ok(());
    }
    if !options.as_built {
        build(checkout)?;
    }
    let engine = setup::engine(checkout);
    let mut figures = Vec::new();
    for (name, measure) in MEASURES {
        if options
            .only
            .as_ref()
            .is_some_and(|only| !name.contains(only.as_str()))
        {
            continue;
        }
        if !engine && matches!(*name, "start" | "history") {
            say::lack(
                &format!("{name} is not measured"),
                "it needs a container engine",
            );
            continue;
        }
        say::begin(&format!("measure {name}"));
        for figure in measure(checkout)? {
            tell(&figure);
            figures.push(figure);
        }
    }
    let path = checkout.root.join("docs/PERFORMANCE.md");
    let old = fs::read_to_string(&path).unwrap_or_default();
    if options.only.is_none() {
        fs::write(path, page(&figures) + client_part(&old))?;
    } else if options.write {
        fs::write(path, merged(&old, &figures))?;
    }
    Ok(())
}

fn tell(figure: &Figure) {
    let mark = if figure.met { "met" } else { "MISSED" };
    say::good(&format!(
        "{}: {} (aim {}, {mark})",
        figure.what, figure.measured, figure.aim
    ));
}

/// `page` with `figures` in the place of those of the same name, new ones behind the last of ours.
fn merged(page: &str, figures: &[Figure]) -> String {
    let ours = page.len() - client_part(page).len();
    let (ours, theirs) = page.split_at(ours);
    let mut lines: Vec<String> = ours.lines().map(str::to_owned).collect();
    for figure in figures {
        let (name, note) = (
            format!("| {} |", figure.what),
            format!("- **{}**:", figure.what),
        );
        put(&mut lines, &name, "| ", row(figure));
        put(&mut lines, &note, "- **", told(figure));
    }
    lines.join("\n") + "\n" + theirs
}

/// Puts `line` in the place of the one that begins with `name`, or behind the last that begins with `kind`.
fn put(lines: &mut Vec<String>, name: &str, kind: &str, line: String) {
    if let Some(old) = lines.iter_mut().find(|old| old.starts_with(name)) {
        *old = line;
        return;
    }
    let last = lines.iter().rposition(|old| old.starts_with(kind));
    lines.insert(last.map_or(lines.len(), |last| last + 1), line);
}

fn row(figure: &Figure) -> String {
    let met = if figure.met { "met" } else { "**missed**" };
    let Figure {
        what,
        measured,
        aim,
        ..
    } = figure;
    format!("| {what} | {measured} | {aim} | {met} |")
}

fn told(figure: &Figure) -> String {
    format!("- **{}**: {}", figure.what, figure.note)
}

/// What the web client's own bench has written behind our part of the page; it stays.
fn client_part(page: &str) -> &str {
    page.find("\n## The web client\n")
        .map_or("", |at| &page[at..])
}

fn build(checkout: &Checkout) -> anyhow::Result<()> {
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--quiet", "--release", "-p", "paddock-cli"]);
    step::shown(
        "build the release (the first time takes minutes)",
        &mut cargo,
    )?;
    relay::build(checkout).map(drop)
}

fn page(figures: &[Figure]) -> String {
    let mut page = format!(
        "# Speed and size\n\nMeasured by `cargo xtask bench` on {}, release build, and written here by it. Every ratio is taken in one run: what it \
         is compared with is measured in turn with it.\nA figure that is missed stays here with what is known of why.\n\n\
         | figure | measured | aim | |\n|---|---|---|---|\n",
        machine()
    );
    for figure in figures {
        let _ = writeln!(page, "{}", row(figure));
    }
    page.push_str("\n## How\n\n");
    for figure in figures {
        let _ = writeln!(page, "{}", told(figure));
    }
    page
}

/// The class of the machine, without its name.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kib = memory.lines().find_map(|line| {
        line.strip_prefix("MemTotal:")?
            .trim()
            .split(' ')
            .next()?
            .parse::<u64>()
            .ok()
    });
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').nth(2).unwrap_or("?").to_owned();
    format!(
        "{cores} cores and {} GB of memory (load average of the last 15 minutes: {load})",
        kib.unwrap_or_default().div_ceil(1 << 20)
    )
}

/// The middle of `values`.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    percentile(values, 50)
}

/// The value that `percent` of all are not above.
pub(crate) fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    values
        .get((last * percent).div_ceil(100))
        .copied()
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let mut values = [5.0, 1.0, 3.0, 2.0, 4.0];
        assert!((median(&mut values) - 3.0).abs() < f64::EPSILON);
        assert!((percentile(&mut values, 99) - 5.0).abs() < f64::EPSILON);
    }

    #[test]
    fn figures_measured_alone_take_the_place_of_older_ones() {
        let figure = |what, measured: &str| Figure {
            what,
            measured: measured.to_owned(),
            aim: "1",
            met: true,
            note: format!("how {measured}"),
        };
        let old =
            page(&[figure("a", "1"), figure("b", "2")]) + "\n## The web client\n\n| a | x |\n";
        let new = merged(&old, &[figure("a", "8"), figure("c", "9")]);
        let rows: Vec<_> = new.lines().filter(|line| line.ends_with("met |")).collect();
        assert_eq!(
            rows,
            [
                "| a | 8 | 1 | met |",
                "| b | 2 | 1 | met |",
                "| c | 9 | 1 | met |"
            ]
        );
        assert!(
            new.contains("- **a**: how 8\n- **b**: how 2\n- **c**: how 9\n"),
            "{new}"
        );
        assert!(new.ends_with("\n## The web client\n\n| a | x |\n"));
        assert_eq!(merged(&new, &[]), new);
    }

    #[test]
    fn a_miss_is_on_the_page() {
        let missed = Figure {
            what: "w",
            measured: "9".into(),
            aim: "1",
            met: false,
            note: "slow".into(),
        };
        let page = page(&[missed]);
        assert!(
            page.contains("**missed**") && page.contains("slow"),
            "{page}"
        );
    }
}
