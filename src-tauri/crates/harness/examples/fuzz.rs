//! Feeds codecs hostile lines made of recorded ones, on the stable toolchain: `cargo xtask fuzz` runs it.
//!
//! `fuzz LINES [SEED] [HARNESS]`: lines in all, over all harnesses in turn. Each line is heard by a codec
//! that lives on for thousands of lines, together with what users wish and what the log shows as said. No
//! panic, no lost later line, and no more memory than [`LIVE_MAX`] however long it lasts.

use std::path::Path;
use std::time::Instant;

use paddock_domain::{InputId, PermissionMode};
use paddock_harness::{Codec, CodecSetup, Harness, registry};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[allow(unreachable_pub)] // of a file that others share
#[path = "../fuzz/body.rs"]
mod body;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<std::alloc::System> = &INSTRUMENTED_SYSTEM;

/// Most memory that one codec may hold, in bytes: what it keeps of calls and requests (16 MiB each for
/// four kinds of them), and one message.
const LIVE_MAX: isize = 96 << 20;
/// Lines that one codec hears before it gives way to the next.
const LIFE: usize = 20_000;
/// Lines between two looks at memory.
const LOOK: usize = 500;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let lines: usize = args
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(100_000);
    let seed: u64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let only = args.next();
    let chosen: Vec<_> = registry()
        .iter()
        .filter(|harness| {
            only.as_deref()
                .is_none_or(|only| harness.name().as_str() == only)
        })
        .collect();
    let began = Instant::now();
    let mut total = 0;
    for harness in &chosen {
        let share = lines.div_ceil(chosen.len());
        let start = Instant::now();
        let (bytes, most) = run(**harness, share, seed)?;
        total += share;
        #[allow(clippy::cast_precision_loss)]
        let rate = bytes as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!(
            "{}: {share} lines, {} MB, {rate:.0} MB/s, at most {} KiB held",
            harness.name(),
            bytes / 1_000_000,
            most >> 10
        );
    }
    println!(
        "{total} lines without a panic, seed {seed}, {:.0} s",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Bytes heard, and the most memory that a codec held.
fn run(harness: &dyn Harness, lines: usize, seed: u64) -> std::io::Result<(usize, isize)> {
    let corpus = corpus(harness)?;
    let mut mutator = body::Mutator::new(seed);
    let (mut heard, mut made) = (Vec::new(), Vec::new());
    let (mut bytes, mut most) = (0, 0);
    let mut done = 0;
    while done < lines {
        let region = Region::new(ALLOCATOR);
        let mut codec = harness.codec(setup(&mut mutator));
        let mut at = mutator.below(corpus.len());
        for nth in 0..LIFE.min(lines - done) {
            // In order mostly, so that there are turns, calls and requests to be torn apart.
            at = match mutator.below(16) {
                0 => mutator.below(corpus.len()),
                1 => at,
                _ => (at + 1) % corpus.len(),
            };
            let other = mutator.below(corpus.len());
            mutator.line(&corpus[at], &corpus[other], &mut made);
            codec.hear(&made, &mut heard);
            bytes += made.len();
            heard.clear();
            wish(&mut *codec, &mut mutator, &made);
            if nth % LOOK == 0 {
                body::probe(harness, &mut *codec);
                heard.shrink_to(1024);
                let change = region.change();
                let live = change.bytes_allocated.cast_signed()
                    - change.bytes_deallocated.cast_signed()
                    + change.bytes_reallocated;
                assert!(live < LIVE_MAX, "{} holds {live} bytes", harness.name());
                most = most.max(live);
            }
        }
        let few: Vec<&[u8]> = (0..20)
            .map(|_| corpus[mutator.below(corpus.len())].as_slice())
            .collect();
        body::take(harness, &few.join(&b'\n'));
        done += LIFE.min(lines - done);
    }
    Ok((bytes, most))
}

fn setup(mutator: &mut body::Mutator) -> CodecSetup {
    let modes = [
        PermissionMode::FullAuto,
        PermissionMode::Ask,
        PermissionMode::Plan,
    ];
    CodecSetup {
        permission_mode: modes[mutator.below(3)],
        resume: (mutator.below(2) == 0).then(|| "earlier".to_owned()),
        ..CodecSetup::default()
    }
}

/// What a user may do at any time, and what the log may show as said.
fn wish(codec: &mut dyn Codec, mutator: &mut body::Mutator, line: &[u8]) {
    let Ok(id) = InputId::parse(&format!("w{}", mutator.below(1000))) else {
        return;
    };
    match mutator.below(200) {
        0 => drop(codec.prompt(&id, "go on")),
        1 => drop(codec.interrupt(&id)),
        2 => drop(codec.set_model(&id, "m")),
        3 => drop(codec.set_permission_mode(&id, PermissionMode::Ask)),
        4..=9 => codec.said(&id, line),
        10 => drop(codec.compact(&id, None)),
        _ => {}
    }
}

/// Every line that its program said in the recordings.
fn corpus(harness: &dyn Harness) -> std::io::Result<Vec<Vec<u8>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/transcripts");
    let mut paths = Vec::new();
    for folder in std::fs::read_dir(root)? {
        let folder = folder?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with(&format!("{}-", harness.name())) {
            continue;
        }
        let files = std::fs::read_dir(&folder)?;
        paths.extend(files.flatten().map(|file| file.path()));
    }
    paths.sort();
    let mut lines = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".jsonl") && !name.ends_with(".events.jsonl") {
            let bytes = std::fs::read(&path)?;
            lines.extend(bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec));
        }
    }
    Ok(lines)
}
