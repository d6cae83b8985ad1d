//! How fast recorded conversations are decoded, against parsing the same lines to `serde_json::Value`.
//!
//! `cargo run --release -p paddock-harness --example decode_speed [SECONDS]`: a line of JSON for each
//! folder of recordings with MB/s of both ways, measured in turn, their ratio, and what a streamed piece of
//! text costs in allocations beyond the text itself. `cargo xtask bench` writes it down.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use paddock_harness::{CodecSetup, Harness, Heard, registry};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<std::alloc::System> = &INSTRUMENTED_SYSTEM;

/// How often the two ways are measured in turn.
const TURNS: u32 = 5;

fn main() -> std::io::Result<()> {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let span = Duration::from_secs_f64(seconds.unwrap_or(2.0));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/transcripts");
    for harness in registry() {
        for folder in std::fs::read_dir(&root)? {
            let folder = folder?;
            let name = folder.file_name().to_string_lossy().into_owned();
            if !name.starts_with(&format!("{}-", harness.name())) {
                continue;
            }
            let files = transcripts(&folder.path())?;
            let bytes: usize = files.iter().flatten().map(Vec::len).sum();
            let (mut decoded, mut parsed) = (Vec::new(), Vec::new());
            for _ in 0..TURNS {
                decoded.push(rate(bytes, span / TURNS / 2, || decode(*harness, &files)));
                parsed.push(rate(bytes, span / TURNS / 2, || parse(&files)));
            }
            let (decoded, parsed) = (median(&mut decoded), median(&mut parsed));
            let (deltas, allocations) = delta_cost(*harness, &files);
            println!(
                r#"{{"recordings":"{name}","bytes":{bytes},"decoded_mb_s":{decoded:.0},"value_mb_s":{parsed:.0},"ratio":{:.2},"deltas":{deltas},"allocations_per_delta":{allocations:.2}}}"#,
                decoded / parsed
            );
        }
    }
    Ok(())
}

/// The lines of each transcript.
fn transcripts(folder: &Path) -> std::io::Result<Vec<Vec<Vec<u8>>>> {
    let mut files = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".jsonl") && name.matches('.').count() == 1 {
            let bytes = std::fs::read(&path)?;
            files.push(
                bytes
                    .split(|byte| *byte == b'\n')
                    .map(<[u8]>::to_vec)
                    .collect(),
            );
        }
    }
    Ok(files)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// How many lines are one streamed piece and nothing else, and the allocations of such a line beyond the
/// one that holds its text.
#[allow(clippy::cast_precision_loss)]
fn delta_cost(harness: &dyn Harness, files: &[Vec<Vec<u8>>]) -> (usize, f64) {
    let mut heard = Vec::with_capacity(64);
    let (mut deltas, mut allocations) = (0, 0);
    for lines in files {
        let mut codec = harness.codec(CodecSetup::default());
        for line in lines {
            let region = Region::new(ALLOCATOR);
            codec.hear(line, &mut heard);
            let change = region.change();
            if let [Heard::Delta(_)] = heard.as_slice() {
                deltas += 1;
                allocations += change.allocations + change.reallocations - 1;
            }
            heard.clear();
        }
    }
    (deltas, allocations as f64 / deltas.max(1) as f64)
}

/// MB/s of `work`, which takes `bytes`, repeated for `span`.
fn rate(bytes: usize, span: Duration, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut rounds = 0_u32;
    while start.elapsed() < span {
        work();
        rounds += 1;
    }
    #[allow(clippy::cast_precision_loss)] // a few megabytes
    let total = bytes as f64 * f64::from(rounds);
    total / start.elapsed().as_secs_f64() / 1e6
}

fn decode(harness: &dyn Harness, files: &[Vec<Vec<u8>>]) {
    let mut heard = Vec::new();
    for lines in files {
        let mut codec = harness.codec(CodecSetup::default());
        for line in lines {
            codec.hear(line, &mut heard);
            black_box(&heard);
            heard.clear();
        }
    }
}

fn parse(files: &[Vec<Vec<u8>>]) {
    for line in files.iter().flatten() {
        black_box(serde_json::from_slice::<serde_json::Value>(line).ok());
    }
}
