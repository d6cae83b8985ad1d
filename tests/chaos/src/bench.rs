//! The bench: deals rounds to lanes, tells what goes wrong as it happens, and sums up.
//!
//! Start at [`run`].

use std::collections::{BTreeMap, VecDeque};
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context, bail};
use tokio::signal::unix::{SignalKind, signal};

use crate::engine::Engine;
use crate::lane::Lane;
use crate::plan::{Kind, Plan};
use crate::report::Tally;
use crate::round::Played;
use crate::workshop::Workshop;
use crate::{Options, report};

/// How often progress is told, in rounds.
const TOLD_EVERY: u64 = 25;

/// Runs a bench; says whether every promise was kept.
///
/// # Errors
/// When it cannot be run at all.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let only = options.only.as_deref().map(|name| {
        let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        let known = || format!("no kind `{name}`; there are {}", names.join(", "));
        Kind::named(name).with_context(known)
    });
    let only = only.transpose()?;
    if options.rounds == 0 || options.jobs == 0 {
        bail!("a bench has at least one round and one job");
    }
    let root = tempfile::Builder::new().prefix("chaos-").tempdir()?;
    let workshop = Arc::new(Workshop::furnish(root.path(), options)?);
    let last = options.first + options.rounds;
    let plans = (options.first..last).map(|number| Plan::of(options.seed, number, only));
    let begun = Instant::now();
    let tally = play(&workshop, options, plans.collect())?;
    let text = report::text(options, &tally, begun.elapsed());
    eprintln!("{text}");
    if let Some(page) = &options.report {
        report::write(page, &text)?;
    }
    if tally.has_kept {
        eprintln!("kept in {}", root.keep().display());
    }
    if tally.rounds() == 0 {
        bail!("no round could be played here: see above for what is lacking");
    }
    Ok(tally.violations == 0)
}

/// Plays all rounds that can be played here.
fn play(workshop: &Arc<Workshop>, options: &Options, plans: Vec<Plan>) -> anyhow::Result<Tally> {
    let (mut tally, mut lacking) = (Tally::default(), lacking(workshop));
    let wants_engine = plans.iter().any(|plan| plan.kind.needs_engine());
    let engine = match wants_engine.then(|| start_engine(workshop)).transpose() {
        Ok(engine) => engine.map(|engine| Arc::new(tokio::sync::Mutex::new(engine))),
        Err(error) => {
            let why = format!("no engine of our own: {error:#}");
            lacking.extend([(Kind::Container, why.clone()), (Kind::Engine, why)]);
            None
        }
    };
    let (mut of_engine, mut other) = (VecDeque::new(), VecDeque::new());
    for plan in plans {
        match lacking.get(&plan.kind) {
            Some(why) => tally.skip(plan.kind, why),
            None if plan.kind.needs_engine() => of_engine.push_back(plan),
            None => other.push_back(plan),
        }
    }
    let hand = Hand {
        told_to_end: heed_signals()?,
        of_engine: Mutex::new(of_engine),
        other: Mutex::new(other),
        tally: Mutex::new(tally),
    };
    std::thread::scope(|scope| {
        let lanes = (0..options.jobs).map(|number| {
            // The engine is one for all: only the first lane has it.
            let engine = engine.clone().filter(|_| number == 0);
            let lane = Lane::new(workshop.clone(), number, engine, options.keep);
            let hand = &hand;
            scope.spawn(move || in_lane(lane, number == 0, hand))
        });
        let lanes: Vec<_> = lanes.collect();
        lanes.into_iter().try_for_each(|lane| match lane.join() {
            Ok(played) => played,
            Err(_) => bail!("a lane panicked"),
        })
    })?;
    Ok(hand
        .tally
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner))
}

/// What lanes take their rounds from, and where they put what came of them.
struct Hand {
    /// Whether somebody told the bench to end: rounds under way are played to their end.
    told_to_end: Arc<AtomicBool>,
    of_engine: Mutex<VecDeque<Plan>>,
    other: Mutex<VecDeque<Plan>>,
    tally: Mutex<Tally>,
}

impl Hand {
    fn next(&self, has_engine: bool) -> Option<Plan> {
        if self.told_to_end.load(Ordering::Relaxed) {
            return None;
        }
        let of_engine = has_engine.then(|| lock(&self.of_engine).pop_front());
        of_engine
            .flatten()
            .or_else(|| lock(&self.other).pop_front())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plays rounds on a thread of their own until there are none left.
fn in_lane(mut lane: Lane, has_engine: bool, hand: &Hand) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let playing = async {
        while let Some(plan) = hand.next(has_engine) {
            let played = lane.play(&plan).await?;
            tell(&plan, &played);
            let mut tally = lock(&hand.tally);
            tally.add(&plan, &played);
            if tally.rounds().is_multiple_of(TOLD_EVERY) {
                eprintln!("{}", tally.line());
            }
        }
        for (kept, violation) in lane.end().await {
            eprintln!("\nVIOLATION\n  ✗ {violation}\n  kept in {}", kept.display());
            let mut tally = lock(&hand.tally);
            tally.found(&violation);
            tally.has_kept = true;
        }
        anyhow::Ok(())
    };
    tokio::task::LocalSet::new().block_on(&runtime, playing)
}

/// Listens for Ctrl-C and SIGTERM from here on.
fn heed_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let told = Arc::new(AtomicBool::new(false));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let tell = told.clone();
    // Ends with the program.
    std::thread::spawn(move || {
        runtime.block_on(async {
            let Ok(mut terminate) = signal(SignalKind::terminate()) else {
                return;
            };
            let Ok(mut interrupt) = signal(SignalKind::interrupt()) else {
                return;
            };
            loop {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
                eprintln!("chaos: ends after the rounds under way");
                tell.store(true, Ordering::Relaxed);
            }
        });
    });
    Ok(told)
}

/// Kinds of rounds that cannot be played on this machine, and why.
fn lacking(workshop: &Workshop) -> BTreeMap<Kind, String> {
    let mut lacking = BTreeMap::new();
    if !is_root() {
        lacking.insert(Kind::Disk, "only root can mount a small disk".to_owned());
    }
    if workshop.clock.is_none() {
        let why = "no C compiler for the clock that jumps";
        lacking.insert(Kind::Clock, why.to_owned());
    }
    if workshop.model.is_none() {
        let why = "Claude Code is not installed: `cargo xtask setup`";
        lacking.insert(Kind::Claude, why.to_owned());
    }
    lacking
}

fn start_engine(workshop: &Workshop) -> anyhow::Result<Engine> {
    if !is_root() {
        bail!("only root can start one");
    }
    Engine::start(workshop, &workshop.root.join("engine"))
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Tells of a round that went wrong, and how to play it again.
fn tell(plan: &Plan, played: &Played) {
    if played.violations.is_empty() {
        return;
    }
    eprintln!("\nVIOLATION in {}", plan.describe().trim_end());
    for violation in &played.violations {
        let line: String = violation.to_string().chars().take(1500).collect();
        eprintln!("  ✗ {line}");
    }
    if let Some(kept) = &played.kept {
        eprintln!("  kept in {}", kept.display());
    }
    eprintln!(
        "  again: cargo xtask chaos --seed {} --first {} --rounds 1 --only {}",
        plan.seed, plan.number, plan.kind
    );
}
